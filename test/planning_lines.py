"""Lines that scripted models say, and short forms for what becomes of them."""

from __future__ import annotations

from collections.abc import Iterable
import json

from planning_rig import always, Rig, SKILLS_JSON
from robot_tool_agent.core.outcomes import ErrorCode, TaskStatus
from robot_tool_agent.core.planning.calls import SkillResult
from robot_tool_agent.core.planning.conversation import ModelRequest
from robot_tool_agent.core.planning.record import TaskEnd
from robot_tool_agent.llm.scripted import calls, says, ScriptedProvider

GO = calls(('navigate_to', {'place': 'kitchen'}))
LOOK = calls(('look', {}))
BAD = calls(('navigate_to', {'place': 'moon'}))
DONE = says('DONE: there')

ROWS = json.loads(SKILLS_JSON)
NONE = {'type': 'object', 'properties': {}, 'required': [], 'additionalProperties': False}


def row(name: str, *resources: str) -> dict[str, object]:
    """Describe a skill that acts with these parts of the robot and takes no arguments."""
    sample = next(row for row in ROWS if row['name'] == 'look')
    return {**sample, 'name': name, 'reads_only': False, 'resources': list(resources), 'arguments_schema': NONE}


MORE = (json.dumps([*ROWS, row('open_gripper', 'gripper'), row('tuck_arm', 'arm'), row('bow', 'arm')]), 'more')


def rig(*lines: object, answer: object = always, **limits: object) -> Rig:
    return Rig(ScriptedProvider(lines), answer, **limits)  # type: ignore[arg-type]


def table(*results: SkillResult | None) -> object:
    """Give out results in order, the last one for ever."""
    left = list(results)
    return lambda call: left.pop(0) if len(left) > 1 else left[0]


def outcome(end: TaskEnd) -> tuple[TaskStatus, ErrorCode | None]:
    return end.status, end.error


def texts(requests: Iterable[ModelRequest]) -> list[str]:
    return [request.messages[-1].text for request in requests]
