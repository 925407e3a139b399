"""Which calls may run at the same time, and which must keep the order in which they were given."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from robot_tool_agent.core.planning.calls import PlannedCall
from robot_tool_agent.core.planning.conversation import ToolSpec


def must_keep_order(one: ToolSpec, other: ToolSpec) -> bool:
    """
    Tell whether two calls may not run side by side.

    They may not if they need the same resource, if one lets time pass, or if one reads what the other changes: what a
    reading shows beside a motion would depend on chance, and a model that says "drive, look" means to look afterwards.
    """
    if one.lets_time_pass or other.lets_time_pass or one.reads_only is not other.reads_only:
        return True
    return bool(one.resources & other.resources)


def fits(call: PlannedCall, others: Iterable[PlannedCall]) -> bool:
    """Tell whether a call may run beside all the others."""
    return not any(must_keep_order(call.tool, other.tool) for other in others)


def room(running: Collection[PlannedCall], max_parallel: int) -> bool:
    """Tell whether one more call may run."""
    return len(running) < max_parallel
