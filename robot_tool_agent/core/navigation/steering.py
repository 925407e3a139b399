"""Velocity laws of a differential drive. Metres, radians, seconds; all speeds within the robot's limits."""

from __future__ import annotations

import math

from robot_tool_agent.core.geometry import Twist2D
from robot_tool_agent.core.robot import Limits

BRAKE_SHARE = 0.5
MIN_CREEP_MPS = 0.03
MIN_TURN_RADPS = 0.15


def braking_speed(distance: float, decel: float, latency_s: float) -> float:
    """
    Return the speed from which half the deceleration stops within a distance, after the latency has passed.

    It solves v * latency + v^2 / (2 a) = distance for v, with a = decel / 2; linear and angular alike.
    """
    brake = BRAKE_SHARE * decel
    return brake * (math.sqrt(latency_s**2 + 2.0 * max(0.0, distance) / brake) - latency_s)


def turn_towards(error_rad: float, limits: Limits) -> Twist2D:
    """Return a turn in place that removes a heading error and stops at it."""
    speed = braking_speed(abs(error_rad), limits.max_turn_decel_radps2, limits.latency_s)
    speed = min(max(speed, MIN_TURN_RADPS), limits.max_turn_radps)
    return Twist2D(0.0, math.copysign(speed, error_rad))


def advance(distance_m: float, top_mps: float, limits: Limits) -> float:
    """Return the signed speed that covers a signed distance along the heading and stops at its end, in m/s."""
    speed = braking_speed(abs(distance_m), limits.max_decel_mps2, limits.latency_s)
    return math.copysign(min(max(speed, MIN_CREEP_MPS), top_mps), distance_m)


def limited_arc(v_mps: float, curvature_per_m: float, limits: Limits) -> Twist2D:
    """Return a twist of a given curvature, slowed down as a whole where the turn rate would pass its limit."""
    w_radps = v_mps * curvature_per_m
    factor = min(1.0, limits.max_turn_radps / abs(w_radps)) if w_radps else 1.0
    return Twist2D(v_mps * factor, w_radps * factor)
