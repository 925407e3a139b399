"""Asks the executor to stop goals, each until it answered or a deadline passed."""

from dataclasses import dataclass

from action_msgs.msg import GoalInfo
from action_msgs.srv import CancelGoal
from rclpy.node import Node
from rclpy.task import Future
from robot_tool_agent.nodes.clock import steady_now_s

ANSWER_TIMEOUT_S = 1.0
GIVE_UP_S = 30.0


@dataclass(eq=False)
class _Asked:
    info: GoalInfo
    future: Future
    asked_s: float
    until_s: float


class GoalCancels:
    """
    Cancel requests under way. They outlive the task they belong to: a task's end must not leave its call running.

    The action's own cancel service is called with the id the planner gave the goal: rclpy's goal handle exists only
    once the acceptance arrived, and a goal whose acceptance got lost runs all the same.
    """

    def __init__(self, node: Node, action_name: str) -> None:
        self._client = node.create_client(CancelGoal, f'{action_name}/_action/cancel_goal')
        self._asked: list[_Asked] = []

    def ask(self, info: GoalInfo) -> None:
        """Ask for a goal to be stopped; again every ANSWER_TIMEOUT_S without an answer, for GIVE_UP_S at most."""
        now_s = steady_now_s()
        self._asked.append(_Asked(info, self._send(info), now_s, now_s + GIVE_UP_S))

    def check(self) -> None:
        """Ask again where that is due. Called at the node's rate."""
        now_s = steady_now_s()
        self._asked = [item for item in self._asked if not item.future.done()]
        for item in [item for item in self._asked if now_s - item.asked_s >= ANSWER_TIMEOUT_S]:
            self._client.remove_pending_request(item.future)
            if now_s >= item.until_s:
                self._asked.remove(item)
            else:
                item.future, item.asked_s = self._send(item.info), now_s

    def _send(self, info: GoalInfo) -> Future:
        return self._client.call_async(CancelGoal.Request(goal_info=info))
