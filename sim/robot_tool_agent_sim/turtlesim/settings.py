"""What the turtle adapter is told at start."""

from __future__ import annotations

from pydantic import Field
from robot_tool_agent.core.robot.base import ConfigModel


class TurtleSettings(ConfigModel):
    """Parameters of the turtle adapter, fixed at start."""

    robot_file: str = Field(min_length=1, description='path of the robot YAML')
    turtle: str = Field(
        default='turtle1', pattern=r'^[A-Za-z][A-Za-z0-9_]*$', max_length=64, description='name of the turtle'
    )
    command_timeout_s: float = Field(
        default=0.25, ge=0.05, le=1.0, description='age of the last cmd_vel at which the turtle is told to stand, s'
    )
