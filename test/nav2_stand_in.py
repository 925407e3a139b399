"""
A navigation stack of one node with Nav2's action: steers straight to the goal, lies or gives up.

Parameter `mode`: honest, lies (says it arrived after 0.3 m), aborts (after 0.3 m), refuses.
"""

from __future__ import annotations

import math
import sys

from geometry_msgs.msg import PoseWithCovarianceStamped, Twist
from nav2_msgs.action import NavigateToPose
import rclpy
from rclpy.action import ActionServer, CancelResponse, GoalResponse
from rclpy.action.server import ServerGoalHandle
from rclpy.node import Node
from rclpy.task import Future
from robot_tool_agent.core.geometry import Pose2D, wrap_angle
from robot_tool_agent.nodes.conversions import global_pose_sample, yaw_of
from robot_tool_agent.nodes.qos import COMMAND, SENSOR
from robot_tool_agent.nodes.runtime import run_node

NEAR_M, NEAR_RAD, EARLY_M = 0.03, 0.04, 0.3


class StandIn(Node):
    """Publishes `cmd_vel` (remapped to cmd_vel_nav) while it has a goal."""

    def __init__(self) -> None:
        super().__init__('bt_navigator')
        self._mode = self.declare_parameter('mode', 'honest').value
        self._pose: Pose2D | None = None
        self._from: Pose2D | None = None
        self._goal: ServerGoalHandle | None = None
        self._ended: Future | None = None
        self._twist = self.create_publisher(Twist, 'cmd_vel', COMMAND)
        self.create_subscription(PoseWithCovarianceStamped, 'global_pose', self._on_pose, SENSOR)
        self.create_timer(0.05, self._tick)
        answer = GoalResponse.REJECT if self._mode == 'refuses' else GoalResponse.ACCEPT
        self._server = ActionServer(
            self,
            NavigateToPose,
            'navigate_to_pose',
            self._execute,
            goal_callback=lambda goal: answer,
            cancel_callback=lambda goal: CancelResponse.ACCEPT,
        )

    def _on_pose(self, message: PoseWithCovarianceStamped) -> None:
        self._pose = global_pose_sample(message, 0.0).pose

    async def _execute(self, goal: ServerGoalHandle) -> NavigateToPose.Result:
        self._goal, self._from, self._ended = goal, self._pose, Future()
        end: str = await self._ended
        self.get_logger().info(f'goal {end}')
        getattr(goal, end)()
        self._goal = None
        return NavigateToPose.Result(error_msg='the way is blocked' if end == 'abort' else '')

    def _tick(self) -> None:
        if self._goal is None or self._pose is None or self._ended is None or self._ended.done():
            return
        self._from = self._from or self._pose
        wanted = self._goal.request.pose.pose
        goal = Pose2D(wanted.position.x, wanted.position.y, yaw_of(wanted.orientation))
        twist, end = self._steer(self._pose, goal)
        self._twist.publish(twist)
        left_m = self._pose.distance_to(goal)
        self._goal.publish_feedback(NavigateToPose.Feedback(distance_remaining=left_m))
        if self._goal.is_cancel_requested:
            end = 'canceled'
        if end:
            self._ended.set_result(end)

    def _steer(self, pose: Pose2D, goal: Pose2D) -> tuple[Twist, str]:
        twist, left_m = Twist(), pose.distance_to(goal)
        came_m = pose.distance_to(self._from or pose)
        if came_m >= EARLY_M and self._mode in ('lies', 'aborts'):
            return twist, 'succeed' if self._mode == 'lies' else 'abort'
        bearing = math.atan2(goal.y_m - pose.y_m, goal.x_m - pose.x_m) if left_m > NEAR_M else goal.yaw_rad
        turn = wrap_angle(bearing - pose.yaw_rad)
        if left_m <= NEAR_M and abs(turn) <= NEAR_RAD:
            return twist, 'succeed'
        twist.angular.z = max(-1.0, min(1.0, 1.5 * turn))
        twist.linear.x = min(0.4, 0.8 * left_m + 0.03) if left_m > NEAR_M and abs(turn) < 0.4 else 0.0
        return twist, ''


if __name__ == '__main__':
    rclpy.logging.set_logger_level('bt_navigator', rclpy.logging.LoggingSeverity.INFO)
    sys.exit(run_node(StandIn))
