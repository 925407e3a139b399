"""Whatever a model writes: the task ends, and no text that leaves it can break a wire, a store or a terminal."""

from __future__ import annotations

from planning_lines import outcome, rig
from planning_rig import Rig
import pytest
from robot_tool_agent.core.outcomes import ErrorCode, TaskStatus
from robot_tool_agent.core.planning.conversation import ModelReply, ToolCall
from robot_tool_agent.core.planning.untrusted import clean_text, MAX_TURN
from robot_tool_agent.llm.scripted import calls, says

LONG = 'x' * 1_000_000
UGLY = ['\ud800', '\udfff\x00\x1b[2J', 'a\x00b', '\u202eevil', LONG, '\ud800' * 1_000_000]
INVALID, UNKNOWN = (TaskStatus.FAILED, ErrorCode.INVALID_JSON), (TaskStatus.FAILED, ErrorCode.UNKNOWN_SKILL)


def told(bench: Rig) -> list[str]:
    """Return every text that left the task."""
    record = bench.store.find('t')
    assert record is not None
    assert record.end is not None
    turns = record.turns
    parts = [part for turn in turns for call in turn.calls for part in (call.ref, call.name, call.arguments_json)]
    sent = [part for call in bench.sent for part in (call.call_id, call.arguments_json)]
    return [*(turn.text for turn in turns), *(turn.ref for turn in turns), *parts, *sent]


def check(bench: Rig) -> None:
    for text in told(bench):
        assert len(text.encode('utf-8')) <= 4 * MAX_TURN
        assert '\x00' not in text
        assert '\x1b' not in text
    end = bench.loop.end
    assert end is not None
    for text in (end.summary, *(report.text for report in bench.reports)):
        assert text == clean_text(text, 2000)
    assert all(len(report.text) <= 400 for report in bench.reports)


@pytest.mark.parametrize('ugly', UGLY, ids=range(len(UGLY)))
def test_a_name_of_a_tool(ugly: str) -> None:
    bench = rig(*[calls((ugly, {}))] * 4)
    assert outcome(bench.run()) == UNKNOWN
    check(bench)


ARGUMENTS = [r'{"\ud800": 1}', '{"object": "\ud800"}', r'{"object": "\udc00"}', *UGLY]


@pytest.mark.parametrize('text', ARGUMENTS, ids=range(len(ARGUMENTS)))
def test_arguments(text: str) -> None:
    bench = rig(*[calls(('pick', text))] * 4)
    assert outcome(bench.run()) == INVALID
    assert bench.sent == []
    check(bench)


@pytest.mark.parametrize('label', ['a\x00b', '\x1b[2J', '\u202e'])
def test_control_characters_are_sent_escaped_or_refused(label: str) -> None:
    bench = rig(calls(('pick', {'object': label})), says('FAILED: no'))
    bench.run()
    check(bench)


@pytest.mark.parametrize('ugly', UGLY, ids=range(len(UGLY)))
def test_a_final_text(ugly: str) -> None:
    bench = rig(*[says(ugly)] * 4)
    end = bench.run()
    assert end.status in (TaskStatus.UNVERIFIED, TaskStatus.FAILED)
    check(bench)


@pytest.mark.parametrize('ugly', UGLY, ids=range(len(UGLY)))
def test_the_models_own_name_for_a_call_still_pairs_it_with_its_result(ugly: str) -> None:
    bench = rig(ModelReply(calls=(ToolCall(ugly, 'look', '{}'),)), says('ANSWER: nothing'))
    assert outcome(bench.run()) == (TaskStatus.SUCCEEDED, None)
    check(bench)
    record = bench.store.find('t')
    assert record is not None
    assert record.turns[0].calls[0].ref == record.turns[1].ref


def test_a_flood_of_calls_is_cut() -> None:
    flood = calls(*[('look', {})] * 20_000)
    bench = rig(*[flood] * 4, max_calls_per_reply=8)
    assert outcome(bench.run()) == (TaskStatus.FAILED, ErrorCode.INVALID_ARGUMENT)
    assert bench.sent == []
    assert 'more than 8 calls' in bench.data()['message']
    assert len(told(bench)) < 300
