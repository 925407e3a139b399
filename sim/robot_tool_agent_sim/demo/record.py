"""What was seen during an act, as plain values. Times are steady seconds, poses are true poses in the map frame."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
import math
from operator import attrgetter

from robot_tool_agent.core.geometry import Pose2D
from robot_tool_agent.core.safety_state import SafetyMode

# The smallest speed that counts as motion.
MOVING_MPS = 0.01
MOVING_RADPS = 0.03


@dataclass(frozen=True, slots=True)
class Motion:
    """Ground truth at one moment: pose, forward speed and turn rate."""

    at_s: float
    pose: Pose2D
    v_mps: float
    w_radps: float

    @property
    def moving(self) -> bool:
        """Whether the base drives or turns."""
        return abs(self.v_mps) >= MOVING_MPS or abs(self.w_radps) >= MOVING_RADPS


@dataclass(frozen=True, slots=True)
class State:
    """The safety node said that it is in this mode, and why."""

    at_s: float
    mode: SafetyMode
    fault: str = ''


@dataclass(frozen=True, slots=True)
class Count:
    """The simulator's own counters: real grasps, releases of a held object, contacts with walls."""

    at_s: float
    held: str | None
    picks: int
    places: int
    contacts: int


@dataclass(frozen=True, slots=True)
class Mark:
    """A moment worth a sign in the picture."""

    at_s: float
    text: str


@dataclass(frozen=True, slots=True)
class Record:
    """All that was seen from the start of an act to its end, each in order of time. `counts` begin before it."""

    motions: Sequence[Motion]
    states: Sequence[State]
    counts: Sequence[Count]

    def mode_at(self, at_s: float) -> SafetyMode | None:
        """Return the mode last announced at a time, None before the first."""
        position = bisect_right(self.states, at_s, key=attrgetter('at_s'))
        return self.states[position - 1].mode if position else None

    def modes_within(self, first_s: float, last_s: float) -> set[SafetyMode]:
        """Return every mode that held at some moment of a span of time."""
        inside = {state.mode for state in self.states if first_s <= state.at_s <= last_s}
        before = self.mode_at(first_s)
        return inside if before is None else inside | {before}

    def motion_at(self, at_s: float) -> Motion:
        """Return the last motion at or before a time, the first one if there is none. Raise IndexError if empty."""
        return self.motions[max(bisect_right(self.motions, at_s, key=attrgetter('at_s')) - 1, 0)]

    def still_after(self, at_s: float) -> float | None:
        """Return how long after a time the base first did not move, in seconds; None if it always moved."""
        later = (motion.at_s - at_s for motion in self.motions if motion.at_s >= at_s and not motion.moving)
        return next(later, None)

    def way_m(self, since_s: float = -math.inf) -> float:
        """Return the length of the true path from a time on, in metres."""
        poses = [motion.pose for motion in self.motions if motion.at_s >= since_s]
        return sum(first.distance_to(second) for first, second in pairwise(poses))

    def counted(self, name: str) -> int:
        """Return by how much a counter rose."""
        return int(getattr(self.counts[-1], name) - getattr(self.counts[0], name))
