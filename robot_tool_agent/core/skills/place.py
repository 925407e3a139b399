"""place: put down what the gripper holds."""

from __future__ import annotations

from collections.abc import Mapping
import math
from typing import Any

from pydantic import Field
from robot_tool_agent.core.geometry import Point
from robot_tool_agent.core.outcomes import Effect, ErrorCode
from robot_tool_agent.core.robot import RobotDescription
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
from robot_tool_agent.core.skills.evidence import point_json, rounded
from robot_tool_agent.core.skills.grasping import object_at_gripper
from robot_tool_agent.core.skills.handling import Handling
from robot_tool_agent.core.skills.held import hand_has_news, see, Seen
from robot_tool_agent.core.skills.navigate import unknown_place
from robot_tool_agent.core.skills.reach import plan_reach, RANGE_M
from robot_tool_agent.core.skills.schema import Entity, entity_names, names_entity
from robot_tool_agent.core.skills.travel import localization_refusal, pose_facts, unknown

SPOT_TOLERANCE_M = 0.10
SPOT_FREE_M = 0.12
SIDESTEPS_M = (0.0, 0.13, -0.13, 0.26, -0.26)
SURFACE_FIELD: Any = names_entity(Entity.SURFACE)


class PlaceArguments(SkillArguments):
    """Arguments of `place`."""

    place: str = Field(
        min_length=1, max_length=64, description='name of a place with a surface.', json_schema_extra=SURFACE_FIELD
    )


class PutDown(Skill[PlaceArguments]):
    """Drives up to a surface, opens the gripper over a free spot and backs off."""

    name = 'place'
    description = """
        Put down what the gripper holds on the surface of a place where the robot already stands.
        Does: drive close, creep up to a free spot, open the gripper, back off, check where the object is.
        Does not: drive to the place from afar, pick anything up, stack objects, or hand them to people.
        Before it: navigate_to the same place with the object in the gripper.
        Arguments: an object with one field.
        place: the name of a place that has a surface, or one of its other names in any language.
        Example: {"place": "table"}
        Wrong: {"place": "living_room"} (a room without a surface), {"object": "cup_1"} (unknown field).
        A spot that is taken is avoided; the object then comes to stand up to 0.26 m beside it.
        Careful: repeating it moves the robot again; after an unclear end call look and get_robot_state first.
        Success means that the gripper is open and away, and the object is seen on the spot.
        Errors:
        UNKNOWN_ENTITY: no such place with a surface; valid_values lists them.
        PRECONDITION_FAILED: nothing is held, the place is too far, or no spot is free or can be reached.
        STALE_SENSOR: no recent detections, gripper state or pose; wait.
        EXECUTION_ERROR: something blocked the robot or the gripper did not open.
        VERIFICATION_FAILED: the object is still held, or lies elsewhere; off_m says how far from the spot.
        UNRESOLVED_CALL: an earlier motion has an unclear end; it must be resolved first.
        SAFETY_LOCKED, STOPPED_BY_SAFETY: motion is not allowed now; wait until it is.
        Result: object, place, object_at and off_m, the distance from the spot.
        """
    arguments_type = PlaceArguments
    resources = frozenset({Resource.BASE, Resource.ARM, Resource.GRIPPER})
    timeout_s = 40.0
    judged_after_retreat = True
    required_topics = ('odom', 'global_pose', 'joint_states', 'detected_objects')

    def __init__(self, arguments: PlaceArguments, robot: RobotDescription) -> None:
        super().__init__(arguments, robot)
        self._handling: Handling | None = None

    def refusal(self, view: SensorView, now_s: float) -> Refusal | None:
        """Refuse unless something is held, the place has a free surface and is near."""
        valid = entity_names(Entity.SURFACE, self.robot)
        if self.robot.find_place(self.arguments.place) not in valid:
            return unknown_place(self.arguments.place, valid)
        return self._hand_refusal(view) or localization_refusal(view, now_s) or self._spot_refusal(view)

    def start_facts(self, view: SensorView) -> Json:
        """Keep where the base is, what is held and where it is to go."""
        held, spot = object_at_gripper(view), self._free_spot(view)
        facts: Json = {**pose_facts(view), 'opening_m': view.gripper_opening_m()}
        if held is None or spot is None:
            return facts
        at = [held.position.x_m, held.position.y_m]
        return {**facts, 'object': held.id, 'object_at': at, 'spot': [spot.x_m, spot.y_m]}

    def begin(self, view: SensorView, now_s: float) -> None:
        """Fix the spot."""
        spot, gripper = self._free_spot(view), self.robot.gripper
        if gripper is not None and spot is not None:
            self._handling = Handling(self.robot, gripper, lambda _: spot, None, gripper.open_m)

    def tick(self, view: SensorView, now_s: float) -> Step:
        """Approach, open, back off."""
        if self._handling is None:
            return Step(StepStatus.FAILED, error=ErrorCode.EXECUTION_ERROR, detail='no free spot')
        return self._handling.tick(view, now_s)

    def verify(self, view: SensorView, start: Mapping[str, Any], since: Instant) -> Verdict | None:
        """Compare what the gripper feels with where the object is seen."""
        if not hand_has_news(view, since):
            return None
        before, spot = start.get('object_at'), start.get('spot')
        seen = see(view, str(start.get('object')), None if before is None else Point(*before))
        if seen is None or spot is None:
            return unknown('the held object was not known at the start', {'topic': 'detected_objects'})
        return self._judged(seen, Point(*spot))

    def compensation(self, view: SensorView, verdict: Verdict) -> Offer | None:
        """Offer to take up the object where it was left."""
        left = verdict.result.get('object') if verdict.effect is Effect.PARTIAL else None
        return None if left is None else Offer('pick', {'object': left})

    def _judged(self, seen: Seen, spot: Point) -> Verdict:
        proof = {**seen.evidence(wanted_holding=False), 'spot': {**point_json(spot), 'tolerance_m': SPOT_TOLERANCE_M}}
        if seen.at is None:
            return unknown(f'{seen.name} is not seen; gripper {seen.feels}', proof)
        off_m = spot.distance_to(seen.at)
        result = {**seen.result(), 'place': self.robot.find_place(self.arguments.place), 'off_m': rounded(off_m)}
        if seen.holding and seen.at_gripper:
            return Verdict(False, Effect.NONE, f'{seen.name} is still in the gripper', proof, result)
        if seen.holding:
            return unknown(f'contradiction: the gripper feels something, {seen.name} is seen away from it', proof)
        on_spot = seen.is_open and off_m <= SPOT_TOLERANCE_M
        if on_spot and seen.at_gripper:
            return unknown(f'{seen.name} is on the spot, but still between the fingers: it may not be let go', proof)
        if on_spot:
            return Verdict(True, Effect.DONE, f'{seen.name} is on {result["place"]}', proof, result)
        message = f'the gripper {seen.feels} and {seen.name} is {off_m:.2f} m off the spot'
        return Verdict(False, Effect.PARTIAL, message, proof, result)

    def _hand_refusal(self, view: SensorView) -> Refusal | None:
        gripper, opening_m = self.robot.gripper, view.gripper_opening_m()
        if gripper is None:
            return Refusal(ErrorCode.PRECONDITION_FAILED, 'this robot has no gripper')
        if opening_m is None:
            return Refusal(ErrorCode.STALE_SENSOR, f'joint_states does not report {gripper.joint}; wait')
        if not gripper.holds(opening_m):
            return Refusal(ErrorCode.PRECONDITION_FAILED, 'the gripper holds nothing; pick something first')
        if object_at_gripper(view) is None:
            message = 'the gripper feels something, but no object is seen in it; look and pick again'
            return Refusal(ErrorCode.PRECONDITION_FAILED, message)
        return None

    def _spot_refusal(self, view: SensorView) -> Refusal | None:
        pose, surface = view.map_pose(), self._surface()
        if pose is None or surface is None:
            return None
        distance_m = pose.distance_to(surface)
        if distance_m > RANGE_M:
            message = f'the surface is {distance_m:.2f} m away, at most {RANGE_M} m; navigate to the place first'
            return Refusal(ErrorCode.PRECONDITION_FAILED, message, {'distance_m': rounded(distance_m)})
        if self._free_spot(view) is None:
            message = 'no free spot on it can be reached; clear it or choose another'
            return Refusal(ErrorCode.PRECONDITION_FAILED, message)
        return None

    def _surface(self) -> Point | None:
        key = self.robot.find_place(self.arguments.place)
        surface = None if key is None else self.robot.places[key].surface
        return None if surface is None else surface.point

    def _free_spot(self, view: SensorView) -> Point | None:
        """Return the spot nearest to the middle of the surface that no other object takes and the base reaches."""
        pose, surface, held = view.map_pose(), self._surface(), object_at_gripper(view)
        key = self.robot.find_place(self.arguments.place)
        if pose is None or surface is None or key is None or view.objects is None:
            return None
        others = [item.position for item in view.objects.objects if held is None or item.id != held.id]
        side_rad = self.robot.places[key].yaw_rad + math.pi / 2.0
        for step_m in SIDESTEPS_M:
            spot = Point(surface.x_m + step_m * math.cos(side_rad), surface.y_m + step_m * math.sin(side_rad))
            free = all(spot.distance_to(other) >= SPOT_FREE_M for other in others)
            if free and not plan_reach(self.robot, pose, spot).problem:
                return spot
        return None
