"""All scenarios of a launch file are one test to pytest: it takes as long as they all do."""

from __future__ import annotations

from pathlib import Path

import pytest

from robot_tool_agent.config_files import ConfigError
from robot_tool_agent_sim.turtlesim.types import pose_type

HERE = Path(__file__).resolve().parent
TIMEOUT_S = 2400

# A skip at the head of a launch test would end the collection of all the others.
try:
    pose_type()
    collect_ignore, _missing = [], ''
except ConfigError as error:
    collect_ignore, _missing = ['test_turtlesim_launch.py'], f'test_turtlesim_launch.py is left out: {error}'


def pytest_report_header() -> str:
    """Say what is left out."""
    return _missing


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give the launch tests the time they need."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.timeout(TIMEOUT_S))
