"""
The real turtlesim under launch_testing: the tasks of a turtle, judged by the poses that turtlesim publishes.

It opens a window; without a display: `QT_QPA_PLATFORM=offscreen make launch-test ARGS='-k turtlesim'`.
"""

from __future__ import annotations

from collections.abc import Sequence
import importlib
from pathlib import Path
import tempfile
import unittest

from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription, SetEnvironmentVariable
from launch.launch_description_sources import PythonLaunchDescriptionSource
import launch_testing.actions
import launch_testing.asserts
import pytest
from robot_tool_agent.config_files import load_robot
from robot_tool_agent.core.geometry import Pose2D
from robot_tool_agent_sim.harness.domains import free_domain
from robot_tool_agent_sim.harness.goals import ask
from robot_tool_agent_sim.harness.probe import Probe
from robot_tool_agent_sim.harness.processes import wait_gone
from robot_tool_agent_sim.harness.recording import Recording
from robot_tool_agent_sim.harness.ros_loop import RosLoop
from robot_tool_agent_sim.turtlesim.types import pose_type
import turtle_play

POSE = pose_type()
ROOT = Path(__file__).resolve().parents[2]
ROBOT_FILE = ROOT / 'config' / 'robots' / 'turtlesim.yaml'
HOME = Path(tempfile.mkdtemp(prefix='ros_home_'))
DOMAIN_ID = free_domain()


@pytest.mark.launch_test
def generate_test_description() -> LaunchDescription:
    """Start turtlesim and the whole system with the product's launch file."""
    settings = {
        'ROS_DOMAIN_ID': str(DOMAIN_ID),
        'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST',
        'ROS_HOME': str(HOME),
    }
    system = IncludeLaunchDescription(PythonLaunchDescriptionSource(str(ROOT / 'launch' / 'turtlesim.launch.py')))
    environment = [SetEnvironmentVariable(name, value) for name, value in settings.items()]
    return LaunchDescription([*environment, system, launch_testing.actions.ReadyToTest()])


class _Watch:
    """Listens to the turtle's own poses and can put it elsewhere, as a hand at another terminal would."""

    def __init__(self) -> None:
        services = importlib.import_module(POSE.__module__.split('.')[0] + '.srv')
        self._request = services.TeleportAbsolute.Request
        self.poses: list[Pose2D] = []
        self._loop = RosLoop('turtle_watch', DOMAIN_ID, '')
        node = self._loop.node
        node.create_subscription(POSE, 'turtle1/pose', self._on_pose, 10)
        self._client = node.create_client(services.TeleportAbsolute, 'turtle1/teleport_absolute')
        self._recording = Recording()
        self._loop.start()

    def _on_pose(self, message: object) -> None:
        self.poses.append(Pose2D(message.x, message.y, message.theta))

    def track(self) -> Sequence[Pose2D]:
        """Return the poses so far."""
        return self.poses

    def teleport(self, x_m: float, y_m: float, yaw_rad: float) -> None:
        """Call turtlesim's teleport_absolute."""
        ask(self._loop, self._recording, self._client, self._request(x=x_m, y=y_m, theta=yaw_rad))

    def close(self) -> None:
        """Leave the ROS graph."""
        self._loop.close()


class TestTurtle(unittest.TestCase):
    """The tasks, in this order, on one running system."""

    stage: turtle_play.TurtleStage

    @classmethod
    def setUpClass(cls) -> None:
        watch, probe = _Watch(), Probe(DOMAIN_ID)
        cls.addClassCleanup(watch.close)
        cls.addClassCleanup(probe.close)
        probe.describe_skills()
        cls.stage = turtle_play.TurtleStage(probe, load_robot(ROBOT_FILE), watch.track, watch.teleport)

    def test_1_square(self) -> None:
        """Draw a square."""
        turtle_play.draws_a_square(self.stage)

    def test_2_corners(self) -> None:
        """Visit the corners."""
        turtle_play.visits_the_corners(self.stage)

    def test_3_home(self) -> None:
        """Go home."""
        turtle_play.goes_home(self.stage)

    def test_4_teleport(self) -> None:
        """Be put elsewhere in mid-skill."""
        turtle_play.notices_a_teleport(self.stage)

    def test_5_home_again(self) -> None:
        """Go home after the reset of a person."""
        turtle_play.goes_home(self.stage)


@launch_testing.post_shutdown_test()
class TestAfterShutdown(unittest.TestCase):
    """How the processes ended."""

    def test_exit_codes(self, proc_info: launch_testing.ProcInfoHandler) -> None:
        """Every process ended in order."""
        for node in ('safety', 'executor', 'planner', 'turtle_adapter'):
            launch_testing.asserts.assertExitCodes(proc_info, [0], process=node)

    def test_no_orphans(self) -> None:
        """Nothing that the launch started outlives it."""
        assert wait_gone(HOME, 8.0) == {}
