"""What a task may claim, and what it does with the advice of a failed call."""

from __future__ import annotations

from planning_lines import BAD, DONE, GO, LOOK, outcome, rig, table
from planning_rig import failed, refused, succeeded, view
import pytest
from robot_tool_agent.core.outcomes import Effect, ErrorCode, Outcome, TaskStatus
from robot_tool_agent.core.planning.calls import SkillResult
from robot_tool_agent.core.planning.phases import Phase
from robot_tool_agent.core.safety_state import SafetyMode
from robot_tool_agent.llm.scripted import says


@pytest.mark.parametrize('text', ['DONE: I brought the cup', 'I brought the cup', 'ANSWER: the cup is there'])
def test_a_claim_without_any_call_is_unverified(text: str) -> None:
    end = rig(says(text)).run()
    assert outcome(end) == (TaskStatus.UNVERIFIED, ErrorCode.VERIFICATION_FAILED)
    assert end.skill_calls == 0


def test_a_claim_after_a_failed_call_is_unverified() -> None:
    end = rig(GO, DONE, answer=table(failed(ErrorCode.VERIFICATION_FAILED))).run()
    assert end.status is TaskStatus.UNVERIFIED


def test_a_claim_on_a_replayed_result_is_unverified() -> None:
    end = rig(GO, DONE, answer=table(SkillResult(Outcome.SUCCEEDED, Effect.DONE, replayed=True))).run()
    assert end.status is TaskStatus.UNVERIFIED


def test_a_claim_of_work_with_only_a_look_is_unverified() -> None:
    assert rig(LOOK, DONE).run().status is TaskStatus.UNVERIFIED


def test_an_answer_after_a_look_succeeds() -> None:
    end = rig(LOOK, says('ANSWER: two cups')).run()
    assert outcome(end) == (TaskStatus.SUCCEEDED, None)


def test_a_claim_after_a_refused_call_is_unverified() -> None:
    assert rig(GO, BAD, DONE).run().status is TaskStatus.UNVERIFIED


def test_a_question_needs_an_operator() -> None:
    end = rig(says('QUESTION: which cup')).run()
    assert outcome(end) == (TaskStatus.NEEDS_OPERATOR, ErrorCode.NEEDS_ANSWER)


@pytest.mark.parametrize('error', [ErrorCode.UNRESOLVED_CALL, ErrorCode.RESTARTED, ErrorCode.APPROVAL_EXPIRED])
def test_advice_to_ask_an_operator_ends_the_task(error: ErrorCode) -> None:
    bench = rig(GO, GO, DONE, answer=table(refused(error)))
    assert outcome(bench.run()) == (TaskStatus.NEEDS_OPERATOR, error)
    assert len(bench.sent) == 1


@pytest.mark.parametrize('outcome_', [Outcome.UNKNOWN, Outcome.FAILED])
def test_an_unknown_effect_ends_the_task(outcome_: Outcome) -> None:
    bench = rig(GO, GO, answer=table(failed(ErrorCode.VERIFICATION_FAILED, Effect.UNKNOWN, outcome_)))
    assert bench.run().status is TaskStatus.NEEDS_OPERATOR
    assert len(bench.sent) == 1


def test_a_denied_approval_ends_the_task() -> None:
    bench = rig(GO, GO, answer=table(refused(ErrorCode.APPROVAL_DENIED)))
    assert outcome(bench.run()) == (TaskStatus.FAILED, ErrorCode.APPROVAL_DENIED)
    assert len(bench.sent) == 1


def test_a_call_that_someone_else_cancelled_ends_the_task_as_failed() -> None:
    bench = rig(GO, GO, answer=table(failed(ErrorCode.CANCELED, Effect.PARTIAL, Outcome.CANCELED)))
    assert outcome(bench.run()) == (TaskStatus.FAILED, ErrorCode.CANCELED)


def test_a_locked_call_waits_for_ready_and_goes_out_under_its_old_id() -> None:
    bench = rig(GO, DONE, answer=table(refused(ErrorCode.SAFETY_LOCKED), succeeded()), max_steps=2)
    bench.view = view(SafetyMode.RETREATING, 'SKILL_FAILED')
    bench.begin()
    bench.until(Phase.WAIT)
    for mode in (SafetyMode.STOPPING, SafetyMode.RETREATING, SafetyMode.SAFE, SafetyMode.STARTING):
        bench.view = view(mode, 'SKILL_FAILED')
        bench.advance(5.0)
        assert len(bench.sent) == 1
    bench.view = view()
    end = bench.run_end()
    assert outcome(end) == (TaskStatus.SUCCEEDED, None)
    assert [call.call_id for call in bench.sent] == ['t:1:0', 't:1:0']
    assert (end.skill_calls, end.llm_calls) == (1, 2)


def test_waiting_is_told_once_and_is_no_repeat() -> None:
    locked = [refused(ErrorCode.RESOURCE_BUSY)] * 6
    bench = rig(GO, DONE, answer=table(*locked, succeeded()))
    assert bench.run().status is TaskStatus.SUCCEEDED
    assert len(bench.sent) == 7
    assert bench.kinds().count('waiting') == 1
    assert bench.now_s - 100.0 == pytest.approx(3.0, abs=0.5)


@pytest.mark.parametrize(
    ('mode', 'fault'),
    [(SafetyMode.HOLDING, 'ODOM_STALE'), (SafetyMode.ESTOPPED, 'OPERATOR_STOP'), (SafetyMode.SAFE, 'EXECUTOR_LOST')],
)
def test_a_latched_stop_ends_the_wait_at_once(mode: SafetyMode, fault: str) -> None:
    bench = rig(GO, DONE, answer=table(refused(ErrorCode.SAFETY_LOCKED)))
    bench.view = view(mode, fault)
    end = bench.run()
    assert outcome(end) == (TaskStatus.NEEDS_OPERATOR, ErrorCode.SAFETY_LOCKED)
    assert fault in end.summary
    assert bench.now_s - 100.0 < 0.2
    assert len(bench.sent) == 1


@pytest.mark.parametrize(
    ('error', 'status'),
    [(ErrorCode.SAFETY_LOCKED, TaskStatus.NEEDS_OPERATOR), (ErrorCode.RESOURCE_BUSY, TaskStatus.FAILED)],
)
def test_waiting_has_an_end(error: ErrorCode, status: TaskStatus) -> None:
    bench = rig(GO, DONE, answer=table(refused(error)), wait_timeout_s=10.0)
    end = bench.run()
    assert outcome(end) == (status, error)
    assert 'wait_timeout_s = 10' in end.summary
    assert bench.now_s - 100.0 == pytest.approx(10.0, abs=0.6)


def test_an_unheard_safety_node_is_not_ready() -> None:
    bench = rig(GO, DONE, answer=table(refused(ErrorCode.SAFETY_LOCKED)), wait_timeout_s=5.0)
    bench.view = None
    bench.run()
    assert len(bench.sent) == 1


def test_a_call_that_ran_and_was_stopped_is_never_sent_again_under_its_id() -> None:
    stopped = failed(ErrorCode.STOPPED_BY_SAFETY, Effect.PARTIAL, Outcome.STOPPED)
    bench = rig(GO, says('FAILED: stopped'), answer=table(stopped))
    assert outcome(bench.run()) == (TaskStatus.FAILED, ErrorCode.STOPPED_BY_SAFETY)
    assert len(bench.sent) == 1


def test_the_summary_lists_what_was_verified_and_what_was_not() -> None:
    ends = [failed(ErrorCode.TIMEOUT), SkillResult(Outcome.SUCCEEDED, Effect.DONE, replayed=True), succeeded()]
    end = rig(GO, GO, LOOK, says('FAILED: gave up'), answer=table(*ends)).run()
    facts = '[Verified by sensors: look. Not verified: navigate_to (FAILED), navigate_to (replayed).]'
    assert end.summary == f'gave up {facts}'
