"""The calls of this server: how many run, and how the last ones ended."""

from __future__ import annotations

from collections import OrderedDict

from robot_tool_agent.core.outcomes import Outcome
from robot_tool_agent.mcp_server.running import RunningCall

KEPT = 200


class CallBook:
    """Remembers the newest KEPT calls by their id. A call that never started makes room for a new try of its id."""

    def __init__(self) -> None:
        self._calls: OrderedDict[str, RunningCall] = OrderedDict()

    def add(self, running: RunningCall) -> None:
        """Take note of a call."""
        known = self._calls.get(running.call.call_id)
        if known is not None and not _may_be_replaced(known):
            return
        self._calls[running.call.call_id] = running
        self._calls.move_to_end(running.call.call_id)
        while len(self._calls) > KEPT:
            self._calls.popitem(last=False)

    def find(self, call_id: str) -> RunningCall | None:
        """Return a call, None if it is not known any more."""
        return self._calls.get(call_id)


def _may_be_replaced(known: RunningCall) -> bool:
    return known.fault is not None or (known.end is not None and known.end.outcome is Outcome.REJECTED)
