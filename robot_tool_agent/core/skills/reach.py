"""From which side a target can be reached: a stand-off pose to drive to, then a straight creep. Map frame."""

from __future__ import annotations

from dataclasses import dataclass
import math

from robot_tool_agent.core.geometry import Point, Pose2D, wrap_angle
from robot_tool_agent.core.navigation import house_map, HouseMap
from robot_tool_agent.core.robot import RobotDescription

RANGE_M = 1.5
STANDOFF_M = 0.75
DIRECT_M = 0.9
MAX_DETOUR_M = 3.0
DIRECTIONS = 24
MAX_SIDE_RAD = 1.8
GRASP_MARGIN_M = 0.02
COMFORT_M = 0.35
TURN_COST_M_PER_RAD = 0.3
CROWDING_COST = 2.0
MAX_ROUTES = 6


@dataclass(frozen=True, slots=True)
class Reach:
    """Where to stand before the creep; `drives` is false if the base stands well already. Or a problem."""

    standoff: Pose2D
    drives: bool = True
    problem: str = ''


def plan_reach(robot: RobotDescription, base: Pose2D, target: Point) -> Reach:
    """Return the best side from which the base reaches a target, as seen from where it stands."""
    known = house_map(robot)
    ahead_rad = wrap_angle(base.yaw_rad + base.bearing_to(target))
    reach_m = 0.0 if robot.gripper is None else robot.gripper.reach_m
    if reach_m <= base.distance_to(target) <= DIRECT_M and _is_free(known, base.point, target, ahead_rad):
        return Reach(Pose2D(base.x_m, base.y_m, ahead_rad), drives=False)
    sides = [ahead_rad + math.tau * step / DIRECTIONS for step in range(DIRECTIONS)]
    scored = [(score, side) for side in sides if (score := _score(known, base, target, side)) is not None]
    for _, side_rad in sorted(scored)[:MAX_ROUTES]:
        standoff = _before(target, side_rad, STANDOFF_M)
        route = known.route(base.point, standoff.point)
        if not route.problem and route.length_m <= MAX_DETOUR_M:
            return Reach(standoff)
    return Reach(base, problem=f'no side from which ({target.x_m:.2f}, {target.y_m:.2f}) can be reached')


def _score(known: HouseMap, base: Pose2D, target: Point, side_rad: float) -> float | None:
    """Return the cost of coming from a side in metres of driving, None if it is not possible."""
    turn_rad = abs(wrap_angle(side_rad - base.yaw_rad - base.bearing_to(target)))
    standoff = _before(target, side_rad, STANDOFF_M)
    if turn_rad > MAX_SIDE_RAD or known.goal_problem(standoff.point):
        return None
    if not _is_free(known, standoff.point, target, side_rad):
        return None
    crowding_m = max(0.0, COMFORT_M - known.clearance_m(_grasp_pose(known, target, side_rad).point))
    return base.distance_to(standoff) + TURN_COST_M_PER_RAD * turn_rad + CROWDING_COST * crowding_m


def _is_free(known: HouseMap, start: Point, target: Point, side_rad: float) -> bool:
    """Tell whether the bare footprint fits from a start to where the target is at the gripper."""
    robot = known.robot
    need_m = robot.footprint.circumscribed_m + robot.limits.approach_stop_distance_m + GRASP_MARGIN_M
    return known.segment_clearance_m(start, _grasp_pose(known, target, side_rad).point) >= need_m


def _grasp_pose(known: HouseMap, target: Point, side_rad: float) -> Pose2D:
    gripper = known.robot.gripper
    return _before(target, side_rad, 0.0 if gripper is None else gripper.reach_m)


def _before(target: Point, side_rad: float, distance_m: float) -> Pose2D:
    """Return the pose at a distance before a target that looks at it along a direction."""
    x_m = target.x_m - distance_m * math.cos(side_rad)
    return Pose2D(x_m, target.y_m - distance_m * math.sin(side_rad), wrap_angle(side_rad))
