"""pick: take an object into the gripper."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from pydantic import Field
from robot_tool_agent.core.geometry import Point
from robot_tool_agent.core.outcomes import Effect, ErrorCode
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.samples import SeenObject
from robot_tool_agent.core.sensors import Instant, SensorView
from robot_tool_agent.core.skills.base import (
    Json,
    Offer,
    Refusal,
    Resource,
    Skill,
    SkillArguments,
    Step,
    StepStatus,
    Verdict,
)
from robot_tool_agent.core.skills.handling import Handling
from robot_tool_agent.core.skills.held import hand_has_news, see, Seen
from robot_tool_agent.core.skills.objects import find_object, position_of
from robot_tool_agent.core.skills.reach import plan_reach, RANGE_M
from robot_tool_agent.core.skills.schema import Entity, names_entity
from robot_tool_agent.core.skills.travel import localization_refusal, pose_facts, unknown

UNMOVED_M = 0.05


class PickArguments(SkillArguments):
    """Arguments of `pick`."""

    object: str = Field(
        min_length=1,
        max_length=64,
        description='id of a seen object, or its label if only one has it',
        json_schema_extra=names_entity(Entity.OBJECT),
    )


class Pick(Skill[PickArguments]):
    """Drives up to a seen object, closes the gripper on it and backs off."""

    name = 'pick'
    description = """
        Take an object that the robot sees into its gripper.
        Does: drive close, creep up to it, close the gripper, back off, check that it came along.
        Does not: search for the object, come from another room, or take a second object.
        Before it: navigate_to the place where the object is, then look; the object must be within 1.5 m.
        Arguments: an object with one field.
        object: the id that look returned, or the label if only one seen object has it.
        Upper and lower case matter in an id, not in a label.
        Example: {"object": "cup_1"}
        Example: {"object": "cup"} if exactly one cup is seen.
        Wrong: {"object": "the cup in the kitchen"} (neither id nor label), {"id": "cup_1"} (unknown field).
        Careful: repeating it moves the robot again; after an unclear end call look and get_robot_state first.
        Success means that the gripper holds something and the object is seen in it.
        Errors:
        UNKNOWN_ENTITY: no such object is seen from here; valid_values lists what is seen.
        INVALID_ARGUMENT: several objects have that label; send one of the listed ids.
        PRECONDITION_FAILED: the gripper is not empty, the object is too far, or no side can be reached.
        STALE_SENSOR: no recent detections, gripper state or pose; wait.
        EXECUTION_ERROR: something blocked the robot or the object was lost from sight.
        VERIFICATION_FAILED: the gripper came back empty, or the object stayed or fell; the text says which.
        UNRESOLVED_CALL: an earlier motion has an unclear end; it must be resolved first.
        SAFETY_LOCKED, STOPPED_BY_SAFETY: motion is not allowed now; wait until it is.
        Result: object (its id), holding true or false, and where it is seen.
        """
    arguments_type = PickArguments
    resources = frozenset({Resource.BASE, Resource.ARM, Resource.GRIPPER})
    timeout_s = 40.0
    judged_after_retreat = True
    required_topics = ('odom', 'global_pose', 'joint_states', 'detected_objects')

    def __init__(self, arguments: PickArguments, robot: RobotDescription) -> None:
        super().__init__(arguments, robot)
        self._handling: Handling | None = None

    def refusal(self, view: SensorView, now_s: float) -> Refusal | None:
        """Refuse unless the object is seen and near, the gripper is empty, and a side can be reached."""
        found = find_object(view, self.arguments.object)
        if isinstance(found, Refusal):
            return found
        return self._gripper_refusal(view) or localization_refusal(view, now_s) or self._reach_refusal(view, found)

    def start_facts(self, view: SensorView) -> Json:
        """Keep where base and object are and how far the gripper is open."""
        found = find_object(view, self.arguments.object)
        facts: Json = {**pose_facts(view), 'opening_m': view.gripper_opening_m()}
        if isinstance(found, Refusal):
            return facts
        return {**facts, 'object': found.id, 'object_at': [found.position.x_m, found.position.y_m]}

    def begin(self, view: SensorView, now_s: float) -> None:
        """Fix which object is meant."""
        found, gripper = find_object(view, self.arguments.object), self.robot.gripper
        if gripper is not None and not isinstance(found, Refusal):
            locate = partial(position_of, object_id=found.id)
            self._handling = Handling(self.robot, gripper, locate, gripper.open_m, gripper.closed_m)

    def tick(self, view: SensorView, now_s: float) -> Step:
        """Approach, close, back off."""
        if self._handling is None:
            return Step(StepStatus.FAILED, error=ErrorCode.EXECUTION_ERROR, detail='the object is not seen')
        return self._handling.tick(view, now_s)

    def verify(self, view: SensorView, start: Mapping[str, Any], since: Instant) -> Verdict | None:
        """Compare what the gripper feels with where the object is seen."""
        if not hand_has_news(view, since):
            return None
        name, before = start.get('object'), start.get('object_at')
        seen = see(view, str(name), None if before is None else Point(*before))
        if seen is None or before is None:
            return unknown('the object was not known at the start', {'topic': 'detected_objects'})
        return self._judged(seen)

    def compensation(self, view: SensorView, verdict: Verdict) -> Offer | None:
        """Offer to take up the object where it was left."""
        left = verdict.result.get('object') if verdict.effect is Effect.PARTIAL else None
        return None if left is None else Offer('pick', {'object': left})

    def _judged(self, seen: Seen) -> Verdict:
        proof, result = seen.evidence(wanted_holding=True), seen.result()
        moved_m, at_gripper = seen.moved_m, seen.at_gripper
        if moved_m is None:
            return unknown(f'{seen.name} is not seen; gripper {seen.feels}', proof)
        unmoved = moved_m <= UNMOVED_M
        if seen.holding and at_gripper and not unmoved:
            return Verdict(True, Effect.DONE, f'holds {seen.name}', proof, result)
        if seen.holding and at_gripper:
            return unknown(f'{seen.name} is between the fingers where it was: it may not be held', proof)
        if seen.holding:
            return unknown(f'contradiction: the gripper feels something, {seen.name} is seen elsewhere', proof)
        if unmoved:
            message = f'the gripper is empty and {seen.name} is where it was'
            return Verdict(False, Effect.NONE, message, proof, result)
        message = f'the gripper is empty and {seen.name} was moved by {moved_m:.2f} m'
        return Verdict(False, Effect.PARTIAL, message, proof, result)

    def _gripper_refusal(self, view: SensorView) -> Refusal | None:
        gripper, opening_m = self.robot.gripper, view.gripper_opening_m()
        if gripper is None:
            return Refusal(ErrorCode.PRECONDITION_FAILED, 'this robot has no gripper')
        if opening_m is None:
            return Refusal(ErrorCode.STALE_SENSOR, f'joint_states does not report {gripper.joint}; wait')
        if gripper.holds(opening_m):
            return Refusal(ErrorCode.PRECONDITION_FAILED, 'the gripper holds something; place it first')
        return None

    def _reach_refusal(self, view: SensorView, found: SeenObject) -> Refusal | None:
        pose = view.map_pose()
        if pose is None:
            return None
        distance_m = pose.distance_to(found.position)
        if distance_m > RANGE_M:
            message = f'{found.id} is {distance_m:.2f} m away, at most {RANGE_M} m; navigate closer first'
            return Refusal(ErrorCode.PRECONDITION_FAILED, message, {'distance_m': round(distance_m, 3)})
        problem = plan_reach(self.robot, pose, found.position).problem
        return Refusal(ErrorCode.PRECONDITION_FAILED, f'{problem}; move the robot first') if problem else None
