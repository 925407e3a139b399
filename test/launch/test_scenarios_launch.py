"""The table of scenarios under launch_testing: the system as its launch file starts it, judged by ground truth."""

from __future__ import annotations

import os
import signal
import tempfile
import unittest
from collections.abc import Callable
from pathlib import Path

import launch_testing.actions
import launch_testing.asserts
import pytest
from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription, SetEnvironmentVariable
from launch.launch_description_sources import PythonLaunchDescriptionSource

from play import Stage, play
from robot_tool_agent.core.safety_state import SafetyMode
from robot_tool_agent_sim.harness.domains import free_domain
from robot_tool_agent_sim.harness.probe import Probe
from robot_tool_agent_sim.harness.processes import processes_of, wait_gone
from scenarios import SCENARIOS, WORLD, Scenario

ROOT = Path(__file__).resolve().parents[2]
HOME = Path(tempfile.mkdtemp(prefix='ros_home_'))
DOMAIN_ID = free_domain()
READY_TIMEOUT_S = 45.0
KILLED = -signal.SIGKILL


@pytest.mark.launch_test
def generate_test_description() -> LaunchDescription:
    """Start the whole system with its own launch file."""
    settings = {
        'ROS_DOMAIN_ID': str(DOMAIN_ID),
        'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST',
        'ROS_HOME': str(HOME),
    }
    agent = IncludeLaunchDescription(
        PythonLaunchDescriptionSource(str(ROOT / 'launch' / 'agent.launch.py')),
        launch_arguments={'world': str(ROOT / 'test' / WORLD)}.items(),
    )
    environment = [SetEnvironmentVariable(name, value) for name, value in settings.items()]
    return LaunchDescription([*environment, agent, launch_testing.actions.ReadyToTest()])


def kill_node(name: str) -> None:
    """Kill a node that the launch file started, by its process id."""
    (pid,) = (pid for pid, command in processes_of(HOME).items() if f'__node:={name}' in command.split())
    os.kill(pid, signal.SIGKILL)


class TestScenarios(unittest.TestCase):
    """One test for each row of the table; they share the running system."""

    stage: Stage

    @classmethod
    def setUpClass(cls) -> None:
        probe = Probe(DOMAIN_ID)
        cls.addClassCleanup(probe.close)
        probe.wait_state(SafetyMode.READY, READY_TIMEOUT_S)
        cls.stage = Stage(probe, kill_node, HOME / 'robot_tool_agent' / 'journal.sqlite3')


def _test_of(scenario: Scenario) -> Callable[[TestScenarios], None]:
    def test(self: TestScenarios) -> None:
        play(self.stage, scenario)

    test.__doc__ = f'Play {scenario.name}.'
    return test


for _number, _scenario in enumerate(SCENARIOS):
    setattr(TestScenarios, f'test_{_number:02}_{_scenario.name}', _test_of(_scenario))


@launch_testing.post_shutdown_test()
class TestAfterShutdown(unittest.TestCase):
    """How the processes ended."""

    def test_exit_codes(self, proc_info: launch_testing.ProcInfoHandler) -> None:
        """Only those that a scenario killed, and that came back, may show a signal."""
        for node in ('safety', 'simulator'):
            launch_testing.asserts.assertExitCodes(proc_info, [0], process=node)
        for node in ('executor', 'planner'):
            launch_testing.asserts.assertExitCodes(proc_info, [0, KILLED], process=node)

    def test_no_orphans(self) -> None:
        """Nothing that the launch started outlives it."""
        assert wait_gone(HOME, 8.0) == {}
