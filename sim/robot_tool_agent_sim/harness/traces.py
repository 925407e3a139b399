"""What a trace of commands or of true motion says about one stop. Times are steady seconds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
import math

from robot_tool_agent.core.geometry import Pose2D

STANDING_MPS = 0.01


@dataclass(frozen=True, slots=True)
class Speed:
    """Forward speed that was commanded, with the time it was received."""

    received_s: float
    v_mps: float


@dataclass(frozen=True, slots=True)
class Moment:
    """Where the robot truly was and how fast, with the time it was told."""

    received_s: float
    pose: Pose2D
    v_mps: float


@dataclass(frozen=True, slots=True)
class Stop:
    """How long and how far it took from an event to standstill."""

    time_s: float
    distance_m: float


def first_drop_s(speeds: Sequence[Speed], since_s: float, to_zero: bool = False) -> float | None:
    """
    Return when the first command arrived after `since_s` that is slower and that no faster one follows.

    Slower than the last command before `since_s`, or zero with `to_zero`. None if there is none.
    """
    before = [speed for speed in speeds if speed.received_s <= since_s]
    after = [speed for speed in speeds if speed.received_s > since_s]
    if not before:
        return None
    last_mps, found_s = abs(before[-1].v_mps), None
    for speed in after:
        now_mps = abs(speed.v_mps)
        if now_mps > last_mps:
            found_s = None
        elif found_s is None and (now_mps == 0.0 if to_zero else now_mps < last_mps):
            found_s = speed.received_s
        last_mps = now_mps
    return found_s


def stop_after(moments: Sequence[Moment], since_s: float) -> Stop | None:
    """Return time and way from `since_s` until the robot stands, None if the trace does not show it."""
    before = [moment for moment in moments if moment.received_s <= since_s]
    after = [moment for moment in moments if moment.received_s > since_s]
    if not before:
        return None
    way_m, last = 0.0, before[-1]
    for moment in after:
        way_m += math.hypot(moment.pose.x_m - last.pose.x_m, moment.pose.y_m - last.pose.y_m)
        if abs(moment.v_mps) < STANDING_MPS:
            return Stop(moment.received_s - since_s, way_m)
        last = moment
    return None


@dataclass(frozen=True, slots=True)
class Published:
    """A sample with the steady time it was published and its stamp."""

    published_s: float
    stamp_s: float


def seen_enough_s(
    odometry: Sequence[Published], poses: Sequence[Published], ended_stamp_s: float, settle_s: float
) -> float | None:
    """
    Return when samples stamped after `ended_stamp_s` sufficed to judge a motion that ended then.

    Enough is `settle_s` of standing odometry by its stamps, and after that one odometry and one pose that are newer.
    Stamps are of one clock. The time is that of publication, None if they never came.
    """
    fresh = [sample for sample in odometry if sample.stamp_s > ended_stamp_s]
    settled = next((sample for sample in fresh if sample.stamp_s - fresh[0].stamp_s >= settle_s), None)
    if settled is None:
        return None
    newer = [
        next((sample.published_s for sample in samples if sample.stamp_s > settled.stamp_s), None)
        for samples in (fresh, poses)
    ]
    times = [time_s for time_s in newer if time_s is not None]
    return max(times) if len(times) == len(newer) else None
