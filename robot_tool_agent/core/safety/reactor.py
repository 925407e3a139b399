"""How faults change the state: the table, the machine and the latch joined together."""

from __future__ import annotations

from collections.abc import Callable

from robot_tool_agent.core.safety.config import SafetyConfig
from robot_tool_agent.core.safety.epochs import Epoch
from robot_tool_agent.core.safety.faults import Fault, FaultCode, FAULTS, Reaction
from robot_tool_agent.core.safety.latch import Cause, Latch
from robot_tool_agent.core.safety.machine import Event, SafetyMachine
from robot_tool_agent.core.safety_state import SafetyMode

MAX_DETAIL = 500
Change = Callable[[SafetyMode, SafetyMode, float], None]


class Reactor:
    """
    Holds mode, epoch and cause. `on_change(old, new, now_s)` is told after each change of mode.

    `zero_ordered` is true from a fault that asks for zero at once until `take_zero_order`.
    """

    def __init__(self, config: SafetyConfig, boot_id: int, now_s: float, on_change: Change) -> None:
        self._on_skill_failed = config.on_skill_failed
        self._machine = SafetyMachine()
        self._on_change = on_change
        self.zero_ordered = False
        self.epoch = Epoch(boot_id)
        self.latch = Latch()
        self.since_s = now_s
        self.detail = ''

    @property
    def mode(self) -> SafetyMode:
        """Return the state of the machine."""
        return self._machine.state

    def take_zero_order(self) -> bool:
        """Tell once whether a fault asked for zero at once since the last question."""
        ordered, self.zero_ordered = self.zero_ordered, False
        return ordered

    def strike(self, code: FaultCode, detail: str, now_s: float, reaction: Reaction | None = None) -> bool:
        """Let a fault act if it is watched in this mode, and tell whether it did. `reaction`: not that of the table."""
        row = FAULTS[code]
        reaction = self._reaction(row) if reaction is None else reaction
        if self.mode not in row.states or reaction is None or reaction is Reaction.REPORT:
            return False
        self.latch.add(Cause(row, reaction, detail[:MAX_DETAIL]))
        self.zero_ordered = self.zero_ordered or row.zero_at_once
        self._react(reaction, now_s)
        return True

    def hold_because(self, code: FaultCode, detail: str, now_s: float) -> None:
        """Hold for a fault that followed from the latched one."""
        first = self.latch.code
        after = f'; after {first.value}' if first is not None else ''
        self.latch.replace(Cause(FAULTS[code], Reaction.HOLD, f'{detail}{after}'))
        self.fire(Event.HOLD, now_s)

    def come_back(self, event: Event, now_s: float) -> None:
        """Forget the cause and start anew."""
        self.latch.clear()
        self.fire(event, now_s)

    def fire(self, event: Event, now_s: float, detail: str = '') -> None:
        """Take an event; `detail` adds to what the cause says."""
        old = self.mode
        self._machine.fire(event)
        self.epoch.on_change(old, self.mode)
        self.since_s = now_s
        self.detail = detail
        self._on_change(old, self.mode, now_s)

    def _reaction(self, row: Fault) -> Reaction | None:
        if row.code not in (FaultCode.SKILL_FAILED, FaultCode.SKILL_UNKNOWN):
            return row.reaction
        return {'retreat': Reaction.RETREAT, 'hold': Reaction.HOLD, 'none': None}[self._on_skill_failed]

    def _react(self, reaction: Reaction, now_s: float) -> None:
        if reaction is Reaction.STOP_NOW:
            self.fire(Event.OPERATOR_STOP, now_s)
        elif self.mode is SafetyMode.READY:
            self.fire(Event.STOP, now_s)
        elif self.mode is not SafetyMode.STOPPING and reaction is Reaction.HOLD:
            self.fire(Event.HOLD, now_s)
