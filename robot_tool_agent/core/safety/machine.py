"""The state machine: which event leads where. Decisions are made elsewhere; this table only allows them."""

from __future__ import annotations

from enum import Enum

from robot_tool_agent.core.safety_state import SafetyMode
from transitions import Machine

_ALL_BUT_ESTOPPED = tuple(mode for mode in SafetyMode if mode is not SafetyMode.ESTOPPED)


class Event(str, Enum):
    """What can happen to the machine."""

    INPUTS_READY = 'inputs_ready'
    STOP = 'stop'
    RETREAT = 'retreat'
    ARRIVE = 'arrive'
    HOLD = 'hold'
    OPERATOR_STOP = 'operator_stop'
    REARM = 'rearm'
    RESET = 'reset'


TABLE: tuple[tuple[Event, tuple[SafetyMode, ...], SafetyMode], ...] = (
    (Event.INPUTS_READY, (SafetyMode.STARTING,), SafetyMode.READY),
    (Event.STOP, (SafetyMode.READY,), SafetyMode.STOPPING),
    (Event.RETREAT, (SafetyMode.STOPPING,), SafetyMode.RETREATING),
    (Event.ARRIVE, (SafetyMode.RETREATING,), SafetyMode.SAFE),
    (
        Event.HOLD,
        (SafetyMode.STARTING, SafetyMode.STOPPING, SafetyMode.RETREATING, SafetyMode.SAFE),
        SafetyMode.HOLDING,
    ),
    (Event.OPERATOR_STOP, _ALL_BUT_ESTOPPED, SafetyMode.ESTOPPED),
    (Event.REARM, (SafetyMode.SAFE, SafetyMode.HOLDING), SafetyMode.STARTING),
    (Event.RESET, (SafetyMode.SAFE, SafetyMode.HOLDING, SafetyMode.ESTOPPED), SafetyMode.STARTING),
)


class SafetyMachine:
    """Holds the mode. An event that the table does not allow raises `transitions.MachineError` and changes nothing."""

    state: SafetyMode

    def __init__(self) -> None:
        self._machine = Machine(
            model=self,
            states=SafetyMode,
            initial=SafetyMode.STARTING,
            transitions=[
                {'trigger': event.value, 'source': list(sources), 'dest': target} for event, sources, target in TABLE
            ],
            auto_transitions=False,
            queued=False,
            ignore_invalid_triggers=False,
        )

    def fire(self, event: Event) -> None:
        """Take an event."""
        self.trigger(event.value)  # type: ignore[attr-defined]


def mermaid() -> str:
    """Return the table as a mermaid state diagram."""
    arrows = [
        f'    {source.name} --> {target.name}: {event.value}' for event, sources, target in TABLE for source in sources
    ]
    return '\n'.join(['stateDiagram-v2', f'    [*] --> {SafetyMode.STARTING.name}', *arrows]) + '\n'
