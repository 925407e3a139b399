"""All scenarios of a launch file are one test to pytest: it takes as long as they all do."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from robot_tool_agent_sim.turtlesim.types import PACKAGES

HERE = Path(__file__).resolve().parent
TIMEOUT_S = 2400

# A skip at the head of a launch test would end the collection of all the others.
NEEDS = {'test_turtlesim_launch.py': PACKAGES, 'test_gazebo_launch.py': ('ros_gz_interfaces',)}
collect_ignore = [name for name, modules in NEEDS.items() if not any(map(importlib.util.find_spec, modules))]


def pytest_report_header() -> list[str]:
    """Say what is left out."""
    return [f'{name} is left out: no {" or ".join(NEEDS[name])} here' for name in collect_ignore]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give the launch tests the time they need."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.timeout(TIMEOUT_S))
