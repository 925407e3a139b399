"""The robot's body: footprint, gripper, sensor mounting."""

from __future__ import annotations

import math

from pydantic import Field, model_validator
from robot_tool_agent.core.geometry import Pose2D
from robot_tool_agent.core.robot.base import ConfigModel, Metres, Name, Radians, XY


class PoseConfig(ConfigModel):
    """A planar pose, metres and radians; the frame is its section's."""

    x_m: Metres
    y_m: Metres
    yaw_rad: Radians = 0.0

    @property
    def pose(self) -> Pose2D:
        """Return the same as a Pose2D."""
        return Pose2D(self.x_m, self.y_m, self.yaw_rad)


class Frames(ConfigModel):
    """Frame names (REP 105) and where the range sensor sits in base_link."""

    base: str = Field(default='base_link', min_length=1, max_length=255)
    odom: str = Field(default='odom', min_length=1, max_length=255)
    map: str = Field(default='map', min_length=1, max_length=255)
    scan: str = Field(default='base_scan', min_length=1, max_length=255)
    scan_pose: PoseConfig = Field(
        default=PoseConfig(x_m=0.0, y_m=0.0), description='range sensor in base_link, m and rad'
    )


class Footprint(ConfigModel):
    """Outline of the base in base_link: a radius or a convex polygon."""

    radius_m: float | None = Field(default=None, ge=0.02, le=2.0, description='circle, m')
    polygon_m: tuple[XY, ...] | None = Field(default=None, min_length=3, max_length=32, description='corners, m')

    @model_validator(mode='after')
    def _one_shape(self) -> Footprint:
        if (self.radius_m is None) == (self.polygon_m is None):
            raise ValueError('give either radius_m or polygon_m')
        return self

    @property
    def circumscribed_m(self) -> float:
        """Radius of the circle round base_link that contains the footprint, m."""
        if self.radius_m is not None:
            return self.radius_m
        return max(math.hypot(x, y) for x, y in self.polygon_m or ())


class Gripper(ConfigModel):
    """A one-joint gripper whose position is its opening."""

    joint: Name
    open_m: float = Field(ge=0.001, le=0.5, description='position when open, m')
    closed_m: float = Field(ge=0.0, le=0.5, description='position when closed and empty, m')
    hold_min_m: float = Field(ge=0.0, le=0.5, description='closed above this it holds something, m')
    speed_mps: float = Field(ge=0.001, le=1.0, description='closing speed, m/s')
    reach_m: float = Field(ge=0.05, le=2.0, description='grasp point ahead of base_link, m')
    reach_tolerance_m: float = Field(ge=0.005, le=0.2, description='how far an object may be from the grasp point, m')

    @model_validator(mode='after')
    def _ordered(self) -> Gripper:
        if not self.closed_m < self.hold_min_m < self.open_m:
            raise ValueError('need closed_m < hold_min_m < open_m')
        return self

    def holds(self, position_m: float) -> bool:
        """Tell whether a joint position at rest means that something is between the fingers."""
        return self.hold_min_m <= position_m < self.open_m - 0.5 * self.hold_min_m

    def is_open(self, position_m: float) -> bool:
        """Tell whether the gripper is open."""
        return position_m >= self.open_m - 0.5 * self.hold_min_m


class JointRange(ConfigModel):
    """What one joint of an arm may do."""

    min_rad: float = Field(ge=-6.3, le=6.3, description='lowest position, rad')
    max_rad: float = Field(ge=-6.3, le=6.3, description='highest position, rad')
    max_speed_radps: float = Field(ge=0.01, le=6.3, description='rad/s')

    @model_validator(mode='after')
    def _ordered(self) -> JointRange:
        if not self.min_rad < self.max_rad:
            raise ValueError('need min_rad < max_rad')
        return self

    def allows(self, position_rad: float) -> bool:
        """Tell whether a position is within the limits; NaN is not."""
        return self.min_rad <= position_rad <= self.max_rad


class Arm(ConfigModel):
    """Joints of an arm, as `joint_states` and `joint_trajectory` name them."""

    joints: dict[Name, JointRange] = Field(min_length=1, max_length=16)
