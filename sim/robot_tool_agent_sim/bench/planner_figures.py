"""
The planner's share in time: from a model's reply to the goal sent, seen from outside.

This process plays the executor and gives the tasks; the model is a script that replies as soon as it is asked.
A sample is the time from the feedback `thinking`, published in the same turn in which the model is asked, to the
arrival of the goal. Both are one message on their way, so what remains is the planner's own time.
"""

from __future__ import annotations

import json
from pathlib import Path
import time
from typing import Any

from rclpy.action import ActionClient, ActionServer, GoalResponse
from rclpy.action.server import ServerGoalHandle
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.skills.registry import SkillRegistry
from robot_tool_agent.nodes.qos import COMMAND, LATCHED
from robot_tool_agent_interfaces.action import ExecuteSkill, RunTask
from robot_tool_agent_interfaces.msg import Heartbeat, SafetyState
from robot_tool_agent_interfaces.srv import DescribeSkills
from robot_tool_agent_sim.harness.goals import Goal
from robot_tool_agent_sim.harness.recording import Recording
from robot_tool_agent_sim.harness.ros_loop import RosLoop

ASKED = 'thinking'
TASK_TIMEOUT_S = 20.0
BEAT_PERIOD_S = 0.1
RESULT_TIMEOUT_S = 900


def write_script(path: Path, tasks: int) -> None:
    """Write the lines of a model that makes one call that reads and then answers, for so many tasks."""
    lines = [{'calls': [{'name': 'get_robot_state'}]}, {'text': 'ANSWER: read'}]
    path.write_text(json.dumps(lines * tasks), encoding='utf-8')


class Instructor:
    """Gives the planner tasks, one after another, and takes its goals."""

    def __init__(self, domain_id: int, robot: RobotDescription) -> None:
        self._loop = RosLoop('executor', domain_id, '')
        self._skills = SkillRegistry(robot).describe()
        self._recording = Recording()
        self._asked_s: list[float] = []
        self._arrived_s: list[float] = []
        self._beats = 0
        node = self._loop.node
        self._client = ActionClient(node, RunTask, 'run_task')
        self._safety = node.create_publisher(SafetyState, 'safety_state', LATCHED)
        self._pulse = node.create_publisher(Heartbeat, 'heartbeat', COMMAND)
        node.create_service(DescribeSkills, 'describe_skills', self._describe)
        node.create_timer(BEAT_PERIOD_S, self._beat)
        self._server = ActionServer(
            node,
            ExecuteSkill,
            'execute_skill',
            self._execute,
            goal_callback=self._take,
            result_timeout=RESULT_TIMEOUT_S,
        )
        self._loop.start()

    def close(self) -> None:
        """Leave the ROS graph."""
        self._loop.close()

    def reply_to_goal_s(self, number: int) -> float | None:
        """
        Run one task and return its sample in seconds, None if its feedback was lost.

        Raise ValueError if the task does not succeed, TimeoutError if it does not end.
        """
        self._asked_s.clear()
        self._arrived_s.clear()
        goal = _Stamped(self._loop, self._recording, f'task {number}', 'planner')
        goal.asked_s = self._asked_s
        goal.send(self._client, RunTask.Goal(task_id=f'bench-{number}', instruction='read the state'))
        result = goal.result(TASK_TIMEOUT_S).result
        if result.status != RunTask.Result.SUCCEEDED:
            raise ValueError(f'task {number}: {result.error_code} {result.summary}')
        asked = [stamp_s for stamp_s in self._asked_s if stamp_s < self._arrived_s[0]]
        return self._arrived_s[0] - asked[-1] if asked else None

    def _take(self, request: Any) -> GoalResponse:
        self._arrived_s.append(time.monotonic())
        return GoalResponse.ACCEPT

    async def _execute(self, goal: ServerGoalHandle) -> ExecuteSkill.Result:
        goal.succeed()
        return ExecuteSkill.Result(outcome=ExecuteSkill.Result.SUCCEEDED, result_json='{}', evidence_json='{}')

    def _describe(self, request: DescribeSkills.Request, response: DescribeSkills.Response) -> DescribeSkills.Response:
        response.skills_json, response.schema_hash = self._skills
        return response

    def _beat(self) -> None:
        self._beats += 1
        self._pulse.publish(Heartbeat(node='executor', boot_id=1, sequence=self._beats))
        self._safety.publish(SafetyState(boot_id=1, state=SafetyState.READY, epoch=1, motion_allowed=True))


class _Stamped(Goal):
    """A task that notes when the planner said that it asks its model."""

    asked_s: list[float]

    def _on_feedback(self, message: Any) -> None:
        if message.feedback.kind == ASKED:
            self.asked_s.append(time.monotonic())
        super()._on_feedback(message)
