"""A bare node to compare with: an action server with the executor's interface that answers at once."""

import sys

from rclpy.action import ActionServer
from rclpy.action.server import ServerGoalHandle
from rclpy.node import Node
from robot_tool_agent.nodes.runtime import run_node
from robot_tool_agent_interfaces.action import ExecuteSkill

ACTION = 'bare_skill'
RESULT_TIMEOUT_S = 900


class BareServer(Node):
    """One action server."""

    def __init__(self) -> None:
        super().__init__('bare_server')
        self._server = ActionServer(self, ExecuteSkill, ACTION, self._execute, result_timeout=RESULT_TIMEOUT_S)

    async def _execute(self, goal: ServerGoalHandle) -> ExecuteSkill.Result:
        goal.succeed()
        return ExecuteSkill.Result(outcome=ExecuteSkill.Result.SUCCEEDED, result_json='{}', evidence_json='{}')


if __name__ == '__main__':
    sys.exit(run_node(BareServer))
