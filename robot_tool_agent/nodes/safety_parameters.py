"""Parameters of the safety node."""

from pydantic import Field
from robot_tool_agent.core.safety.config import SafetyConfig


class SafetyParameters(SafetyConfig):
    """The safety layer's own parameters and what only the node needs."""

    robot_file: str = Field(min_length=1, description='path of the robot description (YAML)')
    cmd_vel_stamped: bool | None = Field(
        default=None, description='publish TwistStamped; unset: as topics.cmd_vel.stamped of the robot description'
    )
