"""What of a wanted velocity is allowed here and now; the most restrictive limit wins and says so."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum

from robot_tool_agent.core.geometry import ZERO_TWIST, Pose2D, Twist2D
from robot_tool_agent.core.motion import Profile
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.safety.braking import stop_time_s
from robot_tool_agent.core.safety.clearance import free_time_s
from robot_tool_agent.core.safety.outline import outline_of
from robot_tool_agent.core.safety.scans import Obstacles


class LimitReason(str, Enum):
    """Why less than commanded comes out; values appear in SafetyState.limit_reason."""

    NONE = ''
    SPEED = 'SPEED'
    APPROACH_SPEED = 'APPROACH_SPEED'
    OBSTACLE = 'OBSTACLE'
    CONTACT = 'CONTACT'


@dataclass(frozen=True, slots=True)
class Scene:
    """What surrounds the robot. `obstacles` None: it has no range sensor.

    `start` is base_link now, in base_link at the time of the scan; `escape` is the sign of forward speed that leads
    away from a pressed bumper, 0 without contact.
    """

    obstacles: Obstacles | None
    start: Pose2D
    escape: int = 0


@dataclass(frozen=True, slots=True)
class Allowed:
    """A velocity that may be driven and what cut it down."""

    twist: Twist2D
    reason: LimitReason


class Limiter:
    """Applies the robot's speed limits and keeps its swept footprint clear. Scales v and w together: the arc stays."""

    def __init__(self, robot: RobotDescription) -> None:
        self._limits = robot.limits
        self._outline = outline_of(robot.footprint)

    @property
    def reach_m(self) -> float:
        """Distance from base_link within which obstacles can matter, m."""
        limits = self._limits
        fastest = Twist2D(max(limits.max_speed_mps, limits.max_reverse_mps), 0.0)
        return self._outline.reach_m + limits.slowdown_distance_m + fastest.v_mps * (0.5 + self._horizon_s(fastest))

    def limit(self, wanted: Twist2D, profile: Profile, scene: Scene) -> Allowed:
        """Return what of a finite wanted velocity may be driven."""
        if wanted.is_zero():
            return Allowed(ZERO_TWIST, LimitReason.NONE)
        if scene.escape and wanted.v_mps * scene.escape <= 0.0:
            return Allowed(ZERO_TWIST, LimitReason.CONTACT)
        factor, reason = self._speed_factor(wanted, profile)
        within = wanted.scaled(factor)
        clear = self._clear_factor(within, profile, scene)
        if clear < 1.0:
            return Allowed(within.scaled(clear), LimitReason.OBSTACLE)
        return Allowed(within, reason)

    def _speed_factor(self, wanted: Twist2D, profile: Profile) -> tuple[float, LimitReason]:
        limits = self._limits
        top_mps = limits.max_speed_mps if wanted.v_mps >= 0.0 else limits.max_reverse_mps
        general = min(1.0, _ratio(top_mps, wanted.v_mps), _ratio(limits.max_turn_radps, wanted.w_radps))
        creep = _ratio(limits.approach_speed_mps, wanted.v_mps) if profile is Profile.APPROACH else math.inf
        if creep < general:
            return creep, LimitReason.APPROACH_SPEED
        return general, LimitReason.SPEED if general < 1.0 else LimitReason.NONE

    def _clear_factor(self, twist: Twist2D, profile: Profile, scene: Scene) -> float:
        """Return the factor at which braking ends before the stop distance and speed falls with the distance left."""
        if scene.obstacles is None:
            return 1.0
        limits = self._limits
        stop_m = limits.approach_stop_distance_m if profile is Profile.APPROACH else limits.stop_distance_m
        horizon_s = self._horizon_s(twist)
        free_s = free_time_s(twist, scene.start, scene.obstacles, self._outline, stop_m, horizon_s)
        if math.isinf(free_s):
            return 1.0
        slow_m = max(limits.slowdown_distance_m - stop_m, 1e-3)
        slow = limits.max_speed_mps * free_s / slow_m
        return min(1.0, slow, self._braking_factor(twist, free_s))

    def _braking_factor(self, twist: Twist2D, free_s: float) -> float:
        """Solve f * latency + f^2 * t_stop / 2 = free_s, all measured along the arc at full command."""
        latency_s, stop_s = self._limits.latency_s, max(stop_time_s(twist, self._limits), 1e-6)
        return (math.sqrt(latency_s**2 + 2.0 * stop_s * free_s) - latency_s) / stop_s

    def _horizon_s(self, twist: Twist2D) -> float:
        limits = self._limits
        slow_s = (limits.slowdown_distance_m - limits.approach_stop_distance_m) / limits.max_speed_mps
        return max(limits.latency_s + stop_time_s(twist, limits) / 2.0, slow_s)


def _ratio(limit: float, value: float) -> float:
    return math.inf if value == 0.0 else limit / abs(value)
