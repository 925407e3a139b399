"""Nav2's action NavigateToPose as the navigator of skills. nav2_msgs is imported here only."""

import math
from typing import Any

from action_msgs.msg import GoalStatus
from geometry_msgs.msg import PoseStamped, Twist, TwistStamped
from rclpy.action import ActionClient
from rclpy.action.client import ClientGoalHandle
from rclpy.node import Node
from rclpy.task import Future
from robot_tool_agent.config_files import ConfigError
from robot_tool_agent.core.geometry import Pose2D, Twist2D, ZERO_TWIST
from robot_tool_agent.core.navigation.remote import RemoteReport, RemoteState
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.nodes.clock import steady_now_s
from robot_tool_agent.nodes.conversions import quaternion_of
from robot_tool_agent.nodes.qos import COMMAND
from robot_tool_agent.nodes.told_text import told_text

# A server that is out of the graph for so long is gone; discovery alone has shorter gaps.
GONE_S = 1.0
FARTHEST_M = 1e6
_ENDS = {
    GoalStatus.STATUS_SUCCEEDED: RemoteState.SUCCEEDED,
    GoalStatus.STATUS_CANCELED: RemoteState.CANCELED,
    GoalStatus.STATUS_ABORTED: RemoteState.ABORTED,
}


class Nav2Navigator:
    """Calls: action `navigate_to_pose`. Subscribes: `cmd_vel_nav` (names by the robot description)."""

    def __init__(self, node: Node, robot: RobotDescription) -> None:
        try:
            from nav2_msgs.action import NavigateToPose
        except ImportError:
            raise ConfigError('navigation.backend = nav2: nav2_msgs is not installed') from None
        settings = robot.navigation
        self._node = node
        self._frame = robot.frames.map
        self._goal_type = NavigateToPose.Goal
        self.client = ActionClient(node, NavigateToPose, settings.action)
        self._action = settings.action
        self.twist, self.twist_s = ZERO_TWIST, -math.inf
        kind = TwistStamped if settings.stamped else Twist
        node.create_subscription(kind, settings.cmd_vel, self._on_twist, COMMAND)

    def problem(self) -> str:
        """Return why no goal can be taken now, an empty text if one can."""
        return '' if self.client.server_is_ready() else f'nobody serves {self._action}'

    def start(self, goal: Pose2D, now_s: float) -> 'Nav2Goal':
        """Send a goal, a pose of the map."""
        pose = PoseStamped()
        pose.header.frame_id = self._frame
        pose.header.stamp = self._node.get_clock().now().to_msg()
        pose.pose.position.x, pose.pose.position.y = goal.x_m, goal.y_m
        pose.pose.orientation = quaternion_of(goal.yaw_rad)
        return Nav2Goal(self, self._goal_type(pose=pose), now_s)

    def _on_twist(self, message: Any) -> None:
        twist = message if isinstance(message, Twist) else message.twist
        self.twist, self.twist_s = Twist2D(twist.linear.x, twist.angular.z), steady_now_s()


class Nav2Goal:
    """One goal. A cancel before the answer is kept until the answer comes."""

    def __init__(self, navigator: Nav2Navigator, goal: Any, now_s: float) -> None:
        self._navigator = navigator
        self._began_s = now_s
        self._state = RemoteState.WAITING
        self._detail = ''
        self._left_m: float | None = None
        self._handle: ClientGoalHandle | None = None
        self._canceled = False
        self._seen_s = now_s
        sent = navigator.client.send_goal_async(goal, feedback_callback=self._on_feedback)
        sent.add_done_callback(self._on_answer)

    def report(self, now_s: float) -> RemoteReport:
        """Return what is known of the goal. A velocity from before it is none of it."""
        if self._navigator.client.server_is_ready():
            self._seen_s = now_s
        elif now_s - self._seen_s > GONE_S and self._state is RemoteState.ACTIVE:
            return RemoteReport(RemoteState.LOST, detail=f'nobody serves the action for {GONE_S:g} s')
        twist_s = self._navigator.twist_s if self._navigator.twist_s >= self._began_s else -math.inf
        return RemoteReport(self._state, self._navigator.twist, twist_s, self._left_m, self._detail)

    def cancel(self) -> None:
        """End the goal if it may still run; nobody waits for the answer, the gate is shut already."""
        self._canceled = True
        if self._handle is not None and self._state is RemoteState.ACTIVE:
            self._handle.cancel_goal_async()

    def _on_answer(self, future: Future) -> None:
        handle = future.result()
        if handle is None or not handle.accepted:
            self._state = RemoteState.REJECTED
            return
        self._handle, self._state = handle, RemoteState.ACTIVE
        if self._canceled:
            handle.cancel_goal_async()
        handle.get_result_async().add_done_callback(self._on_end)

    def _on_end(self, future: Future) -> None:
        answer = future.result()
        self._state = _ENDS.get(answer.status, RemoteState.ABORTED)
        # Named so since Iron; Humble's result is empty.
        code, text = getattr(answer.result, 'error_code', 0), getattr(answer.result, 'error_msg', '')
        self._detail = f'{told_text(text, 200)} (error_code {code})'.strip() if code or text else ''

    def _on_feedback(self, message: Any) -> None:
        left_m = float(message.feedback.distance_remaining)
        # What is no distance says nothing: the way left is then measured.
        self._left_m = left_m if 0.0 <= left_m < FARTHEST_M else None
