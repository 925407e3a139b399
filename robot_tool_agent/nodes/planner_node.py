"""
The planner node: instructions become checked skill calls.

Action: `run_task` (RunTask). One task runs at a time; a task_id sent again attaches to it or gets its stored end.
Calls: action `execute_skill`, service `describe_skills`.
Subscribes: `safety_state` (transient local), `heartbeat`.
Publishes: `heartbeat` (10 Hz), `/diagnostics` (1 Hz). It has no other way to the robot.
Parameters: those of PlannerParameters; see config/planner.yaml.
"""

from collections.abc import Sequence
import os
from pathlib import Path
import random
import sys

from rclpy.action import ActionServer, CancelResponse, GoalResponse
from rclpy.action.server import ServerGoalHandle
from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from rclpy.task import Future
from robot_tool_agent.core.journal import JournalError
from robot_tool_agent.core.outcomes import ErrorCode
from robot_tool_agent.core.planning.actions import Action, AskModel, CancelCall, FetchTools, Finish, Report, SendCall
from robot_tool_agent.core.planning.calls import SkillResult
from robot_tool_agent.core.planning.conversation import ModelReply
from robot_tool_agent.core.planning.counters import PlannerCounters
from robot_tool_agent.core.planning.desk import admit, TaskRequest
from robot_tool_agent.core.planning.endings import failed
from robot_tool_agent.core.planning.loop import TaskLoop
from robot_tool_agent.core.planning.memory.journal_file import TaskJournal
from robot_tool_agent.core.planning.memory.replay import take_up
from robot_tool_agent.core.planning.memory.writes import Collector, End
from robot_tool_agent.core.planning.model_chain import ModelChain
from robot_tool_agent.core.planning.record import TaskEnd, TaskRecord
from robot_tool_agent.core.planning.redaction import Redactor
from robot_tool_agent.journal_path import default_memory_path
from robot_tool_agent.nodes.clock import new_boot_id, steady_now_s, wall_now_s
from robot_tool_agent.nodes.heartbeat import HeartbeatPublisher
from robot_tool_agent.nodes.planner_calls import SkillCalls
from robot_tool_agent.nodes.planner_ends import end_goal
from robot_tool_agent.nodes.planner_health import PlannerHealth
from robot_tool_agent.nodes.planner_memory import MemoryWorker, open_memory
from robot_tool_agent.nodes.planner_model import ModelWorker
from robot_tool_agent.nodes.planner_outbox import Outbox
from robot_tool_agent.nodes.planner_setup import read_parameters
from robot_tool_agent.nodes.planner_tools import SkillDescriptions
from robot_tool_agent.nodes.planner_watch import NodeWatch
from robot_tool_agent.nodes.runtime import run_node
from robot_tool_agent_interfaces.action import RunTask

# Reports that the log keeps beside those who asked.
LOGGED = ('repaired', 'correction')
# How long results may take to leave before the process ends.
LINGER_S = 0.3
# How long the end of a call is waited for after a signal. An executor that is gone never tells it, and the lease ends
# the call when this node falls silent.
SHUTDOWN_S = 3.0


class PlannerNode(Node):
    """Carries events to the task's loop and its actions to the executor, the model and those who asked."""

    def __init__(self) -> None:
        super().__init__('planner')
        self._settings, providers = read_parameters(self)
        self._chain = ModelChain(tuple(providers), self._settings, random.random)
        self._redact = Redactor(os.environ)
        self._counters = PlannerCounters()
        self._store = Collector()
        self._running: TaskRecord | None = None
        self._loop: TaskLoop | None = None
        self._goals: list[ServerGoalHandle] = []
        self._waiters: list[Future] = []
        self._answers_due = 0
        self._answered_s = -LINGER_S
        self._ends_s = float('inf')
        wake = self.create_guard_condition(self._on_model)
        self._model = ModelWorker(providers, wake.trigger)
        stored = self.create_guard_condition(self._on_memory)
        journal = self._open_memory()
        self._memory = MemoryWorker(journal, self._settings.memory_timeout_s, stored.trigger)
        self._health = PlannerHealth(self, self._settings, self._counters, self._redact, self._memory.run)
        self._health.trouble = journal if isinstance(journal, str) else ''
        self._outbox = Outbox(self._memory.write, self, self._settings.memory_timeout_s)
        self._watch = NodeWatch(self, self._settings.executor_lost_s, self._settings.safety_timeout_s)
        self._calls = SkillCalls(self, self._watch, self)
        self._descriptions = SkillDescriptions(self, self._watch, self._on_tools)
        self._server = ActionServer(
            self,
            RunTask,
            'run_task',
            self._execute,
            goal_callback=lambda goal: GoalResponse.ACCEPT,
            cancel_callback=self._on_cancel,
            result_timeout=round(self._settings.result_timeout_s),
        )
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._timer = self.create_timer(1.0 / self._settings.tick_hz, self._tick, clock=steady)
        self._heartbeat = HeartbeatPublisher(self)

    def on_shutdown(self) -> bool:
        """Cancel the running task; True once no call of it runs and those who asked were told, or after SHUTDOWN_S."""
        now_s = steady_now_s()
        self._ends_s = min(self._ends_s, now_s + SHUTDOWN_S)
        if self._loop is not None:
            self._loop.cancel(now_s)
            self._pump()
        if self._answers_due:
            self._answered_s = now_s
        told = self._loop is None and now_s - self._answered_s >= LINGER_S
        return told or now_s >= self._ends_s

    def destroy_node(self) -> None:
        """Finish the memory's work, then end."""
        self._memory.close()
        super().destroy_node()

    def _open_memory(self) -> TaskJournal | str:
        path = Path(self._settings.memory_path or default_memory_path(self.get_namespace()))
        return open_memory(self, path, self._redact, self._settings.memory_tasks)

    # The action

    async def _execute(self, goal: ServerGoalHandle) -> RunTask.Result:
        task_id, instruction = goal.request.task_id or f'task-{new_boot_id()}', goal.request.instruction
        try:
            known: TaskRecord | None = await self._memory.find(task_id)
        except JournalError as error:
            text = f'the memory of tasks cannot be read: {error}'
            return end_goal(goal, failed(text, ErrorCode.JOURNAL_UNAVAILABLE))
        request = TaskRequest(task_id, self._redact(instruction), wall_now_s())
        admission = admit(request, self._running, known, self._settings.resume_within_s)
        if admission.end is not None:
            if admission.keep:
                self._memory.write([End(task_id, admission.end)])
            return end_goal(goal, admission.end)
        ended: Future = Future()
        self._goals.append(goal)
        self._waiters.append(ended)
        if admission.resume and known is not None:
            self._resume(known)
        elif not admission.attach:
            self._running = TaskRecord(task_id, request.instruction)
            self._start(task_id, instruction)
        if goal.is_cancel_requested:  # asked for between acceptance and this line
            self._cancel_task()
        self._answers_due += 1
        end: TaskEnd = await ended
        self._answers_due -= 1
        return end_goal(goal, end)

    def _start(self, task_id: str, instruction: str) -> None:
        self.get_logger().info(f'task {task_id} begins')
        self._loop = self._new_loop(task_id, instruction)
        self._loop.begin(steady_now_s())
        self._pump()

    def _new_loop(self, task_id: str, instruction: str) -> TaskLoop:
        return TaskLoop(task_id, instruction, self._settings, self._store, self._counters, self._chain)

    def _resume(self, known: TaskRecord) -> None:
        """Take up a task that the end of an earlier process broke off."""
        self.get_logger().info(f'task {known.task_id} is taken up again')
        self._running = known
        self._loop = self._new_loop(known.task_id, known.instruction)
        writes, actions = take_up(self._loop, known, self._store, steady_now_s())
        self._health.resume()
        self._health.observe(known.task_id, writes, actions)
        self._outbox.push(writes, actions)

    def _on_cancel(self, goal: ServerGoalHandle) -> CancelResponse:
        if any(item is goal for item in self._goals):
            self._cancel_task()
        return CancelResponse.ACCEPT

    def _cancel_task(self) -> None:
        if self._loop is not None:
            self._loop.cancel(steady_now_s())
            self._pump()

    # Events

    def on_call_ended(self, call_id: str, result: SkillResult) -> None:
        """Pass the end of a call to the task."""
        if self._loop is not None:
            self._loop.call_ended(call_id, result, steady_now_s())
            self._pump()

    def on_call_lost(self, call_id: str, reason: str, sent: bool) -> None:
        """Tell the task that a call's end will not be seen."""
        if self._loop is not None:
            self._loop.call_lost(call_id, reason, sent, steady_now_s())
            self._pump()

    def on_call_progress(self, call_id: str, text: str, progress: float) -> None:
        """Pass on how far a call is."""
        if self._loop is not None:
            self._loop.call_progress(call_id, text, progress)
            self._pump()

    def _on_tools(self, skills_json: str, schema_hash: str) -> None:
        if self._loop is not None:
            self._loop.tools_arrived(skills_json, schema_hash, steady_now_s())
            self._pump()

    def _on_model(self) -> None:
        for task_id, request_id, answer in self._model.take():
            if self._loop is None or self._loop.task_id != task_id:
                continue
            take = self._loop.reply_arrived if isinstance(answer, ModelReply) else self._loop.model_failed
            take(request_id, answer, steady_now_s())
            self._pump()

    def _on_memory(self) -> None:
        self._memory.settle()
        self._outbox.check()

    def on_unsent(self, call_id: str, reason: str) -> None:
        """Tell the task that a call will not be sent."""
        self.on_call_lost(call_id, reason, False)

    def on_stored(self) -> None:
        """Take note that the memory works."""
        self._health.trouble = ''

    def on_not_stored(self, reason: str) -> None:
        """Tell the task that the memory failed."""
        self.get_logger().error(f'the memory of tasks cannot be written: {reason}')
        self._health.trouble = reason
        if self._loop is not None:
            self._loop.not_stored(reason, steady_now_s())
            self._pump()

    def _tick(self) -> None:
        self._on_memory()
        self._calls.check()
        if self._loop is None:
            return
        now_s = steady_now_s()
        self._descriptions.check()
        if self._loop is not None:
            self._loop.tick(self._watch.safety(now_s), now_s)
            self._pump()

    # Actions

    def _pump(self) -> None:
        loop = self._loop
        while loop is not None:
            writes, actions = self._store.take(), loop.take_actions()
            if not writes and not actions:
                return
            self._health.observe(loop.task_id, writes, actions)
            self._outbox.push(writes, actions)

    def do_action(self, action: Action) -> None:
        """Carry out what the task asked for; what led to it is stored."""
        task_id = '' if self._loop is None else self._loop.task_id
        if isinstance(action, FetchTools):
            self._descriptions.fetch(action.timeout_s)
        elif isinstance(action, AskModel):
            self._model.ask(task_id, action)
        elif isinstance(action, SendCall):
            self._calls.send(action.call, task_id, action.accept_timeout_s)
        elif isinstance(action, CancelCall):
            self._calls.cancel(action.call_id)
        elif isinstance(action, Report):
            self._tell(action)
        elif isinstance(action, Finish):
            self._finish(task_id, action.end)

    def _tell(self, report: Report) -> None:
        if report.kind in LOGGED:
            self.get_logger().info(f'step {report.step}, {report.kind}: {self._redact(report.text)}')
        feedback = RunTask.Feedback(step=report.step, kind=report.kind, text=report.text, progress=report.progress)
        for goal in self._goals:
            goal.publish_feedback(feedback)

    def _finish(self, task_id: str, end: TaskEnd) -> None:
        self.get_logger().info(f'task {task_id} ends {end.status.name}: {self._redact(end.summary)}')
        self._loop = self._running = None
        self._calls.forget_all()
        self._goals.clear()
        waiters, self._waiters = self._waiters, []
        for ended in waiters:
            ended.set_result(end)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the planner node; return the process's exit code."""
    return run_node(PlannerNode, argv)


if __name__ == '__main__':
    sys.exit(main())
