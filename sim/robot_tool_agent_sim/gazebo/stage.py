"""What is known of the Gazebo world from the true poses of its models and the contacts of the robot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from robot_tool_agent.core.geometry import Point, Pose2D, ZERO_TWIST
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.samples import BumperSample, GlobalPoseSample, ObjectsSample, OdomSample, SeenObject
from robot_tool_agent_sim.description import ObjectConfig
from robot_tool_agent_sim.hand import Thing
from robot_tool_agent_sim.schedule import Schedule
from robot_tool_agent_sim.sight import Detector
from robot_tool_agent_sim.walls import Walls

# Gazebo repeats a contact in each step while it lasts, and says nothing when there is none.
CONTACT_HOLD_S = 0.15
_SOURCES = ('global_pose', 'detected_objects', 'bumper')


@dataclass(frozen=True, slots=True)
class Readings:
    """What one pose of the robot leads to; None for what is not due."""

    truth: OdomSample
    global_pose: GlobalPoseSample | None = None
    objects: ObjectsSample | None = None
    bumper: BumperSample | None = None


class Stage:
    """
    Turns poses and contacts into sensors. All speak only while poses of the robot come: a dead Gazebo is silent.

    Times are those of Gazebo's clock, seconds; poses are in the world frame, which is the map.
    """

    def __init__(self, robot: RobotDescription, objects: Mapping[str, ObjectConfig]) -> None:
        self._detector = Detector(Walls(robot.map.walls))
        self._reach_m = None if robot.gripper is None else robot.gripper.reach_m
        self._near_m = 0.0 if robot.gripper is None else robot.gripper.reach_tolerance_m
        self._configured = objects
        self._things: dict[str, Thing] = {}
        self._touched_s = -float('inf')
        inputs = robot.topics.inputs()
        self._due = {name: Schedule(inputs[name].rate_hz) for name in _SOURCES if name in inputs}

    def on_object(self, name: str, pose: Pose2D) -> None:
        """Take where an object is. One that is not in the world file, or is nowhere, is left out."""
        config = self._configured.get(name)
        if config is not None and pose.is_sane():
            self._things[name] = Thing(config.label, config.width_m, pose.point)

    def on_contacts(self, count: int, stamp_s: float) -> None:
        """Take how many contacts the robot's body has."""
        if count > 0:
            self._touched_s = stamp_s

    def on_robot(self, pose: Pose2D, stamp_s: float, now_s: float) -> Readings | None:
        """Take where the robot is; None for a pose that is no number."""
        if not pose.is_sane():
            return None
        due = {name for name, schedule in self._due.items() if schedule.due(stamp_s)}
        touched = stamp_s - self._touched_s <= CONTACT_HOLD_S
        return Readings(
            OdomSample(stamp_s, now_s, pose, ZERO_TWIST),
            GlobalPoseSample(stamp_s, now_s, pose) if 'global_pose' in due else None,
            ObjectsSample(stamp_s, now_s, self._seen(pose)) if 'detected_objects' in due else None,
            BumperSample(stamp_s, now_s, touched) if 'bumper' in due else None,
        )

    def _seen(self, pose: Pose2D) -> tuple[SeenObject, ...]:
        return self._detector.seen(pose, self._things, self._between_fingers(pose))

    def _between_fingers(self, pose: Pose2D) -> str | None:
        """Return the object at the grasp point: it is seen even where the arm would hide it."""
        if self._reach_m is None:
            return None
        hand = pose.transform_point(Point(self._reach_m, 0.0))
        near = {name: hand.distance_to(thing.position) for name, thing in self._things.items()}
        name = min(near, key=lambda item: near[item], default=None)
        return name if name is not None and near[name] <= self._near_m else None
