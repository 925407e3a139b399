"""The planner's check is as strict as the executor's: what it lets through is not refused there for its form."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from planning_lines import rig
from planning_rig import SKILLS_JSON
import pytest
from robot_tool_agent.config_files import load_robot
from robot_tool_agent.core.outcomes import ErrorCode
from robot_tool_agent.core.planning.calls import CallFault, check_call, PlannedCall
from robot_tool_agent.core.planning.conversation import ToolCall
from robot_tool_agent.core.planning.tools import parse_tools
from robot_tool_agent.core.skills.base import Refusal
from robot_tool_agent.core.skills.registry import SkillRegistry
from robot_tool_agent.llm.scripted import calls, says
from sim_house import ROBOT_FILE

TOOLS = {tool.name: tool for tool in parse_tools(SKILLS_JSON)}
REGISTRY = SkillRegistry(load_robot(ROBOT_FILE))
NUMBERS = st.floats(-7.0, 7.0) | st.sampled_from(
    [0, -0.0, 0.01, -0.019, 0.02, 0.05, 60, 1000.5, -1001, True, '1', None]
)
TEXTS = st.sampled_from(['kitchen', 'table', 'bedroom', 'moon', '', 'cup', 7, None])
FIELDS = {
    'distance_m': NUMBERS,
    'angle_rad': NUMBERS,
    'duration_s': NUMBERS,
    'x_m': NUMBERS,
    'y_m': NUMBERS,
    'yaw_rad': NUMBERS,
    'place': TEXTS,
    'object': TEXTS,
    'speed_mps': NUMBERS,
}


@st.composite
def arguments(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """Return a skill with some of its arguments, seldom one of another."""
    name = draw(st.sampled_from(sorted(TOOLS)))
    own = sorted(TOOLS[name].parameters['properties'])
    chosen = draw(st.sets(st.sampled_from(own), max_size=4)) if own else set()
    chosen |= draw(st.sets(st.sampled_from(sorted(FIELDS)), max_size=1)) if draw(st.integers(0, 5)) == 0 else set()
    return name, {field: draw(FIELDS[field]) for field in sorted(chosen)}


@settings(max_examples=600, derandomize=True, deadline=None)
@given(arguments())
def test_what_the_planner_lets_through_has_the_form_the_executor_wants(call: tuple[str, dict[str, Any]]) -> None:
    name, given_ = call
    planned = check_call(ToolCall('r', name, json.dumps(given_)), 't:1:0', TOOLS)
    made = REGISTRY.create(name, json.dumps(given_))
    if isinstance(planned, PlannedCall):
        assert not isinstance(made, Refusal), (name, given_, made)
    elif name != 'place' and not isinstance(given_.get('place'), str):
        assert isinstance(made, Refusal), (name, given_, planned)


@pytest.mark.parametrize(
    ('name', 'given_', 'expected'),
    [
        ('navigate_to', {}, 'exactly one of these forms: {place} or {x_m, y_m, yaw_rad}'),
        ('navigate_to', {'x_m': 1.0, 'y_m': 1.0}, 'exactly one of these forms: {place} or {x_m, y_m, yaw_rad}'),
        ('navigate_to', {'place': 'table', 'x_m': 1.0}, 'exactly one of these forms: {place} or {x_m, y_m, yaw_rad}'),
        ('move_relative', {'distance_m': 0.0}, 'anything but value > -0.02 < 0.02'),
        ('rotate_relative', {'angle_rad': -0.04}, 'anything but value > -0.05 < 0.05'),
    ],
)
def test_what_no_single_field_can_say_is_checked_too(name: str, given_: dict[str, Any], expected: str) -> None:
    found = check_call(ToolCall('r', name, json.dumps(given_)), 't:1:0', TOOLS)
    assert isinstance(found, CallFault)
    assert (found.error, found.faults[0].expected) == (ErrorCode.INVALID_ARGUMENT, expected)


def test_a_later_step_of_a_plan_is_held_to_it_before_anything_moves() -> None:
    steps = [
        {'id': 'go', 'skill': 'navigate_to', 'arguments': {'place': 'kitchen'}},
        {'id': 'on', 'skill': 'navigate_to', 'arguments': {'x_m': 1.0}, 'after': ['go']},
    ]
    bench = rig(calls(('submit_plan', {'steps': steps})), says('FAILED: no'))
    assert bench.run().error is ErrorCode.INVALID_ARGUMENT
    assert bench.sent == []
    assert bench.data()['faults'][0]['field'] == 'steps[1].arguments'


def test_no_provider_is_given_the_rules() -> None:
    bench = rig(says('FAILED: no'))
    bench.run()
    request = bench.provider.requests[0]  # type: ignore[attr-defined]
    for tool in request.tools:
        assert not {'oneOf', 'not', 'allOf'} & set(json.dumps(dict(tool.parameters)).split('"'))
