"""Parameters of the relay that are fixed at start."""

from __future__ import annotations

from pydantic import Field
from robot_tool_agent.core.robot.base import ConfigModel


class RelaySettings(ConfigModel):
    """How often a saboteur strikes, and its luck."""

    strikes: int = Field(default=1, ge=1, le=1000, description='goals a saboteur mistreats once it is set')
    seed: int = Field(default=0, ge=0, le=2**31 - 1, description='of the delays that are drawn')
