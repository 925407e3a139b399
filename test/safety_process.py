"""The safety node as a real process, and a stand-in robot and executor round it in the test process."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from geometry_msgs.msg import PoseWithCovarianceStamped, Twist
from nav_msgs.msg import Odometry
from rclpy.node import Node
from robot_tool_agent_interfaces.msg import Heartbeat, MotionCommand, SafetyState
from robot_tool_agent_interfaces.srv import ResetSafety, TripSafety
from sensor_msgs.msg import JointState, LaserScan
from std_msgs.msg import Bool

from robot_tool_agent.core.geometry import Pose2D, Twist2D
from robot_tool_agent.nodes.conversions import quaternion_of, twist_message
from robot_tool_agent.nodes.qos import COMMAND, LATCHED
from sim_house import CONFIG, ROBOT_FILE
from sim_process import Probe

PARAMETERS = CONFIG / 'safety.yaml'


@contextmanager
def safety_process(domain: int, *arguments: str, robot: Path = ROBOT_FILE) -> Iterator[subprocess.Popen[str]]:
    """Run the node as a process of its own; end it by its pid whatever happens."""
    command = [sys.executable, '-m', 'robot_tool_agent.nodes.safety_node', '--ros-args']
    files = ['--params-file', str(PARAMETERS), '-p', f'robot_file:={robot}']
    environment = {**os.environ, 'ROS_DOMAIN_ID': str(domain), 'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST'}
    process = subprocess.Popen(
        [*command, *files, *arguments], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGCONT)
            process.kill()
        process.communicate(timeout=10.0)


def velocity_command(v_mps: float, epoch: int, call_id: str = 'call') -> MotionCommand:
    """Return a command to drive straight."""
    message = MotionCommand(epoch=epoch, call_id=call_id, profile='normal', use_twist=True)
    message.twist.linear.x = v_mps
    return message


class StandInRobot:
    """Publishes what a robot in an open field publishes, obeys cmd_vel at once, and can be told to fall silent."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self.pose, self.twist = Pose2D(0.0, 0.0, 0.0), Twist2D()
        self.silent: set[str] = set()
        self.pressed = False
        self.bumps = node.create_publisher(Bool, 'bumper', 10)
        self._odom = node.create_publisher(Odometry, 'odom', 10)
        self._scan = node.create_publisher(LaserScan, 'scan', 10)
        self._map = node.create_publisher(PoseWithCovarianceStamped, 'global_pose', 10)
        self._joints = node.create_publisher(JointState, 'joint_states', 10)
        self._turns = 0
        node.create_subscription(Twist, 'cmd_vel', self._obey, 10)
        node.create_timer(0.02, self._turn)

    def _obey(self, message: Twist) -> None:
        self.twist = Twist2D(message.linear.x, message.angular.z)

    def _turn(self) -> None:
        self._turns += 1
        self.pose = self.twist.step(self.pose, 0.02)
        now = self._node.get_clock().now().to_msg()
        if 'odom' not in self.silent:
            odom = Odometry()
            odom.header.stamp, odom.twist.twist = now, twist_message(self.twist)
            odom.pose.pose.position.x, odom.pose.pose.position.y = self.pose.x_m, self.pose.y_m
            odom.pose.pose.orientation = quaternion_of(self.pose.yaw_rad)
            self._odom.publish(odom)
        if self._turns % 3 == 0:
            self._turn_slowly(now)

    def _turn_slowly(self, now: Any) -> None:
        if 'scan' not in self.silent:
            scan = LaserScan(angle_increment=math.tau / 360, range_min=0.05, range_max=8.0, ranges=[math.inf] * 360)
            scan.header.stamp = now
            self._scan.publish(scan)
        if 'bumper' not in self.silent:
            self.bumps.publish(Bool(data=self.pressed))
        pose = PoseWithCovarianceStamped()
        pose.header.stamp = now
        pose.pose.pose.position.x, pose.pose.pose.position.y = 1.0 + self.pose.x_m, 1.0 + self.pose.y_m
        pose.pose.pose.orientation = quaternion_of(self.pose.yaw_rad)
        self._map.publish(pose)
        joints = JointState(name=['gripper_joint'], position=[0.1])
        joints.header.stamp = now
        self._joints.publish(joints)


class StandInExecutor:
    """Beats, and repeats one command at 20 Hz while it has one."""

    def __init__(self, node: Node, boot_id: int | None = None, sequence: int = 0) -> None:
        self.beating = True
        self.command: MotionCommand | None = None
        self._boot_id = time.time_ns() if boot_id is None else boot_id
        self._sequence = sequence
        self._beats = node.create_publisher(Heartbeat, 'heartbeat', COMMAND)
        self._commands = node.create_publisher(MotionCommand, 'motion_command', COMMAND)
        node.create_timer(0.1, self._beat)
        node.create_timer(0.05, self._repeat)

    def send(self, command: MotionCommand) -> None:
        """Send one command once."""
        self._commands.publish(command)

    def _beat(self) -> None:
        if self.beating:
            self._sequence += 1
            self._beats.publish(Heartbeat(node='executor', boot_id=self._boot_id, sequence=self._sequence))

    def _repeat(self) -> None:
        if self.command is not None:
            self._commands.publish(self.command)


class Bench:
    """Robot, executor and ears in the test process. `velocities` and `states` hold arrival time and message."""

    def __init__(self, domain: int, **executor: Any) -> None:
        self.probe = Probe(domain, kinds={})
        node = self.probe.node
        self.robot = StandInRobot(node)
        self.executor = StandInExecutor(node, **executor)
        self.velocities: list[tuple[float, Twist]] = []
        self.states: list[SafetyState] = []
        node.create_subscription(Twist, 'cmd_vel', lambda m: self.velocities.append((time.monotonic(), m)), 10)
        node.create_subscription(SafetyState, 'safety_state', self.states.append, LATCHED)

    @property
    def state(self) -> int:
        """The last state heard, -1 before the first."""
        return int(self.states[-1].state) if self.states else -1

    @property
    def speed_mps(self) -> float:
        """Forward speed of the last cmd_vel."""
        return float(self.velocities[-1][1].linear.x) if self.velocities else 0.0

    def until_state(self, *states: int, limit_s: float = 15.0) -> None:
        """Wait for one of the states."""
        self.probe.until(lambda: self.state in states, limit_s)

    def command(self, v_mps: float, call_id: str = 'call', epoch: int | None = None) -> MotionCommand:
        """Return a command of the present or a given epoch."""
        return velocity_command(v_mps, self.states[-1].epoch if epoch is None else epoch, call_id)

    def cruise(self, v_mps: float = 0.3, call_id: str = 'call') -> None:
        """Wait for READY, command a speed and wait until it goes out."""
        self.until_state(SafetyState.READY)
        self.executor.command = self.command(v_mps, call_id)
        self.probe.until(lambda: abs(self.speed_mps - v_mps) < 1e-6)

    def trip(self, fault: str, epoch: int = 0) -> Any:
        """Call trip_safety."""
        return self.probe.call(TripSafety, 'trip_safety', TripSafety.Request(fault=fault, detail='test', epoch=epoch))

    def reset(self, operator: str = 'Ada') -> Any:
        """Call reset_safety."""
        return self.probe.call(ResetSafety, 'reset_safety', ResetSafety.Request(operator_name=operator))

    def close(self) -> None:
        """End the test process's side."""
        self.probe.close()
