"""The planner as a process of its own, and in the test process the executor it talks to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
import json
import os
from pathlib import Path
import subprocess
import sys
import tempfile
import time
from typing import Any

from children import end
from planning_rig import SCHEMA_HASH, SKILLS_JSON
import rclpy
from rclpy.action import ActionClient, ActionServer, CancelResponse
from rclpy.executors import SingleThreadedExecutor
from rclpy.qos import DurabilityPolicy, QoSProfile
from rclpy.task import Future
from robot_tool_agent_interfaces.action import ExecuteSkill, RunTask
from robot_tool_agent_interfaces.msg import Heartbeat, SafetyState
from robot_tool_agent_interfaces.srv import DescribeSkills

OWN_PATHS = ('memory_path', 'failures_path')
PROGRAM = ('-m', 'robot_tool_agent.nodes.planner_node')
LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
SUCCEEDED = {'outcome': 1, 'effect': 2, 'message': 'done'}
LOCKED = {'outcome': 2, 'effect': 0, 'error_code': 'SAFETY_LOCKED', 'advice': 'WAIT', 'message': 'not now'}
CANCELED = {'outcome': 4, 'effect': 1, 'error_code': 'CANCELED', 'advice': 'STOP', 'message': 'stopped half way'}


@contextmanager
def planner(
    domain: int, *parameters: str, namespace: str = '', program: Sequence[str] = PROGRAM
) -> Iterator[subprocess.Popen[str]]:
    """Run the planner node; it is ended by its pid, whatever happens. Its memory is its own unless a path is given."""
    with tempfile.TemporaryDirectory() as folder:
        own = tuple(f'{name}:={folder}/{name}' for name in OWN_PATHS if not any(name in item for item in parameters))
        with _running(domain, (*parameters, *own), namespace, program) as process:
            yield process


@contextmanager
def _running(
    domain: int, parameters: Sequence[str], namespace: str, program: Sequence[str]
) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, *program, '--ros-args']
    given = [item for parameter in parameters for item in ('-p', parameter)]
    given += ['-r', f'__ns:={namespace}'] if namespace else []
    environment = {**os.environ, 'ROS_DOMAIN_ID': str(domain), 'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST'}
    process = subprocess.Popen(
        [*command, *given], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        yield process
    finally:
        end(process)


def script(folder: Path, *lines: dict[str, Any]) -> str:
    """Write a script for the provider `scripted` and return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / 'script.json'
    path.write_text(json.dumps(list(lines)))
    return str(path)


class House:
    """Executor, safety and operator of the planner under test, on one domain. `answers` are given out in order."""

    def __init__(self, domain: int) -> None:
        self.domain = domain
        self.context = rclpy.Context()
        rclpy.init(context=self.context, domain_id=domain)
        self.node = rclpy.create_node('house', context=self.context)
        self.executor = SingleThreadedExecutor(context=self.context)
        self.executor.add_node(self.node)
        self.goals: list[Any] = []
        self.canceled: list[str] = []
        self.answers: list[dict[str, Any] | None] = []
        self.pending: dict[str, Future] = {}
        self.beats: list[Heartbeat] = []
        self.feedback: list[RunTask.Feedback] = []
        self.boot, self.sequence, self.beating, self.mode = 1, 0, True, SafetyState.READY
        self._safety = self.node.create_publisher(SafetyState, 'safety_state', LATCHED)
        self._beat = self.node.create_publisher(Heartbeat, 'heartbeat', 10)
        self.node.create_subscription(Heartbeat, 'heartbeat', self._on_beat, 10)
        self.node.create_timer(0.1, self._tick)
        self.client = ActionClient(self.node, RunTask, 'run_task')
        self.services: list[Any] = []

    def describe(self) -> None:
        """Bring up the service only."""
        self.services.append(self.node.create_service(DescribeSkills, 'describe_skills', self._describe))

    def serve(self) -> None:
        """Bring the executor's interfaces up."""
        self.describe()
        self.services += [
            ActionServer(
                self.node, ExecuteSkill, 'execute_skill', self._execute, cancel_callback=self._cancel, result_timeout=60
            ),
        ]

    def close(self) -> None:
        self.executor.shutdown()
        self.node.destroy_node()
        rclpy.shutdown(context=self.context)

    def until(self, reached: Callable[[], Any], limit_s: float = 20.0) -> None:
        deadline_s = time.monotonic() + limit_s
        while not reached():
            assert time.monotonic() < deadline_s, f'not reached in {limit_s} s; goals {[g.call_id for g in self.goals]}'
            self.executor.spin_once(timeout_sec=0.02)

    def listen(self, duration_s: float) -> None:
        deadline_s = time.monotonic() + duration_s
        self.until(lambda: time.monotonic() >= deadline_s, duration_s + 5.0)

    def ask(self, task_id: str, instruction: str, tries: int = 3) -> Any:
        """Send a task and return its goal handle, accepted. An answer lost on a busy machine is asked for again."""
        self.until(self.client.server_is_ready)
        goal = RunTask.Goal(task_id=task_id, instruction=instruction)
        future = self.client.send_goal_async(goal, feedback_callback=self._on_feedback)
        give_up_s = time.monotonic() + 8.0
        self.until(lambda: future.done() or time.monotonic() > give_up_s)
        if not future.done() and tries > 1:
            return self.ask(task_id, instruction, tries - 1)
        assert future.result().accepted
        return future.result()

    def end(self, handle: Any, limit_s: float = 30.0) -> tuple[int, RunTask.Result]:
        """Return the action's status and result."""
        future = handle.get_result_async()
        self.until(future.done, limit_s)
        return future.result().status, future.result().result

    def run(self, task_id: str, instruction: str) -> tuple[int, RunTask.Result]:
        return self.end(self.ask(task_id, instruction))

    def finish(self, call_id: str, answer: dict[str, Any]) -> None:
        self.pending.pop(call_id).set_result(answer)

    def sent(self) -> list[tuple[str, str, str]]:
        return [(goal.call_id, goal.skill, goal.arguments_json) for goal in self.goals]

    def _describe(self, request: Any, response: Any) -> Any:
        response.skills_json, response.schema_hash = SKILLS_JSON, SCHEMA_HASH
        return response

    async def _execute(self, goal: Any) -> ExecuteSkill.Result:
        self.goals.append(goal.request)
        answer = self.answers.pop(0) if self.answers else SUCCEEDED
        if answer is None:
            self.pending[goal.request.call_id] = Future()
            goal.publish_feedback(ExecuteSkill.Feedback(phase='running', progress=0.5, detail='on the way'))
            answer = await self.pending[goal.request.call_id]
        canceled = answer['outcome'] == 4 and goal.is_cancel_requested
        (goal.succeed if answer['outcome'] == 1 else goal.canceled if canceled else goal.abort)()
        return ExecuteSkill.Result(**answer)

    def _cancel(self, goal: Any) -> CancelResponse:
        self.canceled.append(goal.request.call_id)
        return CancelResponse.ACCEPT

    def _on_feedback(self, message: Any) -> None:
        self.feedback.append(message.feedback)

    def _on_beat(self, message: Heartbeat) -> None:
        if message.node == 'planner':
            self.beats.append(message)

    def _tick(self) -> None:
        self._safety.publish(
            SafetyState(boot_id=1, state=self.mode, epoch=1, motion_allowed=self.mode == SafetyState.READY)
        )
        if self.beating:
            self.sequence += 1
            self._beat.publish(Heartbeat(node='executor', boot_id=self.boot, sequence=self.sequence))
