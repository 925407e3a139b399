"""The calls of a task that were sent and have not ended."""

from __future__ import annotations

from dataclasses import dataclass
import math

from robot_tool_agent.core.outcomes import ErrorCode
from robot_tool_agent.core.planning.calls import PlannedCall
from robot_tool_agent.core.planning.phases import Phase
from robot_tool_agent.core.planning.waiting import Waiting


@dataclass(slots=True)
class ActiveCall:
    """One call. `waiting` while it was refused for now; `may_run` if a sending that was lost may have begun it."""

    call: PlannedCall
    deadline_s: float = math.inf
    waiting: Waiting | None = None
    waiting_since_s: float | None = None
    lost: bool = False
    may_run: bool = False

    @property
    def runs(self) -> bool:
        """Tell whether the executor may be at it: it was not refused, or because it is in progress already."""
        return self.waiting is None or self.waiting.error is ErrorCode.IN_PROGRESS


class ActiveCalls:
    """Active calls by call_id, in the order in which they were sent first."""

    def __init__(self) -> None:
        self._active: dict[str, ActiveCall] = {}

    def add(self, call: PlannedCall) -> ActiveCall:
        """Take a call that is to be sent."""
        self._active[call.call_id] = ActiveCall(call)
        return self._active[call.call_id]

    def find(self, call_id: str) -> ActiveCall | None:
        """Return an active call, None if there is none of this id."""
        return self._active.get(call_id)

    def remove(self, call_id: str) -> None:
        """Forget a call that has ended."""
        self._active.pop(call_id, None)

    def all(self) -> list[ActiveCall]:
        """Return all of them."""
        return list(self._active.values())

    def calls(self) -> list[PlannedCall]:
        """Return what they call."""
        return [active.call for active in self._active.values()]

    @property
    def empty(self) -> bool:
        """Tell whether there is none."""
        return not self._active

    @property
    def phase(self) -> Phase:
        """WAIT if all of them only wait, else CALL."""
        return Phase.WAIT if all(active.waiting is not None for active in self._active.values()) else Phase.CALL
