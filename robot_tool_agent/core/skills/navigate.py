"""navigate_to: drive to a named place or a pose of the map."""

from __future__ import annotations

from collections.abc import Mapping
import difflib
from typing import Any, ClassVar

from pydantic import Field, model_validator
from robot_tool_agent.core.geometry import Pose2D
from robot_tool_agent.core.navigation import house_map
from robot_tool_agent.core.outcomes import ErrorCode
from robot_tool_agent.core.robot import Backend, RobotDescription
from robot_tool_agent.core.sensors import Instant, SensorView
from robot_tool_agent.core.skills.arguments import shorten
from robot_tool_agent.core.skills.base import (
    Json,
    Refusal,
    Resource,
    RetryPolicy,
    Skill,
    SkillArguments,
    Step,
    StepStatus,
    Verdict,
)
from robot_tool_agent.core.skills.pose_goal import backend_refusal, Drive, drive_to, judge_pose
from robot_tool_agent.core.skills.schema import Entity, entity_names, names_entity
from robot_tool_agent.core.skills.travel import localization_refusal, pose_facts

PLACE_FIELD: Any = names_entity(Entity.PLACE)


class NavigateToArguments(SkillArguments):
    """Arguments of `navigate_to`: a place, or all three numbers of a pose."""

    place: str | None = Field(
        default=None, min_length=1, max_length=64, description='name of a known place.', json_schema_extra=PLACE_FIELD
    )
    x_m: float | None = Field(default=None, ge=-1000.0, le=1000.0, description='x in the map, metres')
    y_m: float | None = Field(default=None, ge=-1000.0, le=1000.0, description='y in the map, metres')
    yaw_rad: float | None = Field(default=None, ge=-6.3, le=6.3, description='heading in the map, radians')
    rules: ClassVar[Json] = {
        'oneOf': [
            {'required': ['place'], 'maxProperties': 1},
            {'required': ['x_m', 'y_m', 'yaw_rad'], 'maxProperties': 3},
        ]
    }

    @model_validator(mode='after')
    def _one_form(self) -> NavigateToArguments:
        numbers = [self.x_m, self.y_m, self.yaw_rad]
        given = sum(number is not None for number in numbers)
        if (self.place is None, given) not in ((False, 0), (True, 3)):
            raise ValueError('give either {place} alone or {x_m, y_m, yaw_rad} together')
        return self


class NavigateTo(Skill[NavigateToArguments]):
    """Plans a route around the known walls, follows it and turns to the final heading."""

    name = 'navigate_to'
    description = """
        Drive the base to a named place, or to a pose of the map, around walls and through doors.
        Does: plan a route in the known map, follow it, turn to the final heading, check the pose with the sensors.
        Does not: pick or place anything, open doors, or drive through people or things that stand in the way.
        What the gripper holds stays in it.
        Arguments, exactly one of two forms:
        place: the name of a known place, spelled as in the list of valid values.
        x_m, y_m, yaw_rad: all three numbers of a pose in the map.
        Units: metres and radians; yaw_rad 0 looks along x, 1.5708 along y.
        Example: {"place": "kitchen"}
        Example: {"x_m": 2.0, "y_m": 1.9, "yaw_rad": 0.0}
        Wrong: {"place": "kitchen", "x_m": 2.0} (both forms), {"x_m": 2.0, "y_m": 1.9} (yaw_rad is missing).
        For a distance from where the robot stands use move_relative.
        Repeating it is harmless: a robot that is there already stays.
        Errors:
        UNKNOWN_ENTITY: no such place; valid_values lists the names.
        INVALID_ARGUMENT: a form is incomplete, or the goal is outside the map or inside a wall.
        PRECONDITION_FAILED: no way leads there that is wide enough for the robot.
        STALE_SENSOR: the robot does not know where it is; wait.
        EXECUTION_ERROR: the robot did not move although told to; something blocks it.
        VERIFICATION_FAILED: it stopped elsewhere; left_m says how far away.
        SAFETY_LOCKED, STOPPED_BY_SAFETY: motion is not allowed now; wait until it is.
        Result: pose, moved_m, left_m and yaw_left_rad.
        """
    arguments_type = NavigateToArguments
    idempotent = True
    retry = RetryPolicy(attempts=2, backoff_s=0.5, jitter=0.5, deadline_s=60.0)
    judged_after_retreat = True
    resources = frozenset({Resource.BASE})
    timeout_s = 90.0
    required_topics = ('odom', 'global_pose')

    def __init__(self, arguments: NavigateToArguments, robot: RobotDescription) -> None:
        super().__init__(arguments, robot)
        self._drive: Drive | None = None

    def goal(self) -> Pose2D | None:
        """Return the wanted pose in the map, None for a place that does not exist."""
        wanted = self.arguments
        if wanted.x_m is not None and wanted.y_m is not None and wanted.yaw_rad is not None:
            return Pose2D(wanted.x_m, wanted.y_m, wanted.yaw_rad)
        key = self.robot.find_place(wanted.place or '')
        return None if key is None else self.robot.places[key].pose

    def refusal(self, view: SensorView, now_s: float) -> Refusal | None:
        """Refuse an unknown place, a goal no base can stand at, and a goal without a way."""
        goal, pose = self.goal(), view.map_pose()
        if goal is None:
            return unknown_place(self.arguments.place or '', entity_names(Entity.PLACE, self.robot))
        problem = house_map(self.robot).goal_problem(goal.point)
        if problem:
            return Refusal(ErrorCode.INVALID_ARGUMENT, f'navigate_to: {problem}')
        lost = localization_refusal(view, now_s)
        if lost is not None or pose is None:
            return lost
        if self.robot.navigation.backend is not Backend.BUILT_IN:
            return backend_refusal(self.robot, self.services)
        return route_refusal(house_map(self.robot).route(pose.point, goal.point).problem)

    def start_facts(self, view: SensorView) -> Json:
        """Keep where the base starts."""
        return pose_facts(view)

    def begin(self, view: SensorView, now_s: float) -> None:
        """Plan the route from where the base is now."""
        goal, pose = self.goal(), view.map_pose()
        if goal is not None and pose is not None:
            self._drive = drive_to(pose, goal, self.robot, self.services)

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
        """Ask odometry and localization whether the base is at the goal."""
        goal = self.goal()
        if goal is None:
            return None
        return judge_pose(view, start, since, goal, self.arguments.place or 'the wanted pose')


def unknown_place(name: str, valid: list[str]) -> Refusal:
    """Refuse a place that is not known, with the names that are."""
    close = difflib.get_close_matches(name.casefold(), valid, n=1)
    hint = f'did you mean {close[0]}? ' if close else ''
    details: Json = {'field': 'place', 'value': shorten(name), 'expected': 'name of a known place'}
    message = f'no such place {shorten(name)}; {hint}valid: {", ".join(valid)}'
    return Refusal(ErrorCode.UNKNOWN_ENTITY, message, {**details, 'valid_values': valid})


def route_refusal(problem: str) -> Refusal | None:
    """Refuse when there is no way, None when the problem is empty."""
    if not problem:
        return None
    return Refusal(ErrorCode.PRECONDITION_FAILED, f'{problem}; choose another goal or move the robot first')
