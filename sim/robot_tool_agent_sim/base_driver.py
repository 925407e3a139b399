"""What a base driver does with velocities, for simulators that have no driver of this kind: pass on, time out, stop."""

from collections.abc import Callable

from geometry_msgs.msg import Twist, TwistStamped
import rclpy.clock
from rclpy.duration import Duration
from rclpy.node import Node
from robot_tool_agent.core.geometry import Twist2D, ZERO_TWIST
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.nodes.clock import steady_now_s
from robot_tool_agent.nodes.conversions import twist_message
from robot_tool_agent.nodes.qos import COMMAND
from robot_tool_agent_sim.command_timeout import CommandTimeout

TIMEOUT_CHECK_S = 0.02
# The last zero must have left before the process ends.
LAST_WORD_S = 0.3


class BaseDriver:
    """
    Carries `cmd_vel` of a robot (Twist, or TwistStamped where its YAML says so) to a simulator's topic (Twist).

    Zero follows once commands are silent for `timeout_s`, and for a velocity that is no number.
    """

    def __init__(self, node: Node, robot: RobotDescription, target: str, timeout_s: float) -> None:
        self._timeout = CommandTimeout(timeout_s)
        self._cmd_vel = node.create_publisher(Twist, target, COMMAND)
        stamped = robot.topics.cmd_vel.stamped
        take: Callable[..., None] = (lambda message: self._on_twist(message.twist)) if stamped else self._on_twist
        kind = TwistStamped if stamped else Twist
        node.create_subscription(kind, robot.topics.resolved('cmd_vel'), take, COMMAND)
        steady = rclpy.clock.Clock(clock_type=rclpy.clock.ClockType.STEADY_TIME)
        node.create_timer(TIMEOUT_CHECK_S, self._on_timer, clock=steady)

    def leave_standing(self) -> None:
        """Send a last zero and wait until it is heard, LAST_WORD_S at most."""
        self._cmd_vel.publish(Twist())
        self._cmd_vel.wait_for_all_acked(Duration(seconds=LAST_WORD_S))

    def _on_twist(self, message: Twist) -> None:
        asked = Twist2D(message.linear.x, message.angular.z)
        twist = asked if asked.is_finite() else ZERO_TWIST
        self._timeout.on_command(twist, steady_now_s())
        self._cmd_vel.publish(twist_message(twist))

    def _on_timer(self) -> None:
        if self._timeout.due_zero(steady_now_s()):
            self._cmd_vel.publish(Twist())
