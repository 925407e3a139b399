"""How long the planner takes to check a reply. No ROS here."""

from __future__ import annotations

import json
import time
from typing import Any

from robot_tool_agent.core.planning.conversation import ModelReply, ToolCall
from robot_tool_agent.core.planning.limits import PlannerLimits
from robot_tool_agent.core.planning.replies import check_reply
from robot_tool_agent.core.planning.tools import Toolbox
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.skills.registry import SkillRegistry

WARM_UP = 20
PLACE = {'place': 'kitchen'}
PLAN = [
    {'id': 'go', 'skill': 'navigate_to', 'arguments': PLACE},
    {'id': 'see', 'skill': 'look', 'arguments': {}, 'after': ['go']},
    {'id': 'take', 'skill': 'pick', 'arguments': {'object': 'cup_1'}, 'after': ['see']},
    {'id': 'home', 'skill': 'go_to_safe_pose', 'arguments': {}, 'when': [{'step': 'take', 'outcome': 'NOT_SUCCEEDED'}]},
]
REPLIES: dict[str, tuple[str, Any]] = {'call': ('navigate_to', PLACE), 'plan': ('submit_plan', {'steps': PLAN})}


def validations(robot: RobotDescription, count: int) -> dict[str, list[float]]:
    """Return the seconds to check a reply, of one call and of a plan of four steps, `count` times each."""
    toolbox = Toolbox(PlannerLimits().max_plan_steps)
    toolbox.load(*SkillRegistry(robot).describe())
    samples: dict[str, list[float]] = {kind: [] for kind in REPLIES}
    for number in range(WARM_UP + count):
        for kind, (name, arguments) in REPLIES.items():
            reply = ModelReply(calls=(ToolCall('ref', name, json.dumps(arguments)),))
            began_s = time.perf_counter()
            checked = check_reply(reply, f'task:{number}', toolbox, 8)
            samples[kind].append(time.perf_counter() - began_s)
            if checked.reason is not None:
                raise ValueError(f'a sound reply was refused: {checked.reason.message}')
    return {kind: spent[WARM_UP:] for kind, spent in samples.items()}
