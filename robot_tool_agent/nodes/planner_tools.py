"""Fetches the description of the skills; a request that stays without an answer is sent again."""

from collections.abc import Callable

from rclpy.node import Node
from rclpy.task import Future
from robot_tool_agent.nodes.clock import steady_now_s
from robot_tool_agent.nodes.planner_watch import NodeWatch
from robot_tool_agent_interfaces.srv import DescribeSkills

ANSWER_TIMEOUT_S = 1.0


class SkillDescriptions:
    """Client of `describe_skills`. `on_tools` gets skills_json and schema_hash."""

    def __init__(self, node: Node, watch: NodeWatch, on_tools: Callable[[str, str], None]) -> None:
        self._client = node.create_client(DescribeSkills, 'describe_skills')
        self._watch = watch
        self._on_tools = on_tools
        self._future: Future | None = None
        self._asked_s = 0.0
        self._until_s = 0.0

    def fetch(self, timeout_s: float) -> None:
        """Ask now, or as soon as the executor is there, for at most `timeout_s` seconds."""
        self._until_s = steady_now_s() + timeout_s
        self.check()

    def check(self) -> None:
        """Ask (again) if that is due. Called at the node's rate."""
        now_s = steady_now_s()
        if self._future is not None and now_s - self._asked_s > ANSWER_TIMEOUT_S:
            self._client.remove_pending_request(self._future)
            self._future = None
        if self._future is not None or now_s >= self._until_s:
            return
        if self._watch.executor_usable(now_s) and self._client.service_is_ready():
            self._asked_s = now_s
            self._future = self._client.call_async(DescribeSkills.Request())
            self._future.add_done_callback(self._on_answer)

    def _on_answer(self, future: Future) -> None:
        if future is self._future:
            self._future, self._until_s = None, 0.0
            answer = future.result()
            self._on_tools(answer.skills_json, answer.schema_hash)
