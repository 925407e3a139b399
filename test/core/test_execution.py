"""The order of a call, and every way it can end, on a virtual clock."""

import pytest

from execution_bench import Bench, Nudge, memory_journal
from robot_tool_agent.core.execution.call import CancelCause
from robot_tool_agent.core.execution.ports import Turn
from robot_tool_agent.core.journal import CallState
from robot_tool_agent.core.outcomes import Effect, ErrorCode, Outcome
from robot_tool_agent.core.robot import ApprovalPolicy
from robot_tool_agent.core.safety_state import SafetyMode, SafetyView


@pytest.fixture
def bench():
    return Bench()


def moves(bench):
    return [request for request in bench.ports.motions if not request.last]


def test_a_call_moves_stands_still_is_verified_and_stored(bench):
    bench.send('a')
    end = bench.end('a').end
    assert (end.outcome, end.effect, end.error) == (Outcome.SUCCEEDED, Effect.DONE, None)
    assert end.attempts == 1
    assert '"measured":0.1' in end.evidence_json
    assert bench.pose.x_m == pytest.approx(0.1)
    assert bench.journal.record('a').end == end
    assert bench.ports.motions[-1].last
    assert {request.epoch for request in bench.ports.motions} == {7}
    assert bench.ports.trips == []


def test_nothing_is_sent_before_started_is_stored(bench):
    seen = []
    bench.ports.send_motion = lambda request: seen.append(bench.journal.record('a').state)
    bench.send('a')
    bench.end('a')
    assert set(seen) == {CallState.STARTED}


def test_the_same_id_again_moves_nothing_and_says_replayed(bench):
    bench.send('a')
    first = bench.end('a')
    count = len(bench.ports.motions)
    bench.send('a')
    again = bench.end('a')
    assert again.replayed
    assert not first.replayed
    assert again.end == first.end
    assert len(bench.ports.motions) == count
    assert bench.pose.x_m == pytest.approx(0.1)


def test_the_same_id_while_running_is_in_progress_and_moves_once(bench):
    bench.send('a')
    bench.step(3)
    bench.send('a')
    assert bench.results['a'][0].end.error is ErrorCode.IN_PROGRESS
    bench.results['a'].clear()
    assert bench.end('a').end.outcome is Outcome.SUCCEEDED
    assert bench.pose.x_m == pytest.approx(0.1)


def test_the_same_id_for_another_skill_is_a_mismatch_live_and_ended(bench):
    bench.send('a')
    bench.step(3)
    bench.send('a', 'slide')
    assert bench.results['a'].pop(0).end.error is ErrorCode.IDEMPOTENCY_MISMATCH
    bench.end('a')
    bench.send('a', 'slide')
    bench.step(3)
    assert bench.results['a'][-1].end.error is ErrorCode.IDEMPOTENCY_MISMATCH
    bench.send('a', 'peek')
    bench.step(3)
    assert bench.results['a'][-1].end.error is ErrorCode.IDEMPOTENCY_MISMATCH


def test_two_calls_on_one_resource_do_not_queue(bench):
    bench.send('a')
    bench.step(3)
    bench.send('b')
    busy = bench.end('b').end
    assert (busy.outcome, busy.effect, busy.error) == (Outcome.REJECTED, Effect.NONE, ErrorCode.RESOURCE_BUSY)
    assert 'call a' in busy.message
    bench.end('a')
    bench.send('c')
    assert bench.end('c').end.outcome is Outcome.SUCCEEDED


@pytest.mark.parametrize(
    'mode', [mode for mode in SafetyMode if mode is not SafetyMode.READY], ids=lambda mode: mode.name
)
def test_no_motion_starts_unless_safety_is_ready_but_reading_does(bench, mode):
    bench.mode = mode
    bench.step()
    bench.send('a')
    end = bench.end('a').end
    assert (end.outcome, end.effect, end.error) == (Outcome.REJECTED, Effect.NONE, ErrorCode.SAFETY_LOCKED)
    assert bench.ports.motions == []
    bench.send('b', 'peek')
    assert bench.end('b').end.outcome is Outcome.SUCCEEDED


def test_a_silent_safety_node_is_not_permission(bench):
    bench.hub.safety.on_view = lambda view, now_s: None
    bench.step(20)
    bench.send('a')
    end = bench.end('a').end
    assert end.error is ErrorCode.SAFETY_LOCKED
    assert 'silent' in end.message


def test_a_safety_node_that_falls_silent_ends_the_motion(bench):
    bench.send('a')
    bench.step(4)
    Nudge.ticks, before = 1000, Nudge.ticks
    try:
        bench.hub.safety.on_view = lambda view, now_s: None
        end = bench.end('a').end
    finally:
        Nudge.ticks = before
    assert (end.outcome, end.error) == (Outcome.STOPPED, ErrorCode.STOPPED_BY_SAFETY)
    assert end.effect is Effect.PARTIAL


def test_a_stop_by_safety_is_verified_before_any_retreat(bench):
    bench.send('a')
    bench.step(5)
    bench.mode, bench.epoch = SafetyMode.STOPPING, 8
    end = bench.end('a').end
    assert (end.outcome, end.effect, end.error) == (Outcome.STOPPED, Effect.PARTIAL, ErrorCode.STOPPED_BY_SAFETY)
    assert bench.ports.trips == []


def test_a_stop_whose_standstill_was_missed_is_unknown(bench):
    bench.send('a')
    bench.step(5)
    bench.mode, bench.epoch = SafetyMode.RETREATING, 8
    end = bench.end('a').end
    assert (end.outcome, end.effect) == (Outcome.STOPPED, Effect.UNKNOWN)
    assert bench.journal.record('a').unresolved


def test_a_new_epoch_ends_a_call_even_if_safety_is_ready_again(bench):
    bench.send('a')
    bench.step(5)
    bench.epoch = 9
    assert bench.end('a').end.outcome is Outcome.STOPPED


def test_a_restarted_safety_node_is_told_so(bench):
    bench.executive.on_safety(
        SafetyView(2, SafetyMode.STARTING, 90, False, False), Turn(bench.now_s, bench.now_s, False)
    )
    assert [(trip.fault, trip.epoch) for trip in bench.ports.trips] == [('SAFETY_RESTARTED', 0)]
    bench.executive.on_safety(SafetyView(2, SafetyMode.HOLDING, 90, False, True), Turn(bench.now_s, bench.now_s, False))
    assert len(bench.ports.trips) == 1


def test_cancel_stands_still_first_and_tells_what_was_done(bench):
    bench.send('a')
    bench.step(5)
    assert bench.executive.cancel('a', CancelCause.REQUEST)
    assert bench.executive.cancel('a', CancelCause.REQUEST)
    end = bench.end('a').end
    assert (end.outcome, end.effect, end.error) == (Outcome.CANCELED, Effect.PARTIAL, ErrorCode.CANCELED)
    assert not bench.executive.cancel('a', CancelCause.REQUEST)
    assert bench.ports.trips == []
    assert len(bench.results['a']) == 1


def test_cancel_before_started_moves_nothing_and_frees_the_id(bench):
    bench.send('a')
    bench.executive.cancel('a', CancelCause.REQUEST)
    end = bench.end('a').end
    assert (end.outcome, end.effect) == (Outcome.CANCELED, Effect.NONE)
    assert moves(bench) == []
    bench.results['a'].clear()
    bench.send('a')
    assert bench.end('a').end.outcome is Outcome.SUCCEEDED


def test_a_robot_that_does_not_stop_trips_safety_and_is_unknown(bench):
    bench.obeys_stop = False
    bench.send('a')
    bench.step(5)
    bench.executive.cancel('a', CancelCause.REQUEST)
    end = bench.end('a').end
    assert (end.outcome, end.effect) == (Outcome.UNKNOWN, Effect.UNKNOWN)
    assert [trip.fault for trip in bench.ports.trips] == ['SKILL_UNKNOWN']


def test_a_silent_caller_loses_its_calls(bench):
    bench.send('a', by='planner')
    bench.step(4)
    Nudge.ticks, before = 1000, Nudge.ticks
    try:
        bench.planner_beats = False
        end = bench.end('a').end
    finally:
        Nudge.ticks = before
    assert (end.outcome, end.error) == (Outcome.CANCELED, ErrorCode.CANCELED)
    assert CancelCause.LEASE.value in end.message


def test_a_caller_without_heartbeat_needs_none(bench):
    bench.planner_beats = False
    bench.step(20)
    bench.send('a', by='operator')
    assert bench.end('a').end.outcome is Outcome.SUCCEEDED


def test_a_failed_motion_says_what_moved_and_trips_safety(bench, monkeypatch):
    monkeypatch.setattr(Nudge, 'fail_at', 3)
    bench.send('a')
    end = bench.end('a').end
    assert (end.outcome, end.effect, end.error) == (Outcome.FAILED, Effect.PARTIAL, ErrorCode.EXECUTION_ERROR)
    assert [trip.fault for trip in bench.ports.trips] == ['SKILL_FAILED']
    assert bench.ports.trips[0].epoch == 7


def test_an_exception_half_way_stands_still_and_shows_no_trace(bench, monkeypatch):
    monkeypatch.setattr(Nudge, 'raise_at', 3)
    bench.send('a')
    end = bench.end('a').end
    assert (end.outcome, end.effect, end.error) == (Outcome.FAILED, Effect.PARTIAL, ErrorCode.EXECUTION_ERROR)
    assert 'Traceback' not in end.message
    assert any('half way' in text for text in bench.ports.logs)
    assert bench.ports.motions[-1].last


def test_a_timeout_stops_and_verifies(bench, monkeypatch):
    monkeypatch.setattr(Nudge, 'ticks', 1000)
    bench.send('a')
    end = bench.end('a').end
    assert (end.outcome, end.effect, end.error) == (Outcome.FAILED, Effect.PARTIAL, ErrorCode.TIMEOUT)
    assert bench.pose.x_m == pytest.approx(3.0 * 0.4, abs=0.05)
    assert bench.ports.motions[-1].last


def test_lost_odometry_is_unknown_and_blocks_the_next_motion(bench, monkeypatch):
    monkeypatch.setattr(Nudge, 'ticks', 1000)
    bench.send('a')
    bench.step(5)
    bench.senses = False
    end = bench.end('a').end
    assert (end.outcome, end.effect, end.error) == (Outcome.UNKNOWN, Effect.UNKNOWN, ErrorCode.STALE_SENSOR)
    assert [trip.fault for trip in bench.ports.trips] == ['SKILL_UNKNOWN']
    bench.senses = True
    bench.step(3)
    bench.send('b')
    assert bench.end('b').end.error is ErrorCode.UNRESOLVED_CALL
    assert bench.executive.resolve('a', 1, 'ann', 'it stands at the door').result() is None
    bench.send('c')
    monkeypatch.setattr(Nudge, 'ticks', 5)
    assert bench.end('c').end.outcome is Outcome.SUCCEEDED


def test_stale_sensors_refuse_before_anything_moves(bench):
    bench.senses = False
    bench.step(20)
    bench.send('a')
    end = bench.end('a').end
    assert (end.outcome, end.effect, end.error) == (Outcome.REJECTED, Effect.NONE, ErrorCode.STALE_SENSOR)
    assert 'odom' in end.message


@pytest.mark.parametrize(
    ('skill', 'arguments', 'call_id', 'code'),
    [
        ('nudge', '{', 'a', ErrorCode.INVALID_JSON),
        ('nudge', '"{}"', 'a', ErrorCode.INVALID_JSON),
        ('nudge', '{"x": 1}', 'a', ErrorCode.INVALID_ARGUMENT),
        ('fly', '{}', 'a', ErrorCode.UNKNOWN_SKILL),
        ('nudge', '{}', '', ErrorCode.INVALID_ARGUMENT),
        ('nudge', '{}', 'a b', ErrorCode.INVALID_ARGUMENT),
        ('nudge', '{}', 'a\n', ErrorCode.INVALID_ARGUMENT),
        ('nudge', '{}', 'x' * 129, ErrorCode.INVALID_ARGUMENT),
    ],
)
def test_bad_calls_are_refused_at_once(bench, skill, arguments, call_id, code):
    bench.send(call_id, skill, arguments)
    end = bench.results[call_id][0].end
    assert (end.outcome, end.effect, end.error) == (Outcome.REJECTED, Effect.NONE, code)
    assert bench.ports.motions == []
    assert bench.journal.record(call_id) is None


@pytest.mark.parametrize('first_failing_job', [1, 2])
def test_no_journal_no_motion(bench, first_failing_job):
    bench.ports.fail_from = first_failing_job
    bench.send('a')
    end = bench.end('a').end
    assert (end.outcome, end.effect, end.error) == (Outcome.REJECTED, Effect.NONE, ErrorCode.JOURNAL_UNAVAILABLE)
    assert moves(bench) == []


def test_an_end_that_cannot_be_stored_is_unknown(bench):
    bench.ports.fail_from = 3
    bench.send('a')
    end = bench.end('a').end
    assert (end.outcome, end.effect, end.error) == (Outcome.UNKNOWN, Effect.UNKNOWN, ErrorCode.JOURNAL_UNAVAILABLE)
    assert bench.journal.record('a').state is CallState.STARTED


def test_reading_works_without_a_journal(bench):
    bench.ports.fail_from = 1
    bench.send('a', 'peek')
    assert bench.end('a').end.outcome is Outcome.SUCCEEDED


def test_reading_again_under_the_same_id_reads_anew(bench):
    bench.send('a', 'peek')
    bench.end('a')
    bench.send('a', 'peek')
    assert not bench.end('a').replayed


def test_high_risk_waits_for_a_person_and_yes_means_once(bench):
    bench.send('a', 'grip')
    bench.step(10)
    assert [ask.call_id for ask in bench.ports.asks] == ['a']
    assert moves(bench) == []
    assert bench.hub.approvals.decide('a', True, 'ann') is None
    bench.end('a')
    assert moves(bench) != []
    assert bench.hub.approvals.decide('a', True, 'ann') is not None


def test_denied_is_final_for_its_id(bench):
    bench.send('a', 'grip')
    bench.step(3)
    bench.hub.approvals.decide('a', False, 'ann')
    end = bench.end('a').end
    assert (end.outcome, end.effect, end.error) == (Outcome.REJECTED, Effect.NONE, ErrorCode.APPROVAL_DENIED)
    bench.send('a', 'grip')
    bench.step(3)
    assert bench.results['a'][-1].replayed
    assert len(bench.ports.asks) == 1


def test_no_answer_is_a_no(bench):
    bench.send('a', 'grip')
    end = bench.end('a', ticks=1400).end
    assert end.error is ErrorCode.APPROVAL_EXPIRED
    assert moves(bench) == []


def test_a_policy_asks_on_first_use_only():
    bench = Bench(approvals=(ApprovalPolicy(skill='nudge', first_use=True),))
    bench.send('a')
    bench.step(3)
    assert bench.hub.approvals.decide('a', True, 'ann') is None
    bench.end('a')
    bench.send('b')
    assert bench.end('b').end.outcome is Outcome.SUCCEEDED
    assert [ask.call_id for ask in bench.ports.asks] == ['a']


def test_after_a_crash_the_same_id_is_not_run_again():
    journal = memory_journal()
    first = Bench(journal)
    first.send('a')
    first.step(5)
    journal.recover(200.0)
    second = Bench(journal)
    second.send('a')
    result = second.end('a')
    assert result.replayed
    assert (result.end.outcome, result.end.error) == (Outcome.UNKNOWN, ErrorCode.RESTARTED)
    assert moves(second) == []
    second.send('b')
    assert second.end('b').end.error is ErrorCode.UNRESOLVED_CALL
    second.send('c', 'slide')
    assert second.end('c').end.outcome is Outcome.SUCCEEDED
