"""What the Gazebo adapter is told at start."""

from __future__ import annotations

from pydantic import Field
from robot_tool_agent.core.robot.base import ConfigModel


class GazeboSettings(ConfigModel):
    """Parameters of the Gazebo adapter, fixed at start."""

    robot_file: str = Field(min_length=1, description='path of the robot YAML')
    world_file: str = Field(min_length=1, description='path of the world YAML, for the objects in it')
    model: str = Field(
        default='rover', pattern=r'^[A-Za-z][A-Za-z0-9_]*$', max_length=64, description='name of the robot in Gazebo'
    )
    command_timeout_s: float = Field(
        default=0.25, ge=0.05, le=1.0, description='age of the last cmd_vel at which the robot is told to stand, s'
    )
