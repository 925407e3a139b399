"""rotate_relative: turn in place by an angle."""

from __future__ import annotations

from collections.abc import Mapping
import math
from typing import Any, ClassVar

from pydantic import Field, field_validator
from robot_tool_agent.core.geometry import wrap_angle, ZERO_TWIST
from robot_tool_agent.core.motion import Motion
from robot_tool_agent.core.navigation import ProgressWatch
from robot_tool_agent.core.navigation.steering import turn_towards
from robot_tool_agent.core.navigation.turning import TurnCounter
from robot_tool_agent.core.outcomes import Effect, ErrorCode
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.sensors import Instant, SensorView
from robot_tool_agent.core.skills.base import Json, Refusal, Resource, Skill, SkillArguments, Step, StepStatus, Verdict
from robot_tool_agent.core.skills.blocked import stuck_step
from robot_tool_agent.core.skills.evidence import check, evidence, rounded
from robot_tool_agent.core.skills.schema import no_less_than
from robot_tool_agent.core.skills.travel import (
    base_has_news,
    DRIFT_RAD,
    localization_refusal,
    pose_facts,
    Travel,
    travel_since,
    unknown,
)

MIN_ANGLE_RAD = 0.05
DONE_RAD = 0.01


class RotateRelativeArguments(SkillArguments):
    """Arguments of `rotate_relative`."""

    angle_rad: float = Field(ge=-6.2832, le=6.2832, description='radians, positive turns left')
    rules: ClassVar[Json] = {'properties': {'angle_rad': no_less_than(MIN_ANGLE_RAD)}}

    @field_validator('angle_rad')
    @classmethod
    def _not_nothing(cls, value: float) -> float:
        if abs(value) < MIN_ANGLE_RAD:
            raise ValueError(f'a turn of less than {MIN_ANGLE_RAD} rad cannot be told from standing still')
        return value


class RotateRelative(Skill[RotateRelativeArguments]):
    """Turns in place. Odometry counts the turn, localization must agree."""

    name = 'rotate_relative'
    description = """
        Turn the base in place by an angle from the heading it has.
        Does: turn left or right, stop at the angle, measure with odometry, compare with localization.
        Does not: drive anywhere, or turn to a heading of the map (use navigate_to with yaw_rad).
        Arguments: an object with one field.
        angle_rad: radians, -6.2832 to 6.2832, not 0; positive is left (counter-clockwise), negative is right.
        Convert degrees first: 90 degrees are 1.5708, 180 degrees 3.1416, 360 degrees 6.2832.
        The smallest angle is 0.05 rad, less cannot be measured.
        Example: {"angle_rad": 1.5708} turns left by a quarter.
        Example: {"angle_rad": -0.7854} turns right by an eighth.
        Wrong: {"angle_rad": 90} (degrees), {"angle_deg": 90} (unknown field), {"angle_rad": "pi"} (text).
        Careful: repeating it turns the robot again by the same angle.
        After an unclear end do not send it again; call get_robot_state and decide by yaw_rad.
        Errors:
        INVALID_ARGUMENT: the angle is missing, zero, no number, or out of range; often it was given in degrees.
        EXECUTION_ERROR: the robot did not turn although told to; something blocks it.
        VERIFICATION_FAILED: the measured angle differs; turned_rad and left_rad say by how much.
        UNRESOLVED_CALL: an earlier motion has an unclear end; it must be resolved first.
        SAFETY_LOCKED, STOPPED_BY_SAFETY: motion is not allowed now; wait until it is.
        Result: turned_rad and left_rad, as measured.
        """
    arguments_type = RotateRelativeArguments
    resources = frozenset({Resource.BASE})
    timeout_s = 30.0
    required_topics = ('odom', 'global_pose')

    def __init__(self, arguments: RotateRelativeArguments, robot: RobotDescription) -> None:
        super().__init__(arguments, robot)
        self._odom_turn = TurnCounter()
        self._global_turn = TurnCounter()
        self._watch = ProgressWatch()

    @property
    def tolerance_rad(self) -> float:
        """How far the end may be off: the robot's tolerance, at most half of the angle."""
        return min(self.robot.limits.yaw_tolerance_rad, 0.5 * abs(self.arguments.angle_rad))

    def refusal(self, view: SensorView, now_s: float) -> Refusal | None:
        """Refuse while the robot is not localized: the turn could not be checked."""
        return localization_refusal(view, now_s)

    def start_facts(self, view: SensorView) -> Json:
        """Keep where the base starts."""
        return pose_facts(view)

    def begin(self, view: SensorView, now_s: float) -> None:
        """Start counting the turn."""
        self._count(view)

    def tick(self, view: SensorView, now_s: float) -> Step:
        """Turn until the counted angle is the wanted one."""
        self._count(view)
        if not self._odom_turn.started:
            return Step(StepStatus.FAILED, error=ErrorCode.EXECUTION_ERROR, detail='no odometry at the start')
        wanted_rad = self.arguments.angle_rad
        left_rad = wanted_rad - self._odom_turn.turned_rad
        if left_rad * math.copysign(1.0, wanted_rad) <= DONE_RAD:
            return Step(StepStatus.FINISHED, Motion(twist=ZERO_TWIST), 1.0, 'angle turned')
        twist = turn_towards(left_rad, self.robot.limits)
        if self._watch.is_stuck(view, twist, now_s):
            return stuck_step(view)
        progress = 1.0 - min(1.0, abs(left_rad / wanted_rad))
        return Step(StepStatus.RUNNING, Motion(twist=twist), progress, f'{abs(left_rad):.2f} rad left')

    def verify(self, view: SensorView, start: Mapping[str, Any], since: Instant) -> Verdict | None:
        """Compare the turn with the wanted one, by odometry and by localization."""
        travel = travel_since(view, start)
        if not base_has_news(view, since):
            return None
        if travel is None:
            return unknown('the start heading is not known, so the turn cannot be judged', {'topic': 'odom'})
        if self._odom_turn.started:
            self._count(view)
        odom_rad, best_rad = self._turned(travel)
        proof = evidence(self._check(travel, odom_rad), *travel.checks())
        doubt = self._doubt(travel, odom_rad, best_rad)
        return unknown(doubt, proof) if doubt else self._judged(travel, odom_rad, best_rad, proof)

    def _judged(self, travel: Travel, odom_rad: float, best_rad: float, proof: Json) -> Verdict:
        wanted_rad = self.arguments.angle_rad
        left_rad = wanted_rad - best_rad
        result = {'turned_rad': rounded(best_rad), 'left_rad': rounded(left_rad)}
        reached = [abs(error_rad) <= self.tolerance_rad for error_rad in (odom_rad - wanted_rad, left_rad)]
        if all(reached):
            return Verdict(True, Effect.DONE, f'turned {best_rad:.3f} rad', proof, result)
        if any(reached):
            return unknown('odom and global_pose disagree whether the angle was turned', proof)
        still = travel.is_still and abs(odom_rad) < 1.0
        message = f'turned {best_rad:.2f} rad of {wanted_rad:.2f} rad, {left_rad:.2f} rad left'
        return Verdict(False, Effect.NONE if still else Effect.PARTIAL, message, proof, result)

    def _turned(self, travel: Travel) -> tuple[float, float]:
        """Return the turn by odometry and by the best sensor: counted where this process saw all of it."""
        if self._odom_turn.started:
            odom_rad = self._odom_turn.turned_rad
            return odom_rad, odom_rad if travel.by_global is None else self._global_turn.turned_rad
        odom_rad = self._unwrapped(travel.by_odom.yaw_rad)
        return odom_rad, self._unwrapped(travel.best.yaw_rad)

    def _unwrapped(self, yaw_rad: float) -> float:
        """Return the turn nearest to the wanted one among those that end at a heading."""
        return self.arguments.angle_rad + wrap_angle(yaw_rad - self.arguments.angle_rad)

    def _doubt(self, travel: Travel, odom_rad: float, best_rad: float) -> str:
        """Say why the sensors cannot tell, an empty text if they can."""
        if abs(odom_rad - best_rad) > DRIFT_RAD:
            return f'odom and global_pose contradict each other by {abs(odom_rad - best_rad):.2f} rad'
        if not self._odom_turn.started and abs(self.arguments.angle_rad) > math.pi - DRIFT_RAD:
            return 'nobody counted the turn, and its end alone cannot tell a half turn from more or from none'
        return travel.contradiction

    def _check(self, travel: Travel, odom_rad: float) -> Json:
        measured, wanted = {'turned_rad': rounded(odom_rad)}, {'turned_rad': self.arguments.angle_rad}
        return check('odom', travel.odom, measured, wanted, {'yaw_rad': rounded(self.tolerance_rad)})

    def _count(self, view: SensorView) -> None:
        if view.odom is not None:
            self._odom_turn.take(view.odom.pose.yaw_rad)
        if view.global_pose is not None:
            self._global_turn.take(view.global_pose.pose.yaw_rad)
