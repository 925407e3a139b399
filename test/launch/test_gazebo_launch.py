"""Rows of the table of scenarios that need no simulated fault, in Gazebo; judged by the true poses of its models."""

from __future__ import annotations

import os
from pathlib import Path
import signal
import tempfile
import time
import unittest

from geometry_msgs.msg import PoseStamped
from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription, SetEnvironmentVariable
from launch.launch_description_sources import PythonLaunchDescriptionSource
import launch_testing.actions
import pytest
from robot_tool_agent.config_files import load_robot
from robot_tool_agent.core.geometry import Point
from robot_tool_agent.core.outcomes import Outcome, TaskStatus
from robot_tool_agent.core.safety_state import SafetyMode
from robot_tool_agent_sim.harness.domains import free_domain
from robot_tool_agent_sim.harness.probe import Probe
from robot_tool_agent_sim.harness.processes import processes_of
from robot_tool_agent_sim.harness.ros_loop import RosLoop

ROOT = Path(__file__).resolve().parents[2]
ROBOT = load_robot(ROOT / 'config' / 'robots' / 'gazebo_house.yaml')
HOME = Path(tempfile.mkdtemp(prefix='ros_home_'))
DOMAIN_ID = free_domain()
READY_TIMEOUT_S, PARK_TIMEOUT_S = 90.0, 90.0


@pytest.mark.launch_test
def generate_test_description() -> LaunchDescription:
    """Start Gazebo without a window, and the whole system, with the product's launch file."""
    settings = {
        'ROS_DOMAIN_ID': str(DOMAIN_ID),
        'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST',
        'ROS_HOME': str(HOME),
        'GZ_PARTITION': f'robot_tool_agent_{DOMAIN_ID}',
    }
    system = IncludeLaunchDescription(
        PythonLaunchDescriptionSource(str(ROOT / 'launch' / 'gazebo.launch.py')),
        launch_arguments={'headless': 'true'}.items(),
    )
    environment = [SetEnvironmentVariable(name, value) for name, value in settings.items()]
    return LaunchDescription([*environment, system, launch_testing.actions.ReadyToTest()])


class TestHouse(unittest.TestCase):
    """The tasks, in this order, on one running system."""

    probe: Probe
    cup: list[Point]

    @classmethod
    def setUpClass(cls) -> None:
        cls.probe, cls.cup = Probe(DOMAIN_ID), []
        cls.addClassCleanup(cls.probe.close)
        loop = RosLoop('cup_watch', DOMAIN_ID, '')
        cls.addClassCleanup(loop.close)
        loop.node.create_subscription(PoseStamped, 'gazebo/pose/cup_1', cls._on_cup, 10)
        loop.start()
        cls.probe.wait_state(SafetyMode.READY, READY_TIMEOUT_S)
        cls.probe.describe_skills()

    @classmethod
    def _on_cup(cls, message: PoseStamped) -> None:
        cls.cup.append(Point(message.pose.position.x, message.pose.position.y))

    def test_1_goto_kitchen(self) -> None:
        """Drive through the house."""
        end = self.probe.call_skill('navigate_to', {'place': 'kitchen'}, timeout_s=120.0)
        assert end.result.outcome == Outcome.SUCCEEDED, end.result
        assert self.probe.true_pose().distance_to(ROBOT.places['kitchen'].pose) < 0.15

    def test_2_fetch_cup(self) -> None:
        """Carry the cup to the table."""
        end = self.probe.run_task('bring the cup from the kitchen to the table', timeout_s=300.0)
        assert end.result.status == TaskStatus.SUCCEEDED, end.result
        surface = ROBOT.places['table'].surface
        assert surface is not None
        assert self.cup[-1].distance_to(surface.point) < 0.15

    def test_3_task_with_unknown_place(self) -> None:
        """Ask instead of guessing; nothing moves."""
        start = self.probe.true_pose()
        end = self.probe.run_task('go to the moon')
        assert (end.result.status, end.result.error_code) == (TaskStatus.NEEDS_OPERATOR, 'NEEDS_ANSWER')
        assert self.probe.true_pose().distance_to(start) < 0.02

    def test_4_executor_killed(self) -> None:
        """The robot parks itself at a safe pose."""
        start, begin_s = self.probe.true_pose(), time.monotonic()
        self.probe.send_skill('navigate_to', {'place': 'kitchen'})
        self.probe.wait_until(lambda: self.probe.true_pose().distance_to(start) > 0.8, 60.0, 'a robot on its way')
        (pid,) = (pid for pid, command in processes_of(HOME).items() if '__node:=executor' in command.split())
        os.kill(pid, signal.SIGKILL)
        self.probe.wait_state(SafetyMode.SAFE, PARK_TIMEOUT_S, begin_s)
        here = self.probe.true_pose()
        assert min(here.distance_to(pose.pose) for pose in ROBOT.safe_poses.values()) < 0.15, here
