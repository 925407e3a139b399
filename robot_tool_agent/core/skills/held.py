"""What fresh sensors say of one object and the gripper: the facts pick and place are judged by."""

from __future__ import annotations

from dataclasses import dataclass

from robot_tool_agent.core.geometry import Point
from robot_tool_agent.core.samples import JointSample, ObjectsSample
from robot_tool_agent.core.sensors import Instant, newer, SensorView
from robot_tool_agent.core.skills.base import Json
from robot_tool_agent.core.skills.evidence import check, evidence, point_json, rounded
from robot_tool_agent.core.skills.grasping import grasp_point, grasp_tolerance_m
from robot_tool_agent.core.skills.objects import position_of
from robot_tool_agent.core.skills.text import clean
from robot_tool_agent.core.skills.travel import base_has_news


@dataclass(frozen=True, slots=True)
class Seen:
    """Gripper and object by samples of the same moment. Distances in metres, None where the object is not seen."""

    name: str
    opening_m: float
    holding: bool
    is_open: bool
    at: Point | None
    gap_m: float | None
    gap_limit_m: float
    moved_m: float | None
    joints: JointSample
    objects: ObjectsSample

    @property
    def at_gripper(self) -> bool:
        """Tell whether the object is seen between the fingers."""
        return self.gap_m is not None and self.gap_m <= self.gap_limit_m

    @property
    def feels(self) -> str:
        """Return what the opening alone says."""
        return 'feels something' if self.holding else 'is open' if self.is_open else 'is closed and empty'

    def result(self) -> Json:
        """Return what the caller needs to know."""
        place = None if self.at is None else point_json(self.at)
        return {'object': clean(self.name), 'holding': self.holding and self.at_gripper, 'object_at': place}

    def evidence(self, wanted_holding: bool) -> Json:
        """Return the opening, and where the object is against the grasp point and its first place."""
        wanted = 'holding' if wanted_holding else 'open'
        opening = check('joint_states', self.joints, {'opening_m': rounded(self.opening_m)}, {'gripper': wanted}, None)
        measured: Json = {'object_at': None if self.at is None else point_json(self.at)}
        if self.gap_m is not None and self.moved_m is not None:
            measured |= {'gap_m': rounded(self.gap_m), 'moved_m': rounded(self.moved_m)}
        tolerance, subject = {'gap_m': rounded(self.gap_limit_m)}, {'object': clean(self.name)}
        return evidence(opening, check('detected_objects', self.objects, measured, subject, tolerance))


def hand_has_news(view: SensorView, since: Instant) -> bool:
    """Tell whether gripper, detections and pose are all newer than an instant."""
    return newer(view.joints, since) and newer(view.objects, since) and base_has_news(view, since)


def see(view: SensorView, name: str, before: Point | None) -> Seen | None:
    """Return the facts about one object; `before` is where it was. None without gripper, pose or either sensor."""
    gripper, opening_m, point = view.robot.gripper, view.gripper_opening_m(), grasp_point(view)
    if gripper is None or opening_m is None or point is None or view.joints is None or view.objects is None:
        return None
    at = position_of(view, name)
    return Seen(
        name=name,
        opening_m=opening_m,
        holding=gripper.holds(opening_m),
        is_open=gripper.is_open(opening_m),
        at=at,
        gap_m=None if at is None else point.distance_to(at),
        gap_limit_m=grasp_tolerance_m(gripper),
        moved_m=None if at is None or before is None else before.distance_to(at),
        joints=view.joints,
        objects=view.objects,
    )
