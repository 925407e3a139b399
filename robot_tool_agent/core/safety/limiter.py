"""What of a wanted velocity is allowed here and now; the most restrictive limit wins and says so."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
import math

from robot_tool_agent.core.geometry import Pose2D, Twist2D, ZERO_TWIST
from robot_tool_agent.core.motion import Profile
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.safety.braking import stop_time_s
from robot_tool_agent.core.safety.clearance import free_time_s
from robot_tool_agent.core.safety.fence import fence_of
from robot_tool_agent.core.safety.outline import outline_of
from robot_tool_agent.core.safety.scans import Obstacles

OVERSPEED_SLACK = 0.05


class LimitReason(str, Enum):
    """Why less than commanded comes out; values appear in SafetyState.limit_reason."""

    NONE = ''
    SPEED = 'SPEED'
    APPROACH_SPEED = 'APPROACH_SPEED'
    OBSTACLE = 'OBSTACLE'
    BLIND = 'BLIND'
    GEOFENCE = 'GEOFENCE'
    CONTACT = 'CONTACT'


@dataclass(frozen=True, slots=True)
class Scene:
    """
    What surrounds the robot. `obstacles` None: a robot with a range sensor has seen nothing, and may only turn.

    `start` is base_link now, in base_link at the time of the scan; `escape` is the sign of forward speed that leads
    away from a pressed bumper, 0 without contact; `map_pose` is base_link in the map, None while it is unknown.
    """

    obstacles: Obstacles | None
    start: Pose2D
    escape: int = 0
    map_pose: Pose2D | None = None


@dataclass(frozen=True, slots=True)
class Allowed:
    """A velocity that may be driven and what cut it down."""

    twist: Twist2D
    reason: LimitReason


class Limiter:
    """Applies the robot's speed limits and keeps its swept footprint clear. Scales v and w together: the arc stays."""

    def __init__(self, robot: RobotDescription, fenced: bool = True) -> None:
        self._limits = robot.limits
        self._fence = fence_of(robot) if fenced else None
        self._outline = outline_of(robot.footprint)
        self._has_scan = robot.topics.scan is not None
        self._asked: tuple[Twist2D, Profile, Scene] | None = None
        self._answer = Allowed(ZERO_TWIST, LimitReason.NONE)

    @property
    def reach_m(self) -> float:
        """Distance from base_link within which obstacles can matter, m."""
        limits = self._limits
        fastest = Twist2D(max(limits.max_speed_mps, limits.max_reverse_mps), 0.0)
        return self._outline.reach_m + limits.slowdown_distance_m + fastest.v_mps * (0.5 + self._horizon_s(fastest))

    def limit(self, wanted: Twist2D, profile: Profile, scene: Scene) -> Allowed:
        """Return what of a finite wanted velocity may be driven. The same question twice in a row is judged once."""
        if self._asked != (wanted, profile, scene):
            self._answer = self._judge(wanted, profile, scene)
            self._asked = wanted, profile, scene
        return self._answer

    def _judge(self, wanted: Twist2D, profile: Profile, scene: Scene) -> Allowed:
        if wanted.is_zero():
            return Allowed(ZERO_TWIST, LimitReason.NONE)
        if scene.escape and wanted.v_mps * scene.escape <= 0.0:
            return Allowed(ZERO_TWIST, LimitReason.CONTACT)
        if self._blind(wanted.v_mps, scene.obstacles):
            return Allowed(ZERO_TWIST, LimitReason.BLIND)
        factor, reason = self._speed_factor(wanted, profile)
        within = wanted.scaled(factor)
        clear, fenced = self._clear_factor(within, profile, scene), self._fence_factor(within, scene.map_pose)
        if min(clear, fenced) < 1.0:
            why = LimitReason.OBSTACLE if clear <= fenced else LimitReason.GEOFENCE
            return Allowed(within.scaled(min(clear, fenced)), why)
        return Allowed(within, reason)

    def overspeeds(self, wanted: Twist2D) -> bool:
        """Tell whether a wanted velocity lies well above the robot's limits, by more than rounding explains."""
        return self._speed_factor(wanted, Profile.NORMAL)[0] < 1.0 - OVERSPEED_SLACK

    def outside_m(self, pose: Pose2D | None) -> float:
        """Return how far a pose of the map is outside the geofence, m; 0 inside, without fence or without pose."""
        if self._fence is None or pose is None:
            return 0.0
        return max(0.0, -self._fence.inside_m(pose.x_m, pose.y_m))

    def _blind(self, v_mps: float, obstacles: Obstacles | None) -> bool:
        """Tell whether the way would lead where the range sensor sees nothing. Turning on the spot leads nowhere."""
        return self._has_scan and v_mps != 0.0 and (obstacles is None or not obstacles.covers(v_mps))

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

    def _fence_factor(self, twist: Twist2D, pose: Pose2D | None) -> float:
        """Return the factor at which braking ends with base_link inside the geofence."""
        if self._fence is None or pose is None or twist.v_mps == 0.0:
            return 1.0
        free_s = self._fence.free_time_s(twist, pose, self._horizon_s(twist))
        return 1.0 if math.isinf(free_s) else min(1.0, self._braking_factor(twist, free_s))

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
