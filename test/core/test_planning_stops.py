"""Lost executors and cancelled tasks: nothing keeps running, nothing is repeated."""

from __future__ import annotations

import json

from planning_lines import DONE, GO, LOOK, outcome, rig, table
from planning_rig import failed, refused, SKILLS_JSON, succeeded, view
import pytest
from robot_tool_agent.core.outcomes import Effect, ErrorCode, Outcome, TaskStatus
from robot_tool_agent.core.planning.calls import SkillResult
from robot_tool_agent.core.planning.conversation import ModelReply, ModelRequest
from robot_tool_agent.core.planning.phases import Phase
from robot_tool_agent.core.safety_state import SafetyMode
from robot_tool_agent.llm.provider import RetryLater
from robot_tool_agent.llm.scripted import calls, says


def test_a_lost_call_is_asked_for_once_more_under_its_id() -> None:
    restarted = SkillResult(Outcome.UNKNOWN, Effect.UNKNOWN, 'RESTARTED', 'not seen', 'ASK_OPERATOR', replayed=True)
    bench = rig(GO, answer=table(None, restarted))
    bench.begin()
    bench.loop.call_lost('t:1:0', 'the executor restarted', True, bench.now_s)
    bench.settle()
    assert [call.call_id for call in bench.sent] == ['t:1:0', 't:1:0']
    assert outcome(bench.run_end()) == (TaskStatus.NEEDS_OPERATOR, ErrorCode.RESTARTED)


UNRESOLVED, NEVER_SENT = (TaskStatus.NEEDS_OPERATOR, ErrorCode.UNRESOLVED_CALL), (TaskStatus.FAILED, ErrorCode.TIMEOUT)


@pytest.mark.parametrize(
    ('sent', 'end'),
    [
        ((True, True), UNRESOLVED),
        ((True, False), UNRESOLVED),
        ((False, True), UNRESOLVED),
        ((False, False), NEVER_SENT),
    ],
)
def test_a_call_lost_twice_ends_the_task(sent: tuple[bool, bool], end: tuple[TaskStatus, ErrorCode]) -> None:
    bench = rig(GO, answer=table(None))
    bench.begin()
    for each in sent:
        bench.loop.call_lost('t:1:0', 'no answer', each, bench.now_s)
        bench.settle()
    assert outcome(bench.run_end()) == end


@pytest.mark.parametrize(
    ('last', 'end'),
    [
        (failed(ErrorCode.CANCELED, Effect.PARTIAL, Outcome.CANCELED), (TaskStatus.FAILED, ErrorCode.TIMEOUT)),
        (failed(ErrorCode.CANCELED, Effect.UNKNOWN, Outcome.UNKNOWN), UNRESOLVED),
    ],
)
def test_a_call_lost_twice_is_stopped_and_its_end_awaited(last: SkillResult, end: tuple[TaskStatus, ErrorCode]) -> None:
    bench = rig(GO, answer=table(None))
    bench.begin()
    for _ in range(3):  # the third one comes while the task stops, and changes nothing
        bench.loop.call_lost('t:1:0', 'the executor was lost', True, bench.now_s)
        bench.settle()
    assert (bench.canceled, bench.loop.phase) == (['t:1:0'], Phase.STOPPING)
    bench.loop.call_ended('t:1:0', last, bench.now_s)
    assert outcome(bench.run_end()) == end
    assert 'the executor was lost' in bench.run_end().summary


def test_a_lost_call_that_goes_on_is_stopped_with_the_task() -> None:
    bench = rig(GO, answer=table(None, refused(ErrorCode.IN_PROGRESS)))
    bench.begin()
    bench.loop.call_lost('t:1:0', 'the executor was lost', True, bench.now_s)
    bench.settle()
    assert bench.loop.phase is Phase.WAIT
    bench.loop.cancel(bench.now_s)
    bench.settle()
    assert (bench.canceled, bench.loop.end) == (['t:1:0'], None)


def test_the_end_of_a_lost_call_counts_when_it_comes_after_all() -> None:
    bench = rig(GO, DONE, answer=table(None, refused(ErrorCode.IN_PROGRESS)))
    bench.begin()
    bench.loop.call_lost('t:1:0', 'the executor was lost', True, bench.now_s)
    bench.settle()
    bench.loop.call_ended('t:1:0', succeeded(), bench.now_s)
    assert outcome(bench.run_end()) == (TaskStatus.SUCCEEDED, None)


def test_a_call_that_never_ends_is_cancelled_and_leaves_the_task_unresolved() -> None:
    bench = rig(GO, answer=table(None), executor_timeout_s=5.0, call_margin_s=10.0, cancel_timeout_s=3.0)
    end = bench.run()
    assert outcome(end) == (TaskStatus.NEEDS_OPERATOR, ErrorCode.UNRESOLVED_CALL)
    assert bench.canceled == ['t:1:0']
    assert bench.now_s - 100.0 == pytest.approx(90.0 + 5.0 + 10.0 + 3.0, abs=0.5)


def test_an_executor_that_does_not_describe_its_skills_ends_the_task() -> None:
    bench = rig(GO, executor_timeout_s=5.0)
    bench.silent_executor = True
    assert outcome(bench.run()) == (TaskStatus.FAILED, ErrorCode.TIMEOUT)
    assert bench.now_s - 100.0 == pytest.approx(5.0, abs=0.2)


def test_new_skills_are_known_before_the_next_call() -> None:
    rows = json.loads(SKILLS_JSON)

    def drop_look(request: ModelRequest) -> ModelReply:
        bench.skills = (json.dumps([row for row in rows if row['name'] != 'look']), 'other')
        return GO

    bench = rig(drop_look, LOOK, says('FAILED: no look'))
    assert outcome(bench.run()) == (TaskStatus.FAILED, ErrorCode.UNKNOWN_SKILL)
    assert [call.tool.name for call in bench.sent] == ['navigate_to']


@pytest.mark.parametrize('phase', [Phase.TOOLS, Phase.MODEL, Phase.PAUSE, Phase.WAIT])
def test_cancel_ends_at_once_where_nothing_runs(phase: Phase) -> None:
    bench = rig(
        *([RetryLater('busy')] if phase is Phase.PAUSE else [GO]), DONE, answer=table(refused(ErrorCode.SAFETY_LOCKED))
    )
    bench.silent_executor = phase is Phase.TOOLS
    bench.silent_model = phase is Phase.MODEL
    bench.view = view(SafetyMode.STOPPING)
    bench.begin()
    assert bench.loop.phase is phase
    bench.loop.cancel(bench.now_s)
    assert bench.loop.end is not None
    assert outcome(bench.loop.end) == (TaskStatus.CANCELED, ErrorCode.CANCELED)
    bench.settle()
    assert bench.canceled == []


@pytest.mark.parametrize('last', [failed(ErrorCode.CANCELED, Effect.PARTIAL, Outcome.CANCELED), succeeded()])
def test_cancel_stops_the_running_call_and_waits_for_its_end(last: SkillResult) -> None:
    bench = rig(calls(('navigate_to', {'place': 'table'}), ('look', {})), DONE, answer=table(None))
    bench.begin()
    bench.loop.cancel(bench.now_s)
    bench.settle()
    assert bench.canceled == ['t:1:0']
    assert bench.loop.end is None
    bench.loop.cancel(bench.now_s)
    bench.settle()
    assert bench.canceled == ['t:1:0']
    bench.loop.call_ended('t:1:0', last, bench.now_s)
    assert bench.loop.end is not None
    assert outcome(bench.loop.end) == (TaskStatus.CANCELED, ErrorCode.CANCELED)
    assert len(bench.sent) == 1


def test_cancel_with_an_unknown_effect_needs_an_operator() -> None:
    bench = rig(GO, answer=table(None))
    bench.begin()
    bench.loop.cancel(bench.now_s)
    bench.loop.call_ended('t:1:0', failed(ErrorCode.CANCELED, Effect.UNKNOWN, Outcome.UNKNOWN), bench.now_s)
    assert bench.loop.end is not None
    assert bench.loop.end.status is TaskStatus.NEEDS_OPERATOR


def test_a_cancelled_call_that_does_not_end_is_said_to_be_unresolved() -> None:
    bench = rig(GO, answer=table(None), cancel_timeout_s=4.0)
    bench.begin()
    bench.loop.cancel(bench.now_s)
    assert outcome(bench.run_end()) == (TaskStatus.NEEDS_OPERATOR, ErrorCode.UNRESOLVED_CALL)
    assert bench.now_s - 100.0 == pytest.approx(4.0, abs=0.2)


def test_cancel_before_the_call_was_sent_ends_as_cancelled() -> None:
    bench = rig(GO, answer=table(None))
    bench.begin()
    bench.loop.cancel(bench.now_s)
    bench.loop.call_lost('t:1:0', 'canceled before it was sent', False, bench.now_s)
    assert bench.loop.end is not None
    assert outcome(bench.loop.end) == (TaskStatus.CANCELED, ErrorCode.CANCELED)


def test_after_the_end_no_event_does_anything() -> None:
    bench = rig(GO, DONE)
    end = bench.run()
    bench.loop.cancel(bench.now_s)
    bench.loop.call_ended('t:1:0', failed(ErrorCode.TIMEOUT), bench.now_s)
    bench.loop.call_lost('t:1:0', 'late', True, bench.now_s)
    bench.loop.reply_arrived(2, GO, bench.now_s)
    bench.advance(1000.0)
    assert bench.loop.end == end
    assert bench.loop.take_actions() == []
