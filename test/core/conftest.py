"""Core tests run as on a machine without ROS: importing it fails while they are collected and while they run."""

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
import sys

import pytest

# The package mcp needs Python 3.11; on 3.10 there is nothing of it to test.
collect_ignore_glob = ['test_mcp_*.py'] if find_spec('mcp') is None else []
HERE = Path(__file__).resolve().parent
BLOCKED = ('rclpy', 'robot_tool_agent_interfaces')


@contextmanager
def ros_blocked() -> Iterator[None]:
    """Make every import of `BLOCKED` fail; what was imported before comes back afterwards."""
    kept = {name: module for name, module in sys.modules.items() if name.split('.')[0] in BLOCKED}
    for name in kept:
        del sys.modules[name]
    sys.modules.update(dict.fromkeys(BLOCKED))  # type: ignore[arg-type]  # None makes an import fail
    try:
        yield
    finally:
        for name in BLOCKED:
            sys.modules.pop(name, None)
        sys.modules.update(kept)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Generator[None, object, object]:
    with ros_blocked():
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    # pytest asks this hook for the tests of every folder.
    if not item.path.is_relative_to(HERE):
        return (yield)
    with ros_blocked():
        return (yield)
