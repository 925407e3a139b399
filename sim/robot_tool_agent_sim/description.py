"""What stands in a simulated world beside the walls, as read from `config/worlds/*.yaml`."""

from __future__ import annotations

from pydantic import Field
from robot_tool_agent.core.geometry import Point
from robot_tool_agent.core.robot import PoseConfig
from robot_tool_agent.core.robot.base import ConfigModel, Metres, Name
from robot_tool_agent_sim.drift import OdomDrift


class ObjectConfig(ConfigModel):
    """A small object that lies on furniture, map frame."""

    label: str = Field(min_length=1, max_length=200, description='what a detector calls it')
    x_m: Metres
    y_m: Metres
    width_m: float = Field(ge=0.001, le=0.5, description='where the fingers close on it, m')

    @property
    def point(self) -> Point:
        """Return the same place as a Point."""
        return Point(self.x_m, self.y_m)


class ObstacleConfig(ConfigModel):
    """Something round on the floor that the robot's own map does not have, map frame."""

    x_m: Metres
    y_m: Metres
    radius_m: float = Field(ge=0.02, le=2.0, description='m')

    @property
    def centre(self) -> Point:
        """Its centre as a Point."""
        return Point(self.x_m, self.y_m)


class WorldDescription(ConfigModel):
    """Where the robot starts and what lies about, map frame."""

    spawn: PoseConfig
    objects: dict[Name, ObjectConfig] = Field(default_factory=dict, max_length=200)
    obstacles: dict[Name, ObstacleConfig] = Field(default_factory=dict, max_length=200)
    wheels_slip: bool = Field(
        default=True, description='against a wall: true, the wheels turn on and odometry counts them; false, they stall'
    )
    odom_drift: OdomDrift = OdomDrift()
    scan_noise_m: float = Field(default=0.0, ge=0.0, le=0.5, description='standard deviation of a range, m')
