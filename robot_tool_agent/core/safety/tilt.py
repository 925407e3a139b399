"""How far the robot leans."""

from __future__ import annotations

from dataclasses import dataclass
import math

from robot_tool_agent.core.samples import Sample


@dataclass(frozen=True, slots=True)
class TiltSample(Sample):
    """Angle between the robot's z axis and the vertical, rad; NaN: not measured."""

    tilt_rad: float


def tilt_of_orientation(x: float, y: float, z: float, w: float) -> float:
    """
    Return the lean of an orientation given as a quaternion, rad; NaN if it is no rotation.

    The z axis of the rotated frame has the vertical part 1 - 2 (x^2 + y^2).
    """
    if not 0.9 < math.hypot(x, y, z, w) < 1.1:
        return math.nan
    return math.acos(max(-1.0, min(1.0, 1.0 - 2.0 * (x * x + y * y))))


def tilt_of_gravity(x_mps2: float, y_mps2: float, z_mps2: float) -> float:
    """Return the lean of a resting accelerometer, rad; NaN unless it measures about one g (9.8 m/s^2)."""
    total_mps2 = math.hypot(x_mps2, y_mps2, z_mps2)
    if not 7.0 < total_mps2 < 13.0:
        return math.nan
    return math.acos(max(-1.0, min(1.0, z_mps2 / total_mps2)))
