"""Driving to a pose of the map and judging whether the base is there. Shared by all skills that end at a pose."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from robot_tool_agent.core.geometry import Pose2D, wrap_angle, ZERO_TWIST
from robot_tool_agent.core.motion import Motion
from robot_tool_agent.core.navigation import Follower, FollowerState, house_map, ProgressWatch, Route
from robot_tool_agent.core.outcomes import Effect, ErrorCode
from robot_tool_agent.core.robot import Backend, RobotDescription
from robot_tool_agent.core.samples import Sample
from robot_tool_agent.core.sensors import Instant, SensorView
from robot_tool_agent.core.skills.base import Json, Refusal, Services, Step, StepStatus, Verdict
from robot_tool_agent.core.skills.blocked import stuck_step
from robot_tool_agent.core.skills.evidence import check, evidence, pose_json, rounded
from robot_tool_agent.core.skills.remote_drive import RemoteDrive
from robot_tool_agent.core.skills.travel import base_has_news, travel_since, unknown

STANDING = Motion(twist=ZERO_TWIST)


class Drive(Protocol):
    """A drive to a pose. `problem` says why there is no way, empty if there is one."""

    problem: str

    def tick(self, view: SensorView, now_s: float) -> Step:
        """Return the motion wanted now; FINISHED once it is over."""

    def release(self) -> None:
        """Let go of what the drive took outside this process."""


def drive_to(start: Pose2D, goal: Pose2D, robot: RobotDescription, services: Services) -> Drive:
    """Return a drive between poses of the map by the robot's navigation backend."""
    if robot.navigation.backend is Backend.BUILT_IN:
        return PoseDrive(start, goal, robot)
    assert services.navigator is not None  # refused before: see backend_refusal
    return RemoteDrive(goal, robot, services.navigator)


def backend_refusal(robot: RobotDescription, services: Services) -> Refusal | None:
    """Refuse while a navigation stack outside the suite is wanted and not there."""
    if robot.navigation.backend is Backend.BUILT_IN:
        return None
    problem = 'there is none in this process' if services.navigator is None else services.navigator.problem()
    if not problem:
        return None
    message = f'the navigation stack cannot take a goal: {problem}; start it, or wait until it is active'
    return Refusal(ErrorCode.PRECONDITION_FAILED, message)


class PoseDrive:
    """One drive to a pose (map frame). It plans when it is made."""

    def __init__(self, start: Pose2D, goal: Pose2D, robot: RobotDescription) -> None:
        self.goal = goal
        self.route: Route = house_map(robot).route(start.point, goal.point)
        self.problem = self.route.problem
        self._follower = Follower(self.route.points or (goal.point,), goal.yaw_rad, robot.limits)
        self._watch = ProgressWatch()

    def tick(self, view: SensorView, now_s: float) -> Step:
        """Return the motion wanted now; FINISHED once the base is at the pose."""
        pose = view.map_pose()
        if pose is None:
            return Step(StepStatus.RUNNING, STANDING, detail='waiting for a pose')
        step = self._follower.step(pose, view.base_stands())
        if self._watch.is_stuck(view, step.twist, now_s):
            return stuck_step(view)
        detail = f'{step.state.value}, {step.left_m:.2f} m left'
        if step.state is FollowerState.ARRIVED:
            return Step(StepStatus.FINISHED, STANDING, 1.0, 'arrived')
        progress = 1.0 - min(1.0, step.left_m / max(self.route.length_m, 0.1))
        return Step(StepStatus.RUNNING, Motion(twist=step.twist), min(progress, 0.99), detail)

    def release(self) -> None:
        """Nothing to let go: the way is driven here."""


def judge_pose(view: SensorView, start: Mapping[str, Any], since: Instant, goal: Pose2D, name: str) -> Verdict | None:
    """Return whether fresh odometry and fresh localization agree that the base is at a pose of the map."""
    pose, travel = view.map_pose(), travel_since(view, start)
    if not base_has_news(view, since) or pose is None:
        return None
    if travel is None:
        return unknown('the start pose is not known, so the way cannot be judged', {'topic': 'odom'})
    checks = [_pose_check(view, 'odom', travel.odom, pose, goal)]
    if travel.localization is not None:
        checks.insert(0, _pose_check(view, 'global_pose', travel.localization, travel.localization.pose, goal))
    proof = evidence(*checks, *travel.checks())
    if travel.contradiction:
        return unknown(travel.contradiction, proof)
    best = pose if travel.localization is None else travel.localization.pose
    moved_m, left_m = travel.best.distance_to(Pose2D(0.0, 0.0, 0.0)), best.distance_to(goal)
    yaw_left_rad = wrap_angle(goal.yaw_rad - best.yaw_rad)
    result = {'pose': pose_json(best), 'moved_m': rounded(moved_m), 'left_m': rounded(left_m)}
    result['yaw_left_rad'] = rounded(yaw_left_rad)
    if all(_within(view.robot, measured, goal) for measured in (pose, best)):
        return Verdict(True, Effect.DONE, f'at {name}, {left_m:.3f} m off', proof, result)
    effect = Effect.NONE if travel.is_still else Effect.PARTIAL
    left = f'{left_m:.2f} m in a straight line and {yaw_left_rad:.2f} rad left'
    message = f'not at {name}: moved {moved_m:.2f} m, {left}'
    return Verdict(False, effect, message, proof, result)


def _within(robot: RobotDescription, pose: Pose2D, goal: Pose2D) -> bool:
    near = pose.distance_to(goal) <= robot.limits.position_tolerance_m
    return near and abs(wrap_angle(pose.yaw_rad - goal.yaw_rad)) <= robot.limits.yaw_tolerance_rad


def _pose_check(view: SensorView, topic: str, sample: Sample, pose: Pose2D, goal: Pose2D) -> Json:
    limits = view.robot.limits
    errors = {
        'position_error_m': rounded(pose.distance_to(goal)),
        'yaw_error_rad': rounded(abs(wrap_angle(pose.yaw_rad - goal.yaw_rad))),
    }
    tolerance = {'position_m': limits.position_tolerance_m, 'yaw_rad': limits.yaw_tolerance_rad}
    return check(topic, sample, {**pose_json(pose), **errors}, pose_json(goal), tolerance)
