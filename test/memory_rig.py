"""
A planner's loop with a memory that outlives it, before the real executive and its journal; either may be crashed.

The planner can die at every moment that a crash can tell apart: before or after each commit of its memory, and before
or after each action it carries out. The executive lives on, as a process of its own does, and then hears no heartbeat.
"""

from __future__ import annotations

from collections.abc import Callable
import json
import sqlite3
from typing import Any

from execution_bench import Bench
from robot_tool_agent.core.execution.call import CallRequest, CallResult
from robot_tool_agent.core.execution.ports import Turn
from robot_tool_agent.core.outcomes import Effect, Outcome
from robot_tool_agent.core.planning.actions import Action, AskModel, CancelCall, FetchTools, SendCall
from robot_tool_agent.core.planning.calls import SkillResult
from robot_tool_agent.core.planning.conversation import ModelReply, ModelRequest, Role
from robot_tool_agent.core.planning.limits import PlannerLimits
from robot_tool_agent.core.planning.loop import TaskLoop
from robot_tool_agent.core.planning.memory.journal_file import MIGRATIONS, TaskJournal
from robot_tool_agent.core.planning.memory.replay import take_up
from robot_tool_agent.core.planning.memory.writes import Collector, Write
from robot_tool_agent.core.planning.record import TaskEnd
from robot_tool_agent.core.safety_state import SafetyMode, SafetyView

TASK = 't'
Script = Callable[[int], ModelReply]


class Crash(Exception):
    """The planner's process ends here."""


class Fuse:
    """Counts moments and crashes at one of them; None never crashes."""

    def __init__(self, at: int | None = None) -> None:
        self.at = at
        self.moments: list[str] = []

    def reach(self, moment: str) -> None:
        self.moments.append(moment)
        if len(self.moments) - 1 == self.at:
            raise Crash(moment)


def memory_of_tasks() -> TaskJournal:
    """Return a memory that lives as long as its connection: a crash of the planner leaves it as it is."""
    connection = sqlite3.connect(':memory:', isolation_level=None)
    connection.executescript(''.join(MIGRATIONS))
    return TaskJournal(connection)


def stepwise(*replies: ModelReply) -> Script:
    """Return a model that reads from the conversation how far it is, as a real one does."""
    return lambda step: replies[step]


class Planner:
    """One life of the planner's process."""

    def __init__(self, bench: Bench, journal: TaskJournal, script: Script, fuse: Fuse | None = None) -> None:
        self.bench = bench
        self.fuse = fuse or Fuse()
        self.journal = journal
        self.collector = Collector()
        self.loop = TaskLoop(TASK, 'do it', PlannerLimits(), self.collector)
        self.sent: list[str] = []
        self.requests: list[ModelRequest] = []
        self._script = script
        self._ended: list[tuple[str, SkillResult]] = []

    def start(self) -> TaskEnd:
        self.loop.begin(self.bench.now_s)
        return self._run()

    def resume(self) -> TaskEnd:
        """Take the task up again as the planner does when somebody sends its task_id once more."""
        record = self.journal.find(TASK)
        if record is None:
            return self.start()
        if record.end is not None:
            return record.end
        self.collector.take()
        writes, actions = take_up(self.loop, record, self.collector, self.bench.now_s)
        self._carry_out(writes, actions)
        return self._run()

    def _run(self) -> TaskEnd:
        for _ in range(3000):
            self._pump()
            if self.loop.end is not None:
                return self.loop.end
            self.bench.step()
            ended, self._ended = self._ended, []
            for call_id, result in ended:
                self.loop.call_ended(call_id, result, self.bench.now_s)
                self._pump()
            view = SafetyView(1, SafetyMode.READY, self.bench.epoch, True, False, '')
            self.loop.tick(view, self.bench.now_s)
        raise AssertionError(f'no end, phase {self.loop.phase}')

    def _pump(self) -> None:
        while True:
            writes, actions = self.collector.take(), self.loop.take_actions()
            if not writes and not actions:
                return
            self._carry_out(writes, actions)

    def _carry_out(self, writes: tuple[Write, ...], actions: list[Action]) -> None:
        if writes:
            self.fuse.reach('before the commit')
            self.journal.write(writes, self.bench.now_s)
            self.fuse.reach('after the commit')
        for action in actions:
            self._do(action)

    def _do(self, action: Action) -> None:
        if isinstance(action, FetchTools):
            self.loop.tools_arrived(*self.bench.hub.registry.describe(), self.bench.now_s)
        elif isinstance(action, AskModel):
            self.requests.append(action.request)
            step = sum(turn.role is Role.ASSISTANT for turn in action.request.messages)
            self.loop.reply_arrived(action.request_id, self._script(step), self.bench.now_s)
        elif isinstance(action, SendCall):
            self.fuse.reach(f'before {action.call.call_id} is sent')
            self._send(action)
            self.fuse.reach(f'after {action.call.call_id} is sent')
            self.bench.step(2)
            self.fuse.reach(f'while {action.call.call_id} runs')
        elif isinstance(action, CancelCall):
            raise AssertionError('nothing is cancelled here')

    def _send(self, action: SendCall) -> None:
        call = action.call
        self.sent.append(call.call_id)
        request = CallRequest(call.call_id, TASK, call.tool.name, call.arguments_json, 'planner')
        bench, call_id = self.bench, call.call_id

        def take(result: CallResult) -> None:
            self._ended.append((call_id, skill_result(result)))

        bench.executive.submit(request, Turn(bench.now_s, bench.now_s), take)


def skill_result(result: CallResult) -> SkillResult:
    """Return the executive's result as the planner gets it."""
    end = result.end
    code, advice = ('', '') if end.error is None else (end.error.value, end.error.advice.value)
    told = (json.loads(end.result_json), json.loads(end.evidence_json))
    return SkillResult(Outcome(end.outcome), Effect(end.effect), code, end.message, advice, *told, result.replayed)


def drive_on(bench: Bench, **changes: Any) -> None:
    """Let the executive live on without a planner: long enough for the lease to end and a call to be written down."""
    bench.planner_beats = False
    for name, value in changes.items():
        setattr(bench, name, value)
    bench.step(80)
    bench.planner_beats = True
    bench.step(3)
