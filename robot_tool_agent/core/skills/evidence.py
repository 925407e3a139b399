"""Numbers that back a verdict: measured, wanted, tolerance, topic, stamp, rounded to what sensors can tell."""

from __future__ import annotations

from typing import Any

from robot_tool_agent.core.geometry import Point, Pose2D
from robot_tool_agent.core.samples import Sample
from robot_tool_agent.core.sensors import Instant
from robot_tool_agent.core.skills.base import Json

DECIMALS = 3


def rounded(value: float) -> float:
    """Return a number with three decimals: millimetres, milliradians."""
    return round(value, DECIMALS) + 0.0


def pose_json(pose: Pose2D) -> Json:
    """Return a pose as JSON, metres and radians."""
    return {'x_m': rounded(pose.x_m), 'y_m': rounded(pose.y_m), 'yaw_rad': rounded(pose.yaw_rad)}


def point_json(point: Point) -> Json:
    """Return a point as JSON, metres."""
    return {'x_m': rounded(point.x_m), 'y_m': rounded(point.y_m)}


def check(topic: str, sample: Sample, measured: Any, wanted: Any, tolerance: Any) -> Json:
    """Return one comparison of a measurement with what was wanted. Units are in the keys of the three values."""
    return {
        'topic': topic,
        'stamp_s': rounded(sample.stamp_s),
        'measured': measured,
        'wanted': wanted,
        'tolerance': tolerance,
    }


def evidence(first: Json, *others: Json) -> Json:
    """Return the evidence of a verdict: the decisive comparison on top, the others below `checks`."""
    return {**first, 'checks': list(others)} if others else dict(first)


def age_s(sample: Sample, at: Instant) -> float:
    """Return how old a sample was at an instant, in seconds, never below zero."""
    return rounded(max(0.0, at.received_s - sample.received_s))
