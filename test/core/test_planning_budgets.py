"""Budgets of a task, and models that do not answer."""

from __future__ import annotations

from planning_lines import DONE, GO, LOOK, outcome, rig, table
from planning_rig import failed, succeeded
import pytest
from robot_tool_agent.core.outcomes import Effect, ErrorCode, Outcome, TaskStatus
from robot_tool_agent.core.planning.conversation import ModelReply, Usage
from robot_tool_agent.core.planning.phases import Phase
from robot_tool_agent.llm.provider import FixRequest, RetryLater, UseAnotherProvider
from robot_tool_agent.llm.scripted import calls, says


def test_max_steps_ends_the_task() -> None:
    places = ['kitchen', 'table', 'desk', 'shelf', 'study']
    bench = rig(*[calls(('navigate_to', {'place': place})) for place in places], max_steps=3)
    end = bench.run()
    assert outcome(end) == (TaskStatus.FAILED, ErrorCode.BUDGET_EXHAUSTED)
    assert 'max_steps = 3' in end.summary
    assert (end.llm_calls, len(bench.sent)) == (3, 3)


def test_tokens_end_the_task() -> None:
    dear = ModelReply(calls=LOOK.calls, usage=Usage(900, 200))
    bench = rig(dear, DONE, max_task_tokens=1000)
    end = bench.run()
    assert outcome(end) == (TaskStatus.FAILED, ErrorCode.BUDGET_EXHAUSTED)
    assert 'max_task_tokens = 1000' in end.summary


def test_the_same_call_with_the_same_result_three_times_ends_the_task() -> None:
    bench = rig(*[GO] * 6, answer=table(failed(ErrorCode.VERIFICATION_FAILED)))
    end = bench.run()
    assert outcome(end) == (TaskStatus.FAILED, ErrorCode.BUDGET_EXHAUSTED)
    assert 'max_repeats = 3' in end.summary
    assert len(bench.sent) == 3


def test_looking_three_times_with_nothing_done_between_ends_the_task() -> None:
    bench = rig(*[LOOK] * 6)
    assert bench.run().error is ErrorCode.BUDGET_EXHAUSTED
    assert len(bench.sent) == 3


def steps(*named: tuple[str, dict[str, object]]) -> list[ModelReply]:
    return [calls(call) for call in named]


FORWARD, WAIT = ('move_relative', {'distance_m': 0.5}), ('wait', {'duration_s': 2.0})
SEE, READ = ('look', {}), ('get_robot_state', {})


@pytest.mark.parametrize(
    'named', [[FORWARD] * 5, [SEE, WAIT] * 5, [SEE, FORWARD] * 5, [FORWARD, WAIT] * 3, [READ, SEE, READ, SEE]]
)
def test_work_and_watching_are_no_repeats(named: list[tuple[str, dict[str, object]]]) -> None:
    end = rig(*steps(*named), says('FAILED: told to stop here'), max_steps=30).run()
    assert outcome(end) == (TaskStatus.FAILED, ErrorCode.GAVE_UP)
    assert end.skill_calls == len(named)


def test_waiting_again_and_again_is_no_repeat() -> None:
    end = rig(*steps(*[WAIT] * 5), says('ANSWER: waited')).run()
    assert (end.status, end.skill_calls) == (TaskStatus.SUCCEEDED, 5)


def test_readings_that_differ_are_no_repeats() -> None:
    seen = [succeeded(objects=[f'cup-{number}']) for number in range(5)]
    end = rig(*[LOOK] * 5, says('ANSWER: five cups'), answer=table(*seen)).run()
    assert (end.status, end.skill_calls) == (TaskStatus.SUCCEEDED, 5)


def test_a_failure_with_only_waiting_between_is_a_repeat() -> None:
    no = failed(ErrorCode.VERIFICATION_FAILED)
    bench = rig(*steps(*[FORWARD, WAIT] * 4), answer=table(no, succeeded(), no, succeeded(), no))
    assert bench.run().error is ErrorCode.BUDGET_EXHAUSTED
    assert len(bench.sent) == 5


def test_a_failure_after_work_starts_a_new_count() -> None:
    no, other = failed(ErrorCode.VERIFICATION_FAILED), GO
    ends = [no, no, succeeded(), no, no]
    bench = rig(*steps(FORWARD, FORWARD), other, *steps(FORWARD, FORWARD), says('FAILED: no'), answer=table(*ends))
    assert outcome(bench.run()) == (TaskStatus.FAILED, ErrorCode.VERIFICATION_FAILED)
    assert len(bench.sent) == 5


def test_going_to_and_fro_is_no_repeat() -> None:
    there, back = GO, calls(('navigate_to', {'place': 'desk'}))
    bench = rig(there, back, there, back, there, back, there, back, DONE)
    assert bench.run().status is TaskStatus.SUCCEEDED


def test_the_task_timeout_stops_a_running_call_first() -> None:
    bench = rig(GO, answer=table(None), task_timeout_s=20.0)
    bench.begin()
    bench.until(Phase.STOPPING)
    assert bench.now_s == pytest.approx(120.0, abs=0.2)
    assert bench.canceled == ['t:1:0']
    bench.loop.call_ended('t:1:0', failed(ErrorCode.CANCELED, Effect.PARTIAL, Outcome.CANCELED), bench.now_s)
    end = bench.run_end()
    assert outcome(end) == (TaskStatus.FAILED, ErrorCode.TIMEOUT)
    assert 'task_timeout_s = 20' in end.summary


def test_a_model_that_is_overloaded_is_asked_again_after_growing_pauses() -> None:
    bench = rig(RetryLater('busy'), RetryLater('busy', retry_after_s=9.0), GO, DONE, llm_backoff_s=1.0)
    end = bench.run()
    assert end.status is TaskStatus.SUCCEEDED
    assert bench.now_s - 100.0 == pytest.approx(10.0, abs=0.3)
    assert end.llm_calls == 4


@pytest.mark.parametrize('error', [UseAnotherProvider('bad key'), FixRequest('too long')])
def test_a_model_that_will_never_answer_ends_the_task_at_once(error: Exception) -> None:
    end = rig(error, DONE).run()
    assert outcome(end) == (TaskStatus.FAILED, ErrorCode.MODEL_UNAVAILABLE)
    assert str(error) in end.summary


def test_the_pause_doubles_from_failure_to_failure() -> None:
    bench = rig(*[RetryLater('busy')] * 3, GO, DONE, llm_backoff_s=1.0, llm_retries=3)
    assert bench.run().status is TaskStatus.SUCCEEDED
    assert bench.now_s - 100.0 == pytest.approx(1.0 + 2.0 + 4.0, abs=0.3)


def test_a_model_that_stays_overloaded_ends_the_task() -> None:
    end = rig(*[RetryLater('busy')] * 5, llm_retries=2).run()
    assert outcome(end) == (TaskStatus.FAILED, ErrorCode.MODEL_UNAVAILABLE)
    assert end.llm_calls == 3


def test_a_silent_model_ends_the_task_after_its_deadlines() -> None:
    bench = rig(DONE, llm_timeout_s=5.0, llm_retries=1, llm_backoff_s=1.0)
    bench.silent_model = True
    end = bench.run()
    assert outcome(end) == (TaskStatus.FAILED, ErrorCode.MODEL_UNAVAILABLE)
    assert bench.now_s - 100.0 == pytest.approx(11.0, abs=0.5)


def test_a_late_reply_changes_nothing() -> None:
    bench = rig(DONE, llm_timeout_s=5.0)
    bench.silent_model = True
    bench.begin()
    bench.until(Phase.PAUSE)
    bench.loop.reply_arrived(1, GO, bench.now_s)
    bench.settle()
    assert bench.sent == []
    bench.until(Phase.MODEL)
    bench.loop.reply_arrived(1, GO, bench.now_s)
    bench.settle()
    assert bench.sent == []
