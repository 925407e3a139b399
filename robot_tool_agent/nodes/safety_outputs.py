"""What the safety node publishes: velocity, joint orders, state."""

from geometry_msgs.msg import Twist, TwistStamped
from rclpy.duration import Duration
from rclpy.node import Node
from robot_tool_agent.core.geometry import Twist2D
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.safety.faults import FaultCode, FAULTS
from robot_tool_agent.core.safety.supervisor import Output
from robot_tool_agent.core.safety_state import SafetyMode, SafetyView
from robot_tool_agent.nodes.clock import steady_now_s, time_message
from robot_tool_agent.nodes.conversions import safety_message, trajectory_message
from robot_tool_agent.nodes.qos import COMMAND, LATCHED
from robot_tool_agent_interfaces.msg import SafetyState
from trajectory_msgs.msg import JointTrajectory

STATE_PERIOD_S = 0.1


class SafetyOutputs:
    """Publishes every output; the state on change and at 10 Hz."""

    def __init__(self, node: Node, robot: RobotDescription, stamped: bool) -> None:
        self._node = node
        self._frame = robot.frames.base
        self._stamped = TwistStamped() if stamped else None
        self._velocity = Twist() if self._stamped is None else self._stamped.twist
        topics = robot.topics
        self.actuator_topics = (topics.resolved('cmd_vel'), topics.resolved('joint_trajectory'))
        self._twist = node.create_publisher(TwistStamped if stamped else Twist, topics.resolved('cmd_vel'), COMMAND)
        self._joints = (
            None
            if topics.joint_trajectory is None
            else node.create_publisher(JointTrajectory, topics.resolved('joint_trajectory'), COMMAND)
        )
        self._state = node.create_publisher(SafetyState, 'safety_state', LATCHED)
        self._told: SafetyView | None = None
        self._told_s = -STATE_PERIOD_S

    def publish(self, output: Output) -> None:
        """Publish one output; the velocity first."""
        self.publish_velocity(output.twist)
        if output.joints is not None and self._joints is not None:
            self._joints.publish(trajectory_message(output.joints))
        self._publish_state(output.view)

    def wait_heard(self, timeout_s: float) -> None:
        """Block until all subscribers have the last velocity and state, each for timeout_s at most: only at the end."""
        for publisher in (self._twist, self._state):
            publisher.wait_for_all_acked(Duration(seconds=timeout_s))

    def publish_velocity(self, twist: Twist2D) -> None:
        """
        Publish a velocity and nothing else: a stop does not wait for what else there is to say.

        There is one message that is kept for it: it is serialized before the call returns.
        """
        self._velocity.linear.x, self._velocity.angular.z = float(twist.v_mps), float(twist.w_radps)
        if self._stamped is None:
            self._twist.publish(self._velocity)
            return
        self._stamped.header.stamp = time_message(self._stamp_s())
        self._stamped.header.frame_id = self._frame
        self._twist.publish(self._stamped)

    def _publish_state(self, view: SafetyView) -> None:
        now_s = steady_now_s()
        if not _changed(self._told, view) and now_s - self._told_s < STATE_PERIOD_S:
            return
        self._state.publish(safety_message(view, self._stamp_s()))
        if self._told is None or self._told.mode is not view.mode:
            self._log(view)
        self._told, self._told_s = view, now_s

    def _log(self, view: SafetyView) -> None:
        cause = f' {view.fault}: {view.detail}. {FAULTS[FaultCode(view.fault)].sentence}' if view.fault else ''
        text = f'{view.mode.name}{cause}'
        logger = self._node.get_logger()
        if view.mode in (SafetyMode.STARTING, SafetyMode.READY):
            logger.info(text)
        elif view.fault and FAULTS[FaultCode(view.fault)].alarm:
            logger.error(text)
        else:
            logger.warning(text)

    def _stamp_s(self) -> float:
        return float(self._node.get_clock().now().nanoseconds) * 1e-9


def _changed(old: SafetyView | None, new: SafetyView) -> bool:
    """Tell whether there is news; why the speed is limited just now can wait for the next turn."""
    return old is None or (old.mode, old.epoch, old.fault, old.detail, old.resettable) != (
        new.mode,
        new.epoch,
        new.fault,
        new.detail,
        new.resettable,
    )
