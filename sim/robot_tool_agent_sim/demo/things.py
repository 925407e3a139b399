"""Where objects are, worked out from ground truth alone: what is let go lies where the gripper was."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from robot_tool_agent.core.geometry import Point
from robot_tool_agent_sim.demo.record import Record


def let_go(record: Record) -> list[tuple[float, str]]:
    """Return when an object left the gripper and which, by the simulator's counters."""
    pairs = pairwise(record.counts)
    return [(now.at_s, before.held) for before, now in pairs if before.held is not None and now.held != before.held]


def positions_after(record: Record, before: Mapping[str, Point], reach_m: float) -> dict[str, Point]:
    """
    Return where every object is at the end (map frame), given where it was at the start of the record.

    A held object is at the grasp point, `reach_m` ahead of base_link.
    """
    ahead = Point(reach_m, 0.0)
    after = dict(before)
    for at_s, name in let_go(record):
        after[name] = record.motion_at(at_s).pose.transform_point(ahead)
    held = record.counts[-1].held if record.counts else None
    if held is not None:
        after[held] = record.motions[-1].pose.transform_point(ahead)
    return after
