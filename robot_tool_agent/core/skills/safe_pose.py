"""go_to_safe_pose: drive to the nearest parking pose."""

from __future__ import annotations

from collections.abc import Mapping
import math
from typing import Any

from robot_tool_agent.core.geometry import Pose2D
from robot_tool_agent.core.navigation import house_map
from robot_tool_agent.core.outcomes import ErrorCode
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.sensors import Instant, SensorView
from robot_tool_agent.core.skills.base import Json, Refusal, Resource, RetryPolicy, Skill, Step, StepStatus, Verdict
from robot_tool_agent.core.skills.look import NoArguments
from robot_tool_agent.core.skills.navigate import route_refusal
from robot_tool_agent.core.skills.pose_goal import backend_refusal, Drive, drive_to, judge_pose
from robot_tool_agent.core.skills.travel import localization_refusal, pose_facts


class GoToSafePose(Skill[NoArguments]):
    """Drives to the safe pose with the shortest route. Which one it is, is kept with the start facts."""

    name = 'go_to_safe_pose'
    description = """
        Drive the base to the nearest safe pose, a spot where the robot may be left alone.
        Does: choose the safe pose with the shortest way, drive there around walls, check it with the sensors.
        Does not: put down what the gripper holds, charge the robot, or switch it off.
        It is an ordinary motion, not an emergency stop: it needs motion to be allowed.
        Use it when a task is over, or when a task cannot go on and the robot is in the way.
        To stop at once, cancel the running call or ask the operator.
        Which spots are safe is set in the robot's description and cannot be chosen here.
        Arguments: none; send an empty object.
        Example: {}
        Wrong: {"place": "dock"} (no field is known; for a place use navigate_to), null (not an object).
        Repeating it is harmless: a robot at a safe pose stays.
        Errors:
        PRECONDITION_FAILED: no safe pose can be reached from here; ask the operator.
        STALE_SENSOR: the robot does not know where it is; wait.
        EXECUTION_ERROR: the robot did not move although told to; something blocks it.
        VERIFICATION_FAILED: it stopped elsewhere; left_m says how far away.
        SAFETY_LOCKED, STOPPED_BY_SAFETY: safety is in charge and may be parking the robot itself; wait.
        Result: safe_pose (its name), pose, moved_m, left_m and yaw_left_rad.
        """
    arguments_type = NoArguments
    idempotent = True
    retry = RetryPolicy(attempts=2, backoff_s=0.5, jitter=0.5, deadline_s=60.0)
    judged_after_retreat = True
    resources = frozenset({Resource.BASE})
    timeout_s = 90.0
    required_topics = ('odom', 'global_pose')

    def __init__(self, arguments: NoArguments, robot: RobotDescription) -> None:
        super().__init__(arguments, robot)
        self._drive: Drive | None = None

    def refusal(self, view: SensorView, now_s: float) -> Refusal | None:
        """Refuse when no safe pose can be reached."""
        lost, pose = localization_refusal(view, now_s), view.map_pose()
        if lost is not None or pose is None:
            return lost
        if nearest_safe_pose(self.robot, pose) is None:
            return route_refusal('no safe pose can be reached from here')
        return backend_refusal(self.robot, self.services)

    def start_facts(self, view: SensorView) -> Json:
        """Keep where the base starts and which safe pose is its goal."""
        pose = view.map_pose()
        return {**pose_facts(view), 'safe_pose': None if pose is None else nearest_safe_pose(self.robot, pose)}

    def begin(self, view: SensorView, now_s: float) -> None:
        """Plan the route."""
        pose = view.map_pose()
        name = None if pose is None else nearest_safe_pose(self.robot, pose)
        if pose is not None and name is not None:
            self._drive = drive_to(pose, self.robot.safe_poses[name].pose, self.robot, self.services)

    def tick(self, view: SensorView, now_s: float) -> Step:
        """Follow the route."""
        if self._drive is None or self._drive.problem:
            return Step(StepStatus.FAILED, error=ErrorCode.EXECUTION_ERROR, detail='no route')
        return self._drive.tick(view, now_s)

    def release(self) -> None:
        """End the drive."""
        if self._drive is not None:
            self._drive.release()

    def verify(self, view: SensorView, start: Mapping[str, Any], since: Instant) -> Verdict | None:
        """Ask odometry and localization whether the base is at the safe pose that was chosen."""
        name = start.get('safe_pose')
        if name not in self.robot.safe_poses:
            return None
        verdict = judge_pose(view, start, since, self.robot.safe_poses[name].pose, str(name))
        if verdict is not None:
            verdict.result['safe_pose'] = name
        return verdict


def nearest_safe_pose(robot: RobotDescription, pose: Pose2D) -> str | None:
    """Return the name of the safe pose with the shortest route, None if none can be reached."""
    known = house_map(robot)
    best, best_m = None, math.inf
    for name, safe in sorted(robot.safe_poses.items(), key=lambda item: pose.distance_to(item[1].pose)):
        if pose.distance_to(safe.pose) >= best_m:
            break
        route = known.route(pose.point, safe.pose.point)
        if not route.problem and route.length_m < best_m:
            best, best_m = name, route.length_m
    return best
