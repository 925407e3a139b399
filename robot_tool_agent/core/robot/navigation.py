"""Who plans and follows the way of `navigate_to` and `go_to_safe_pose`."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

from pydantic import Field, Strict
from robot_tool_agent.core.robot.base import ConfigModel


class Backend(str, Enum):
    """The planner on the known map of the robot description, or Nav2's action NavigateToPose."""

    BUILT_IN = 'built_in'
    NAV2 = 'nav2'


class NavigationConfig(ConfigModel):
    """The backend and, for nav2, where it is reached. Its velocity goes to `cmd_vel` below, never to the base."""

    backend: Annotated[Backend, Strict(False)] = Field(default=Backend.BUILT_IN, description='built_in or nav2')
    action: str = Field(
        default='navigate_to_pose', min_length=1, max_length=255, description='nav2: name of the action NavigateToPose'
    )
    cmd_vel: str = Field(
        default='cmd_vel_nav', min_length=1, max_length=255, description='nav2: topic its velocity is remapped to'
    )
    stamped: bool = Field(default=False, description='nav2: true for TwistStamped, false for Twist')
    accept_timeout_s: float = Field(default=5.0, ge=0.5, le=60.0, description='nav2: wait for it to take a goal, s')
    twist_timeout_s: float = Field(
        default=0.3, ge=0.05, le=2.0, description='nav2: age above which a velocity of its counts no more, s'
    )
