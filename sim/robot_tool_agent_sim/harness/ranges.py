"""Scans of places that are easy to describe, 360 rays counter-clockwise from ahead."""

from __future__ import annotations

import math

RAYS = 360
INCREMENT_RAD = math.tau / RAYS
RANGE_MIN_M, RANGE_MAX_M = 0.05, 8.0


def open_ranges() -> list[float]:
    """Return the ranges in an open field: nothing returns."""
    return [math.inf] * RAYS


def corridor_ranges(
    half_width_m: float = 0.8, ahead_m: float | None = None, half_angle_rad: float = 0.5
) -> list[float]:
    """Return the ranges between two endless walls, metres; `ahead_m` puts something that near in front."""
    ranges = [_wall_m(index * INCREMENT_RAD, half_width_m) for index in range(RAYS)]
    if ahead_m is not None:
        for index in range(RAYS):
            if math.cos(index * INCREMENT_RAD) >= math.cos(half_angle_rad):
                ranges[index] = min(ahead_m, ranges[index])
    return ranges


def _wall_m(angle_rad: float, half_width_m: float) -> float:
    sine = abs(math.sin(angle_rad))
    return half_width_m / sine if sine * RANGE_MAX_M > half_width_m else math.inf
