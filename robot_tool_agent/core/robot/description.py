"""The robot description: one YAML, read by the simulator, the safety node and the executor."""

from __future__ import annotations

from pydantic import Field, model_validator
from robot_tool_agent.core.geometry import Point
from robot_tool_agent.core.robot.base import ConfigModel, Name
from robot_tool_agent.core.robot.body import Arm, Footprint, Frames, Gripper, PoseConfig
from robot_tool_agent.core.robot.consistency import approval_faults, body_faults, limit_faults, space_faults
from robot_tool_agent.core.robot.limits import Hardware, Limits
from robot_tool_agent.core.robot.navigation import NavigationConfig
from robot_tool_agent.core.robot.surroundings import ApprovalPolicy, KnownMap, Place, Polygon, SkillConfig
from robot_tool_agent.core.robot.topics import Topics


class RobotDescription(ConfigModel):
    """Everything the suite knows of one robot."""

    name: Name
    topics: Topics
    frames: Frames = Frames()
    limits: Limits
    hardware: Hardware = Hardware()
    footprint: Footprint
    gripper: Gripper | None = None
    arm: Arm | None = Field(default=None, description='joints of an arm and their limits')
    map: KnownMap = KnownMap()
    navigation: NavigationConfig = NavigationConfig()
    places: dict[Name, Place] = Field(default_factory=dict, max_length=200)
    safe_poses: dict[Name, PoseConfig] = Field(min_length=1, max_length=50)
    geofence: Polygon | None = Field(default=None, description='polygon the base stays in, map frame, m')
    open_space: bool = Field(
        default=False, description='true: a retreat without a trail may go straight to a safe pose it can see'
    )
    arm_home: dict[Name, float] = Field(default_factory=dict, max_length=16, description='joint positions, rad or m')
    approvals: tuple[ApprovalPolicy, ...] = Field(default=(), max_length=50)
    skills: dict[Name, SkillConfig] = Field(min_length=1, max_length=100, description='enabled skills')

    @model_validator(mode='after')
    def _consistent(self) -> RobotDescription:
        faults = [*body_faults(self), *limit_faults(self), *space_faults(self), *approval_faults(self)]
        if faults:
            raise ValueError('\n'.join(faults))
        return self

    def frame_of(self, topic: str) -> str:
        """Return the frame that messages of a standard topic name must be in, empty where none is demanded."""
        frames = {'odom': self.frames.odom, 'scan': self.frames.scan}
        return frames.get(topic, self.frames.map if topic in ('global_pose', 'detected_objects') else '')

    def base_poses(self) -> dict[str, Point]:
        """Return every pose of the base the description names, by key such as `places.kitchen`; map frame."""
        places = {f'places.{name}': place.pose.point for name, place in self.places.items()}
        return {**places, **{f'safe_poses.{name}': pose.pose.point for name, pose in self.safe_poses.items()}}

    def inside_geofence(self, point: Point) -> bool:
        """Tell whether a point of the map lies in the geofence polygon (even-odd rule); always true without one."""
        if self.geofence is None:
            return True
        inside = False
        for (x1, y1), (x2, y2) in zip(self.geofence, self.geofence[1:] + self.geofence[:1], strict=True):
            crosses = (y1 > point.y_m) != (y2 > point.y_m)
            if crosses and point.x_m < (x2 - x1) * (point.y_m - y1) / (y2 - y1) + x1:
                inside = not inside
        return inside

    def find_place(self, name: str) -> str | None:
        """Return the key of the place with this name or alias, compared without case; None if there is none."""
        wanted = name.strip().casefold()
        for key, place in self.places.items():
            if wanted in {key.casefold(), *(alias.casefold() for alias in place.aliases)}:
                return key
        return None
