"""
What sensors said, as plain values.

Every sample carries two times: `stamp_s`, the header's ROS time (when it was measured), and `received_s`, the steady
time of its arrival. Staleness is judged on `received_s` of samples whose stamp rose; order of events on `stamp_s`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from robot_tool_agent.core.geometry import Point, Pose2D, Twist2D


@dataclass(frozen=True, slots=True)
class Sample:
    """When something was measured and when it arrived, in seconds."""

    stamp_s: float
    received_s: float

    def age_s(self, now_s: float) -> float:
        """Return the seconds since arrival; `now_s` is steady time."""
        return now_s - self.received_s


@dataclass(frozen=True, slots=True)
class OdomSample(Sample):
    """Pose in the odom frame, velocity in base_link."""

    pose: Pose2D
    twist: Twist2D


@dataclass(frozen=True, slots=True)
class GlobalPoseSample(Sample):
    """Pose in the map frame."""

    pose: Pose2D


@dataclass(frozen=True, slots=True, eq=False)
class ScanSample(Sample):
    """One revolution of a range sensor. `inf` means no return; NaN means no measurement."""

    angle_min_rad: float
    angle_increment_rad: float
    range_min_m: float
    range_max_m: float
    ranges_m: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class BumperSample(Sample):
    """Contact switch. `std_msgs/Bool` has no header, so stamp_s is the ROS time of arrival."""

    pressed: bool


@dataclass(frozen=True, slots=True)
class JointSample(Sample):
    """Joint positions by name, in rad or m."""

    positions: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class BatterySample(Sample):
    """State of charge, 0 to 1."""

    fraction: float


@dataclass(frozen=True, slots=True)
class SeenObject:
    """One detected object, in the map frame."""

    id: str
    label: str
    position: Point
    confidence: float


@dataclass(frozen=True, slots=True)
class ObjectsSample(Sample):
    """All objects seen at stamp_s."""

    objects: tuple[SeenObject, ...] = field(default=())
