"""The planner process: the core's task loop with the timing of its node and a model that answers after a while."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from robot_tool_agent.core.heartbeats import HeartbeatMonitor
from robot_tool_agent.core.planning.actions import Action, AskModel, CancelCall, FetchTools, Finish, Report, SendCall
from robot_tool_agent.core.planning.calls import SkillResult
from robot_tool_agent.core.planning.conversation import ModelFailure, ModelReply, ModelRequest
from robot_tool_agent.core.planning.counters import PlannerCounters
from robot_tool_agent.core.planning.limits import PlannerLimits
from robot_tool_agent.core.planning.loop import TaskLoop
from robot_tool_agent.core.planning.model_chain import ModelChain
from robot_tool_agent.core.planning.record import MemoryTaskStore, TaskEnd
from robot_tool_agent.core.safety_state import SafetyView
from robot_tool_agent_sim.evidence.bus import Bus
from robot_tool_agent_sim.evidence.executor_process import ExecutorProcess
from robot_tool_agent_sim.evidence.planner_calls import EXECUTOR, PlannerCalls
from robot_tool_agent_sim.evidence.process import Outside, Process
from robot_tool_agent_sim.evidence.safety_process import SafetyProcess
from robot_tool_agent_sim.schedule import Schedule

MODEL = 'scripted'
TICK_HZ = 20.0
HEARTBEAT_HZ = 10.0
EXECUTOR_LOST_S = 2.0
SAFETY_TIMEOUT_S = 1.0
ASK_AGAIN_S = 1.0
# A reply after so many seconds, or None: it never comes.
Answer = tuple[float | None, ModelReply | ModelFailure]
Model = Callable[[ModelRequest], Answer]


class PlannerProcess(Process):
    """Runs one task at a time. `on_finish(task_id, end)` and `on_report(report)` tell what becomes of it."""

    def __init__(
        self, limits: PlannerLimits, bus: Bus, executor: ExecutorProcess, safety: SafetyProcess, chance: Random
    ) -> None:
        super().__init__()
        self._limits, self._bus, self._executor, self._chance = limits, bus, executor, chance
        self._server = Outside()
        self.model: Model = lambda request: (None, ModelReply())
        self.on_finish: Callable[[str, TaskEnd], None] = lambda task_id, end: None
        self.on_report: Callable[[Report], None] = lambda report: None
        self.on_heartbeat_due: Callable[[int, int], None] = lambda boot, sequence: None
        self.boot()
        safety.listeners.append(('planner', self, self.on_safety))

    def boot(self) -> None:
        """Start as a new process that knows of no task."""
        self.boots += 1
        self.alive, self.stopped = True, False
        self.loop: TaskLoop | None = None
        self._store = MemoryTaskStore()
        self._counters = PlannerCounters()
        self._chain = ModelChain((MODEL,), self._limits, self._chance.random)
        self._monitor = HeartbeatMonitor(EXECUTOR_LOST_S)
        self.calls = PlannerCalls(self._bus, self, self._executor, self._monitor, self._call_ended, self._call_lost)
        self._view: SafetyView | None = None
        self._view_s = -float('inf')
        self._tools_until_s = self._tools_asked_s = -float('inf')
        self._sequence = 0
        self._tick, self._beat = Schedule(TICK_HZ), Schedule(HEARTBEAT_HZ)

    def begin(self, task_id: str, instruction: str) -> None:
        """Start a task."""
        self.loop = TaskLoop(task_id, instruction, self._limits, self._store, self._counters, self._chain)
        self.loop.begin(self._bus.now_s)
        self._pump()

    def cancel_task(self) -> None:
        """End the running task on request."""
        if self.loop is not None:
            self.loop.cancel(self._bus.now_s)
            self._pump()

    def turn(self) -> None:
        """Do what is due now."""
        if not self.runs:
            return
        now_s = self._bus.now_s
        if self._beat.due(now_s):
            self._sequence += 1
            self.on_heartbeat_due(self.boots, self._sequence)
        if not self._tick.due(now_s):
            return
        self.calls.check()
        self._ask_tools()
        if self.loop is not None:
            heard = now_s - self._view_s <= SAFETY_TIMEOUT_S
            self.loop.tick(self._view if heard else None, now_s)
            self._pump()

    # Messages

    def on_safety(self, view: SafetyView) -> None:
        """Take a state of the safety node."""
        self._view, self._view_s = view, self._bus.now_s

    def on_heartbeat(self, boot_id: int, sequence: int) -> None:
        """Take a sign of life of the executor."""
        self._monitor.heard(EXECUTOR, boot_id, sequence, self._bus.now_s)

    def _call_ended(self, call_id: str, result: SkillResult) -> None:
        if self.loop is not None:
            self.loop.call_ended(call_id, result, self._bus.now_s)
            self._pump()

    def _call_lost(self, call_id: str, reason: str, sent: bool) -> None:
        if self.loop is not None:
            self.loop.call_lost(call_id, reason, sent, self._bus.now_s)
            self._pump()

    # Actions

    def _pump(self) -> None:
        loop = self.loop
        while loop is not None and (actions := loop.take_actions()):
            for action in actions:
                self._do(loop, action)

    def _do(self, loop: TaskLoop, action: Action) -> None:
        if isinstance(action, FetchTools):
            self._tools_until_s = self._bus.now_s + action.timeout_s
            self._ask_tools()
        elif isinstance(action, AskModel):
            self._ask_model(loop, action)
        elif isinstance(action, SendCall):
            self.calls.send(action.call, loop.task_id, action.accept_timeout_s)
        elif isinstance(action, CancelCall):
            self.calls.cancel(action.call_id)
        elif isinstance(action, Report):
            self.on_report(action)
        elif isinstance(action, Finish):
            self.loop = None
            self.calls.forget_all()
            self.on_finish(loop.task_id, action.end)

    def _ask_model(self, loop: TaskLoop, action: AskModel) -> None:
        delay_s, answer = self.model(action.request)
        if delay_s is None:
            return

        def take() -> None:
            if self.loop is loop:
                arrived = loop.reply_arrived if isinstance(answer, ModelReply) else loop.model_failed
                arrived(action.request_id, answer, self._bus.now_s)  # type: ignore[arg-type]
                self._pump()

        self._bus.after(delay_s, self, take)

    def _ask_tools(self) -> None:
        now_s, executor = self._bus.now_s, self._executor
        if now_s >= self._tools_until_s or now_s - self._tools_asked_s < ASK_AGAIN_S:
            return
        self._tools_asked_s = now_s

        def ask() -> None:
            if executor.serves:
                answer = executor.executive.describe()
                self._bus.send('describe_answer', self, lambda: self._take_tools(*answer))

        self._bus.send('describe', executor, ask)

    def _take_tools(self, skills_json: str, schema_hash: str) -> None:
        self._tools_until_s = self._tools_asked_s = -float('inf')
        if self.loop is not None:
            self.loop.tools_arrived(skills_json, schema_hash, self._bus.now_s)
            self._pump()
