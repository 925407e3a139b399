"""The conversation with a model that is held to a schema: what it is told, what it may say, how that is read."""

from __future__ import annotations

import json
from typing import Any

from planning_rig import SKILLS_JSON
import pytest
from robot_tool_agent.core.planning.conversation import Message, ModelReply, ModelRequest, Role, ToolCall, Usage
from robot_tool_agent.core.planning.planner_tools import planner_tools
from robot_tool_agent.core.planning.schema_check import check
from robot_tool_agent.core.planning.tools import parse_tools
from robot_tool_agent.llm.constrained import dialogue, EXAMPLE_MARK, read, reply_schema

SKILLS = parse_tools(SKILLS_JSON)
TOOLS = (*SKILLS, *planner_tools(SKILLS, 0))
USED = Usage(7, 5)


def fits(turn: dict[str, Any], must_call: bool = False) -> bool:
    return not check(turn, reply_schema(TOOLS, must_call))


@pytest.mark.parametrize(
    'turn',
    [
        {'tool': 'navigate_to', 'arguments': {'place': 'kitchen'}},
        {'tool': 'look', 'arguments': {}},
        {'tool': 'finish_task', 'arguments': {'claim': 'DONE', 'text': 'there'}},
    ],
)
@pytest.mark.parametrize('must_call', [True, False])
def test_calls_fit(turn: dict[str, Any], must_call: bool) -> None:
    assert fits(turn, must_call)


@pytest.mark.parametrize(
    'turn',
    [
        {'tool': 'fly', 'arguments': {}},
        {'tool': 'look'},
        {'tool': 'look', 'arguments': {'x': 1}},
        {'tool': 'navigate_to', 'arguments': {'place': 'moon'}},
        {'tool': 'wait', 'arguments': {'duration_s': '5'}},
        {'tool': 'look', 'arguments': {}, 'answer': 'x'},
        {'answer': ''},
        {},
    ],
)
def test_other_turns_do_not(turn: dict[str, Any]) -> None:
    assert not fits(turn)


def test_an_answer_fits_only_where_no_call_is_wanted() -> None:
    assert fits({'answer': 'DONE: there'})
    assert not fits({'answer': 'DONE: there'}, must_call=True)
    assert not check({'answer': 'x'}, reply_schema((), must_call=True))


def test_shared_definitions_stay_reachable_and_words_for_people_are_left_out() -> None:
    schema = {
        'type': 'object',
        'properties': {'pattern': {'$ref': '#/$defs/Side', 'description': 'a side'}},
        '$defs': {'Side': {'enum': ['left', 'right'], 'title': 'Side'}},
        'required': ['pattern'],
    }
    tool = next(tool for tool in TOOLS if tool.name == 'look')
    made = reply_schema([type(tool)('turn', 'Turn.', schema, False, True, frozenset(), 1.0)], must_call=True)
    assert made['$defs'] == {'Side': {'enum': ['left', 'right']}}
    assert made['anyOf'][0]['properties']['arguments']['properties'] == {'pattern': {'$ref': '#/$defs/Side'}}
    assert not check({'tool': 'turn', 'arguments': {'pattern': 'left'}}, made)
    assert check({'tool': 'turn', 'arguments': {'pattern': 'up'}}, made)


def test_the_model_is_told_the_tools_and_its_own_words() -> None:
    messages = (
        Message(Role.SYSTEM, 'You drive a robot.'),
        Message(Role.USER, 'go'),
        Message(Role.ASSISTANT, '', (ToolCall('a', 'navigate_to', '{"place": "kitchen"}'),)),
        Message(Role.TOOL, f'<data>{"x" * 5000}</data>', ref='a'),
        Message(Role.ASSISTANT, 'DONE: there'),
    )
    system, user, call, result, answer = dialogue(ModelRequest(messages, TOOLS, 1.0, 10))
    assert system.text.startswith('You drive a robot.\n')
    assert all(f'\n{tool.name}: ' in system.text for tool in TOOLS)
    assert 'Example: {"tool": "move_relative", "arguments": {"distance_m": 0.5}}' in system.text
    assert 'bedroom|desk|kitchen' in system.text
    assert user == messages[1]
    assert json.loads(call.text) == {'tool': 'navigate_to', 'arguments': {'place': 'kitchen'}}
    assert (result.role, len(result.text) < 800) == (Role.USER, True)
    assert json.loads(answer.text) == {'answer': 'DONE: there'}


def test_every_example_fits_the_schema() -> None:
    system = dialogue(ModelRequest((), TOOLS, 1.0, 10))[0]
    examples = [json.loads(line.split(EXAMPLE_MARK)[1]) for line in system.text.splitlines()[1:]]
    assert [example['tool'] for example in examples] == [tool.name for tool in TOOLS]
    assert all(fits(example, must_call=True) for example in examples)


READ = {
    '{"tool": "look", "arguments": {}}': ModelReply('', (ToolCall('call_0', 'look', '{}'),), USED),
    '{"tool": "wait", "arguments": {"duration_s": 1}}': ModelReply(
        '', (ToolCall('call_0', 'wait', '{"duration_s": 1}'),), USED
    ),
    '{"tool": "look"}': ModelReply('', (ToolCall('call_0', 'look', 'null'),), USED),
    '{"answer": "DONE: there"}': ModelReply('DONE: there', (), USED),
    '{"tool": "look", "argu': ModelReply('{"tool": "look", "argu', (), USED),
    '{"tool": 5}': ModelReply('{"tool": 5}', (), USED),
    '[]': ModelReply('[]', (), USED),
    'DONE: there': ModelReply('DONE: there', (), USED),
}


@pytest.mark.parametrize('text', READ)
def test_turns_are_read(text: str) -> None:
    assert read(ModelReply(text, (), USED)) == READ[text]


def test_a_cut_off_turn_stays_marked() -> None:
    assert read(ModelReply('{"tool": "look"', (), USED, truncated=True)).truncated
