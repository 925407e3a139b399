"""A long task stays under its budget of tokens, and every call that is shown has its result beside it."""

from __future__ import annotations

import random

from planning_lines import rig
from planning_rig import SKILLS_JSON, succeeded
import pytest
from robot_tool_agent.core.outcomes import TaskStatus
from robot_tool_agent.core.planning.context_budget import (
    fit,
    LEFT_OUT,
    tokens_of,
    tokens_of_tools,
    tokens_of_turn,
)
from robot_tool_agent.core.planning.conversation import Message, Role, ToolCall
from robot_tool_agent.core.planning.tools import parse_tools
from robot_tool_agent.core.planning.untrusted import fence, unfence
from robot_tool_agent.llm.scripted import calls, says, ScriptedProvider

OPENING = [Message(Role.SYSTEM, 'You drive a robot.'), Message(Role.USER, 'go')]


def step(number: int, size: int, width: int = 1, correction: bool = False) -> list[Message]:
    refs = [f'c{number}_{place}' for place in range(width)]
    turns = [Message(Role.ASSISTANT, '', tuple(ToolCall(ref, 'look', '{}') for ref in refs))]
    data = {'outcome': 'SUCCEEDED', 'message': f'step {number}', 'result': {'text': 'x' * size}}
    turns += [Message(Role.TOOL, fence(data | {'evidence': {'a': 'y' * 100}}), ref=ref) for ref in refs]
    return [*turns, Message(Role.USER, 'Your reply is empty.')] if correction else turns


def total(turns: tuple[Message, ...] | list[Message]) -> int:
    return sum(map(tokens_of_turn, turns))


def check_pairs(turns: tuple[Message, ...]) -> None:
    """Assert what chat protocols want: after each turn with calls exactly their results, in order, before the next."""
    wanted: list[str] = []
    for turn in turns:
        if turn.role is Role.TOOL:
            assert turn.ref == wanted.pop(0)
        else:
            assert wanted == []
        wanted += [call.ref for call in turn.calls]
    assert wanted == []


def test_what_fits_is_left_alone() -> None:
    turns = [*OPENING, *step(1, 300), *step(2, 300)]
    assert fit(turns, total(turns)) == tuple(turns)


def test_old_results_go_first_and_keep_what_happened() -> None:
    turns = [*OPENING, *step(1, 300), *step(2, 300), *step(3, 300)]
    kept = fit(turns, total(turns) - 1)
    assert len(kept) == len(turns)
    assert unfence(kept[3].text) == {'outcome': 'SUCCEEDED', 'message': 'step 1', 'left_out': LEFT_OUT}
    assert kept[4:] == tuple(turns[4:])
    check_pairs(kept)


def test_then_old_steps_go_whole_and_the_model_is_told() -> None:
    turns = [*OPENING, *step(1, 300, width=3), *step(2, 300, correction=True), *step(3, 300)]
    kept = fit(turns, 220)
    assert kept[1] == OPENING[1]
    assert 'The first 2 steps' in kept[0].text
    assert kept[2:] == tuple(step(3, 300))
    check_pairs(kept)


def test_the_newest_step_stays_even_where_nothing_fits() -> None:
    turns = [*OPENING, *step(1, 300), *step(2, 300)]
    assert fit(turns, 1)[2:] == tuple(step(2, 300))
    assert fit(OPENING, 1) == tuple(OPENING)


def test_any_conversation_keeps_its_pairs_and_its_budget() -> None:
    chance = random.Random(7)
    for _ in range(300):
        turns = list(OPENING)
        for number in range(chance.randint(1, 12)):
            turns += step(number, chance.randint(0, 380), chance.randint(1, 4), chance.random() < 0.2)
        newest = max(place for place, turn in enumerate(turns) if turn.role is Role.ASSISTANT)
        budget = chance.randint(1, total(turns) + 50)
        kept = fit(turns, budget)
        check_pairs(kept)
        least = total(OPENING) + total(turns[newest:]) + 40
        assert total(kept) <= max(budget + 40, least)
        assert kept[-len(turns[newest:]):] == tuple(turns[newest:])


@pytest.mark.parametrize('text', ['go to the kitchen', '去厨房', '\ud800', '{"a": [1, 2.5]}', ''])
def test_the_estimate_is_of_bytes(text: str) -> None:
    size = len(text.encode('utf-8', 'surrogatepass'))
    assert 3 * tokens_of(text) - 2 <= size <= 3 * tokens_of(text)


def test_a_task_of_many_large_results_stays_within_its_budget() -> None:
    looks = [calls(('look', {})) for _ in range(18)]
    number = iter(range(100))
    bench = rig(
        *looks,
        says('ANSWER: seen'),
        answer=lambda call: succeeded(number=next(number), objects=['x' * 300] * 15),
        max_context_tokens=20_000,
        max_output_tokens=1000,
    )
    assert bench.run().status is TaskStatus.SUCCEEDED
    assert isinstance(bench.provider, ScriptedProvider)
    sizes = [total(request.messages) + tokens_of_tools(request.tools) for request in bench.provider.requests]
    assert max(sizes) <= 19_000
    assert any(LEFT_OUT in turn.text for turn in bench.provider.requests[-1].messages)
    for request in bench.provider.requests:
        check_pairs(request.messages)


def test_the_tools_leave_room_in_the_default_budget() -> None:
    assert tokens_of_tools(parse_tools(SKILLS_JSON)) < 20_000
