"""The person beside the robot: resets, approves, answers. Every habit has a delay of its own."""

from __future__ import annotations

from dataclasses import dataclass

from robot_tool_agent.core.execution.ports import ApprovalAsk
from robot_tool_agent.core.safety_state import SafetyMode, SafetyView
from robot_tool_agent_sim.evidence.bus import Bus
from robot_tool_agent_sim.evidence.executor_process import ExecutorProcess
from robot_tool_agent_sim.evidence.process import Outside
from robot_tool_agent_sim.evidence.safety_process import SafetyProcess

NAME = 'ana'
LATCHED = (SafetyMode.SAFE, SafetyMode.HOLDING, SafetyMode.ESTOPPED)


@dataclass(frozen=True, slots=True)
class Habits:
    """How this person acts. `approves` None is a person who never answers; times in seconds."""

    reset_after_s: float = 2.0
    resets: int = 1
    approves: bool | None = True
    answer_after_s: float = 1.0


class Person(Outside):
    """Resets a latch that only a person may clear; sends each reset `resets` times."""

    def __init__(self, habits: Habits, bus: Bus, safety: SafetyProcess, executor: ExecutorProcess) -> None:
        super().__init__()
        self._habits, self._bus, self._safety, self._executor = habits, bus, safety, executor
        self._latched_s: float | None = None
        self.resets = 0
        safety.listeners.append(('person', self, self.on_safety))
        executor.audience.asked = self.on_ask

    def on_safety(self, view: SafetyView) -> None:
        """Watch the state and reset when the time has come."""
        now_s = self._bus.now_s
        mine = view.mode in LATCHED and view.resettable and not _rearms(view)
        if not mine:
            self._latched_s = None
        elif self._latched_s is None:
            self._latched_s = now_s
        elif now_s - self._latched_s >= self._habits.reset_after_s:
            self._latched_s = None
            self.resets += 1
            for _ in range(self._habits.resets):
                self._bus.send('reset_safety', self._safety, lambda: self._reset())

    def _reset(self) -> None:
        self._safety.on_reset(NAME)

    def on_ask(self, ask: ApprovalAsk) -> None:
        """Hear a question and answer it after a while, or never."""
        approves = self._habits.approves
        if approves is None:
            return
        desk = self._executor.hub.approvals
        self._bus.after(self._habits.answer_after_s, self._executor, lambda: _answer(desk, ask.call_id, approves))


def _answer(desk: object, call_id: str, approve: bool) -> None:
    desk.decide(call_id, approve, NAME)  # type: ignore[attr-defined]


def _rearms(view: SafetyView) -> bool:
    return view.mode is SafetyMode.SAFE and view.fault == 'SKILL_FAILED' and 'reset needed' not in view.detail
