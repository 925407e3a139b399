"""move_relative: drive a distance straight ahead or back."""

from __future__ import annotations

from collections.abc import Mapping
import math
from typing import Any, ClassVar

from pydantic import Field, field_validator
from robot_tool_agent.core.geometry import Point, Pose2D, ZERO_TWIST
from robot_tool_agent.core.motion import Motion
from robot_tool_agent.core.navigation import house_map, ProgressWatch
from robot_tool_agent.core.navigation.straight import StraightDrive
from robot_tool_agent.core.outcomes import Effect, ErrorCode
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.sensors import Instant, SensorView
from robot_tool_agent.core.skills.base import Json, Refusal, Resource, Skill, SkillArguments, Step, StepStatus, Verdict
from robot_tool_agent.core.skills.blocked import stuck_step
from robot_tool_agent.core.skills.evidence import check, evidence, rounded
from robot_tool_agent.core.skills.schema import no_less_than
from robot_tool_agent.core.skills.travel import (
    base_has_news,
    localization_refusal,
    pose_facts,
    Travel,
    travel_since,
    unknown,
)

MIN_DISTANCE_M = 0.02
STEP_M = 0.05


class MoveRelativeArguments(SkillArguments):
    """Arguments of `move_relative`."""

    distance_m: float = Field(ge=-5.0, le=5.0, description='metres ahead, negative for backwards')
    rules: ClassVar[Json] = {'properties': {'distance_m': no_less_than(MIN_DISTANCE_M)}}

    @field_validator('distance_m')
    @classmethod
    def _not_nothing(cls, value: float) -> float:
        if abs(value) < MIN_DISTANCE_M:
            raise ValueError(f'a motion of less than {MIN_DISTANCE_M} m cannot be told from standing still')
        return value


class MoveRelative(Skill[MoveRelativeArguments]):
    """Drives along the heading it starts with. Odometry measures it, localization must agree."""

    name = 'move_relative'
    description = """
        Drive straight ahead or straight back by a distance from where the robot stands.
        Does: keep the heading, stop at the distance, measure with odometry, compare with localization.
        Does not: turn, drive around anything, or go to a named place (use navigate_to).
        Arguments: an object with one field.
        distance_m: metres, -5 to 5, not 0; positive is ahead, negative is back.
        The smallest distance is 0.02 m, less cannot be measured.
        Example: {"distance_m": 0.5} drives half a metre ahead.
        Example: {"distance_m": -0.3} backs up by 30 cm.
        Wrong: {"distance_m": 50} (above 5), {"distance_m": "1"} (text), {"distance_cm": 50} (unknown field).
        Backwards is slower than ahead.
        Careful: repeating it moves the robot again by the same distance.
        After an unclear end do not send it again; call get_robot_state and decide by the pose.
        Errors:
        INVALID_ARGUMENT: the distance is missing, zero, no number, or out of range.
        PRECONDITION_FAILED: a known wall is in the way; the text says how many metres are free.
        STALE_SENSOR: the robot does not know where it is; wait.
        EXECUTION_ERROR: the robot did not move although told to; something blocks it.
        VERIFICATION_FAILED: the measured distance differs; moved_m and left_m say by how much.
        UNRESOLVED_CALL: an earlier motion has an unclear end; it must be resolved first.
        Result: moved_m, left_m and sideways_m, as measured.
        """
    arguments_type = MoveRelativeArguments
    resources = frozenset({Resource.BASE})
    timeout_s = 40.0
    required_topics = ('odom', 'global_pose')

    def __init__(self, arguments: MoveRelativeArguments, robot: RobotDescription) -> None:
        super().__init__(arguments, robot)
        self._drive: StraightDrive | None = None
        self._watch = ProgressWatch()

    @property
    def tolerance_m(self) -> float:
        """How far the end may be off: 2 cm and a tenth of the way, at most half of it and the robot's tolerance."""
        way_m = abs(self.arguments.distance_m)
        return min(self.robot.limits.position_tolerance_m, 0.02 + 0.1 * way_m, 0.5 * way_m)

    def refusal(self, view: SensorView, now_s: float) -> Refusal | None:
        """Refuse a way that a known wall or the geofence cuts."""
        lost, pose = localization_refusal(view, now_s), view.map_pose()
        if lost is not None or pose is None:
            return lost
        wanted_m = self.arguments.distance_m
        free_m = free_distance_m(self.robot, pose, wanted_m)
        if free_m >= abs(wanted_m):
            return None
        where = 'ahead' if wanted_m > 0.0 else 'behind'
        message = f'only {free_m:.2f} m are free {where} before a known wall or the edge of the area'
        return Refusal(ErrorCode.PRECONDITION_FAILED, message, {'free_m': rounded(free_m), 'wanted_m': wanted_m})

    def start_facts(self, view: SensorView) -> Json:
        """Keep where the base starts."""
        return pose_facts(view)

    def begin(self, view: SensorView, now_s: float) -> None:
        """Fix the line in the odom frame."""
        if view.odom is not None:
            self._drive = StraightDrive(view.odom.pose, self.arguments.distance_m, self.robot.limits)

    def tick(self, view: SensorView, now_s: float) -> Step:
        """Follow the line by odometry."""
        if self._drive is None or view.odom is None:
            return Step(StepStatus.FAILED, error=ErrorCode.EXECUTION_ERROR, detail='no odometry at the start')
        left_m = self._drive.left_m(view.odom.pose)
        if self._drive.is_over(view.odom.pose):
            return Step(StepStatus.FINISHED, Motion(twist=ZERO_TWIST), 1.0, 'distance driven')
        twist = self._drive.twist(view.odom.pose)
        if self._watch.is_stuck(view, twist, now_s):
            return stuck_step(view)
        progress = 1.0 - min(1.0, abs(left_m / self.arguments.distance_m))
        return Step(StepStatus.RUNNING, Motion(twist=twist), progress, f'{abs(left_m):.2f} m left')

    def verify(self, view: SensorView, start: Mapping[str, Any], since: Instant) -> Verdict | None:
        """Compare the displacement with the wanted one, by odometry and by localization."""
        travel = travel_since(view, start)
        if not base_has_news(view, since):
            return None
        if travel is None:
            return unknown('the start pose is not known, so the distance cannot be judged', {'topic': 'odom'})
        proof = evidence(self._check(travel), *travel.checks())
        if travel.contradiction:
            return unknown(travel.contradiction, proof)
        moved_m, left_m = travel.best.x_m, self.arguments.distance_m - travel.best.x_m
        result = {'moved_m': rounded(moved_m), 'left_m': rounded(left_m), 'sideways_m': rounded(travel.best.y_m)}
        reached = [self._error_m(pose) <= self.tolerance_m for pose in (travel.by_odom, travel.best)]
        if all(reached):
            return Verdict(True, Effect.DONE, f'moved {moved_m:.3f} m', proof, result)
        if any(reached):
            return unknown('odom and global_pose disagree whether the distance was driven', proof)
        effect = Effect.NONE if travel.is_still else Effect.PARTIAL
        message = f'moved {moved_m:.2f} m of {self.arguments.distance_m:.2f} m, {left_m:.2f} m left'
        return Verdict(False, effect, message, proof, result)

    def _error_m(self, moved: Pose2D) -> float:
        return math.hypot(moved.x_m - self.arguments.distance_m, moved.y_m)

    def _check(self, travel: Travel) -> Json:
        measured = {'moved_m': rounded(travel.by_odom.x_m), 'sideways_m': rounded(travel.by_odom.y_m)}
        wanted = {'moved_m': self.arguments.distance_m, 'sideways_m': 0.0}
        return check('odom', travel.odom, measured, wanted, {'position_m': rounded(self.tolerance_m)})


def free_distance_m(robot: RobotDescription, pose: Pose2D, distance_m: float) -> float:
    """Return how many metres of a straight way are free by the known map; going away from a near wall is free."""
    known = house_map(robot)
    keep_m = robot.footprint.circumscribed_m + robot.limits.stop_distance_m
    count = math.ceil(abs(distance_m) / STEP_M)
    before_m = known.clearance_m(pose.point)
    for step in range(1, count + 1):
        point = pose.transform_point(Point(distance_m * step / count, 0.0))
        clearance_m = known.clearance_m(point)
        leaves = clearance_m >= before_m
        if not robot.inside_geofence(point) or (clearance_m < keep_m and not leaves):
            return abs(distance_m) * (step - 1) / count
        before_m = clearance_m
    return abs(distance_m)
