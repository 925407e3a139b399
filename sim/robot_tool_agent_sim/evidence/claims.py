"""Whether the truth bears out what a call claims. Tolerances are those of the skill and SLACK for what sensors blur."""

from __future__ import annotations

from collections.abc import Callable
import json
import math
from typing import Any

from robot_tool_agent.core.geometry import Pose2D, wrap_angle
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent_sim.evidence.snapshots import Snapshot

SLACK_M, SLACK_RAD = 0.06, 0.08
ON_SPOT_M = 0.38
STATE_M = 0.15
WAIT_SLACK_S = 0.1
Json = dict[str, Any]
Judge = Callable[[RobotDescription, Json, Json, Snapshot, Snapshot], bool]


def is_true(
    robot: RobotDescription, skill: str, arguments_json: str, result_json: str, start: Snapshot, now: Snapshot
) -> bool:
    """Tell whether a call that began at `start` has reached its goal at `now`. A skill without a rule has."""
    judge = _JUDGES.get(skill)
    return judge is None or judge(robot, json.loads(arguments_json), json.loads(result_json), start, now)


def _moved(robot: RobotDescription, asked: Json, told: Json, start: Snapshot, now: Snapshot) -> bool:
    way_m, travel = float(asked['distance_m']), now.pose.relative_to(start.pose)
    tolerance_m = min(robot.limits.position_tolerance_m, 0.02 + 0.1 * abs(way_m), 0.5 * abs(way_m))
    return math.hypot(travel.x_m - way_m, travel.y_m) <= tolerance_m + SLACK_M


def _turned(robot: RobotDescription, asked: Json, told: Json, start: Snapshot, now: Snapshot) -> bool:
    turned_rad = now.pose.yaw_rad - start.pose.yaw_rad
    off_rad = abs(wrap_angle(turned_rad - float(asked['angle_rad'])))
    tolerance_rad = min(robot.limits.yaw_tolerance_rad, 0.5 * abs(float(asked['angle_rad'])))
    return off_rad <= tolerance_rad + SLACK_RAD and start.pose.distance_to(now.pose) <= 0.3


def _navigated(robot: RobotDescription, asked: Json, told: Json, start: Snapshot, now: Snapshot) -> bool:
    if asked.get('place'):
        key = robot.find_place(str(asked['place']))
        return key is not None and _at(robot, now.pose, robot.places[key].pose)
    return _at(robot, now.pose, Pose2D(asked['x_m'], asked['y_m'], asked['yaw_rad']))


def _parked(robot: RobotDescription, asked: Json, told: Json, start: Snapshot, now: Snapshot) -> bool:
    return any(_at(robot, now.pose, safe.pose) for safe in robot.safe_poses.values())


def _at(robot: RobotDescription, pose: Pose2D, goal: Pose2D) -> bool:
    near = pose.distance_to(goal) <= robot.limits.position_tolerance_m + SLACK_M
    return near and abs(wrap_angle(pose.yaw_rad - goal.yaw_rad)) <= robot.limits.yaw_tolerance_rad + SLACK_RAD


def _picked(robot: RobotDescription, asked: Json, told: Json, start: Snapshot, now: Snapshot) -> bool:
    return now.held is not None and asked['object'] in (now.held, now.held.rsplit('_', 1)[0])


def _placed(robot: RobotDescription, asked: Json, told: Json, start: Snapshot, now: Snapshot) -> bool:
    key = robot.find_place(str(asked['place']))
    surface = None if key is None else robot.places[key].surface
    if surface is None or start.held is None or now.held is not None:
        return False
    at = now.objects.get(start.held)
    return at is not None and math.hypot(at.x_m - surface.x_m, at.y_m - surface.y_m) <= ON_SPOT_M


def _waited(robot: RobotDescription, asked: Json, told: Json, start: Snapshot, now: Snapshot) -> bool:
    return now.at_s - start.at_s >= float(asked['duration_s']) - WAIT_SLACK_S


def _looked(robot: RobotDescription, asked: Json, told: Json, start: Snapshot, now: Snapshot) -> bool:
    return {str(item['id']) for item in told.get('objects', ())} == now.seen


def _told_state(robot: RobotDescription, asked: Json, told: Json, start: Snapshot, now: Snapshot) -> bool:
    pose = told.get('pose')
    return not isinstance(pose, dict) or math.hypot(pose['x_m'] - now.pose.x_m, pose['y_m'] - now.pose.y_m) <= STATE_M


_JUDGES: dict[str, Judge] = {
    'move_relative': _moved,
    'rotate_relative': _turned,
    'navigate_to': _navigated,
    'go_to_safe_pose': _parked,
    'pick': _picked,
    'place': _placed,
    'wait': _waited,
    'look': _looked,
    'get_robot_state': _told_state,
}
