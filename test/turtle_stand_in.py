"""turtlesim's place in the ROS graph, taken by a node of the test process; and the adapter as a process of its own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
import os
from pathlib import Path
import signal
import subprocess
import sys

from geometry_msgs.msg import Pose2D as PoseMessage
from geometry_msgs.msg import Twist
from robot_tool_agent.core.geometry import Pose2D, Twist2D
from robot_tool_agent.nodes.qos import COMMAND
from robot_tool_agent_sim.harness.ros_loop import RosLoop
from turtle_field import STEP_S, TurtleField

PROGRAM = Path(__file__).with_name('turtle_adapter_process.py')


class TurtleStandIn:
    """Publishes `turtle1/pose` at 62.5 Hz and obeys `turtle1/cmd_vel`. `silent` stops the poses."""

    def __init__(self, domain_id: int, namespace: str = '') -> None:
        self.field = TurtleField()
        self.poses: list[Pose2D] = []
        self.commands: list[Twist2D] = []
        self.silent = False
        self._loop = RosLoop('turtlesim', domain_id, namespace)
        node = self._loop.node
        self._publisher = node.create_publisher(PoseMessage, 'turtle1/pose', COMMAND)
        node.create_subscription(Twist, 'turtle1/cmd_vel', self._on_command, COMMAND)
        node.create_timer(STEP_S, self._on_timer)
        self._loop.start()

    def teleport(self, x_m: float, y_m: float, yaw_rad: float) -> None:
        """Put the turtle elsewhere."""
        self._loop.call(lambda: self.field.teleport(x_m, y_m, yaw_rad))

    def close(self) -> None:
        """Leave the ROS graph."""
        self._loop.close()

    def _on_command(self, message: Twist) -> None:
        self.commands.append(Twist2D(message.linear.x, message.angular.z))
        self.field.command(self.commands[-1])

    def _on_timer(self) -> None:
        pose = self.field.step()
        self.poses.append(pose)
        if not self.silent:
            self._publisher.publish(PoseMessage(x=pose.x_m, y=pose.y_m, theta=pose.yaw_rad))


@contextmanager
def turtle_stand_in(domain_id: int) -> Iterator[TurtleStandIn]:
    """Run the stand-in."""
    turtle = TurtleStandIn(domain_id)
    try:
        yield turtle
    finally:
        turtle.close()


@contextmanager
def turtle_adapter(domain_id: int, robot_file: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Run the adapter; it is ended by its pid, whatever happens."""
    command = [sys.executable, str(PROGRAM), '--ros-args', '-p', f'robot_file:={robot_file}', *arguments]
    environment = {**os.environ, 'ROS_DOMAIN_ID': str(domain_id), 'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST'}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
        process.communicate(timeout=10.0)
