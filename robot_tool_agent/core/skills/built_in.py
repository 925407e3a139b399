"""The skills that come with the package."""

from __future__ import annotations

from typing import Any

from robot_tool_agent.core.skills.base import Skill
from robot_tool_agent.core.skills.look import Look
from robot_tool_agent.core.skills.move_relative import MoveRelative
from robot_tool_agent.core.skills.navigate import NavigateTo
from robot_tool_agent.core.skills.pick import Pick
from robot_tool_agent.core.skills.place import PutDown
from robot_tool_agent.core.skills.robot_state import GetRobotState
from robot_tool_agent.core.skills.rotate_relative import RotateRelative
from robot_tool_agent.core.skills.safe_pose import GoToSafePose
from robot_tool_agent.core.skills.wait import Wait

BUILT_IN: tuple[type[Skill[Any]], ...] = (
    GetRobotState,
    Look,
    Wait,
    NavigateTo,
    MoveRelative,
    RotateRelative,
    Pick,
    PutDown,
    GoToSafePose,
)
