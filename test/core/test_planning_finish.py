"""The tool that ends a task, and what is counted of answers."""

from __future__ import annotations

from typing import Any

from planning_lines import BAD, DONE, GO, LOOK, outcome, rig, table
from planning_rig import failed
import pytest
from robot_tool_agent.core.outcomes import ErrorCode, Outcome, TaskStatus
from robot_tool_agent.core.planning.conversation import ModelReply
from robot_tool_agent.core.planning.counters import PlannerCounters
from robot_tool_agent.core.planning.tools import parse_tools, ToolsError
from robot_tool_agent.llm.scripted import calls, says


def finish(claim: str, text: str = 'there') -> ModelReply:
    return calls(('finish_task', {'claim': claim, 'text': text}))


@pytest.mark.parametrize(
    ('lines', 'status', 'error'),
    [
        ([GO, finish('DONE')], TaskStatus.SUCCEEDED, None),
        ([LOOK, finish('ANSWER')], TaskStatus.SUCCEEDED, None),
        ([finish('DONE')], TaskStatus.UNVERIFIED, ErrorCode.VERIFICATION_FAILED),
        ([LOOK, finish('DONE')], TaskStatus.UNVERIFIED, ErrorCode.VERIFICATION_FAILED),
        ([finish('FAILED')], TaskStatus.FAILED, ErrorCode.GAVE_UP),
        ([finish('QUESTION')], TaskStatus.NEEDS_OPERATOR, ErrorCode.NEEDS_ANSWER),
        ([GO, finish('done'), finish('DONE')], TaskStatus.SUCCEEDED, None),
    ],
)
def test_a_claim_by_tool_is_judged_like_one_by_text(
    lines: list[ModelReply], status: TaskStatus, error: ErrorCode | None
) -> None:
    end = rig(*lines).run()
    assert outcome(end) == (status, error)
    assert end.summary.startswith(('there', 'success was claimed'))


@pytest.mark.parametrize(
    ('arguments', 'field'),
    [
        ({'claim': 'done', 'text': 'x'}, 'claim'),
        ({'claim': 'DONE'}, 'text'),
        ({'claim': 'DONE', 'text': ''}, 'text'),
        ({'claim': 'DONE', 'text': 'x' * 1001}, 'text'),
        ({'claim': 'DONE', 'text': 'x', 'sure': True}, 'sure'),
        ({'claim': ['DONE'], 'text': 'x'}, 'claim'),
    ],
)
def test_a_faulty_end_ends_nothing(arguments: dict[str, Any], field: str) -> None:
    bench = rig(calls(('finish_task', arguments)), says('FAILED: no'))
    assert outcome(bench.run()) == (TaskStatus.FAILED, ErrorCode.INVALID_ARGUMENT)
    assert bench.data(0)['faults'][0]['field'] == field


def test_a_claim_before_the_result_ends_nothing_and_sends_nothing() -> None:
    bench = rig(calls(('navigate_to', {'place': 'kitchen'}), ('finish_task', {'claim': 'DONE', 'text': 'x'})), DONE)
    assert bench.run().status is TaskStatus.UNVERIFIED
    assert bench.sent == []
    assert 'must be the only call' in bench.data()['message']


def test_a_skill_cannot_take_the_name_of_a_tool_of_the_planner() -> None:
    bench = rig(DONE)
    text = bench.skills[0].replace('"name": "look"', '"name": "finish_task"')
    with pytest.raises(ToolsError, match='finish_task is a tool of the planner'):
        parse_tools(text)


def counted(*lines: object, answer: object = None) -> PlannerCounters:
    bench = rig(*lines, **({'answer': answer} if answer else {}))
    bench.run()
    return bench.loop._state.counters


@pytest.mark.parametrize(
    ('lines', 'answers', 'without'),
    [
        ([says('DONE: brought it')], 1, 1),
        ([finish('DONE')], 1, 1),
        ([finish('FAILED')], 1, 1),
        ([finish('QUESTION')], 1, 0),
        ([says('which cup?')], 1, 0),
        ([GO, DONE], 1, 0),
        ([GO, finish('FAILED')], 1, 0),
        ([BAD, DONE], 1, 1),
        ([LOOK, says('ANSWER: a cup')], 1, 0),
        ([LOOK, LOOK, LOOK], 0, 0),
    ],
)
def test_answers_without_a_call_are_counted(lines: list[ModelReply], answers: int, without: int) -> None:
    counters = counted(*lines)
    assert (counters.answers, counters.answered_without_call) == (answers, without)
    assert counters.answered_without_call_rate == (without / answers if answers else 0.0)


def test_counters_name_skill_outcome_and_error() -> None:
    counters = counted(BAD, GO, DONE, answer=table(failed(ErrorCode.VERIFICATION_FAILED)))
    assert counters.calls == {('navigate_to', Outcome.FAILED): 1}
    data = counters.as_data()
    assert data['replies'] == 3
    assert data['faulty_replies'] == {'INVALID_ARGUMENT': 1}
    assert data['call_failures'] == {'navigate_to/VERIFICATION_FAILED': 1}
    assert data['tasks'] == {'UNVERIFIED': 1}
    assert data['unverified'] == 1
    assert data['answered_without_call_rate'] == 0.0
