"""The order of a call, and every way it can end, on a virtual clock."""

import json

import pytest

from execution_bench import TICK_S, Bench, Grip, Nudge, Slide, memory_journal
from robot_tool_agent.core.execution.approvals import ApprovalDesk
from robot_tool_agent.core.execution.call import CancelCause, Phase
from robot_tool_agent.core.geometry import Pose2D
from robot_tool_agent.core.journal import BrokenJournal, CallState
from robot_tool_agent.core.outcomes import Effect, ErrorCode, Outcome
from robot_tool_agent.core.robot import ApprovalPolicy
from robot_tool_agent.core.safety_state import SafetyMode
from robot_tool_agent.core.samples import BatterySample
from robot_tool_agent.core.skills.base import Offer, RetryPolicy, Risk
from sim_house import robot_description


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
    assert bench.pose.x_m == pytest.approx(1.1)
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
    assert bench.pose.x_m == pytest.approx(1.1)


def test_the_same_id_while_running_is_in_progress_and_moves_once(bench):
    bench.send('a')
    bench.step(3)
    bench.send('a')
    assert bench.results['a'][0].end.error is ErrorCode.IN_PROGRESS
    bench.results['a'].clear()
    assert bench.end('a').end.outcome is Outcome.SUCCEEDED
    assert bench.pose.x_m == pytest.approx(1.1)


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
    bench.speaks = False
    bench.step(20)
    bench.send('a')
    end = bench.end('a').end
    assert end.error is ErrorCode.SAFETY_LOCKED
    assert 'silent' in end.message


def test_a_safety_node_that_falls_silent_ends_the_motion(bench):
    bench.send('a')
    bench.step(2)
    Nudge.ticks, before = 1000, Nudge.ticks
    try:
        bench.speaks = False
        end = bench.end('a').end
    finally:
        Nudge.ticks = before
    assert (end.outcome, end.error) == (Outcome.STOPPED, ErrorCode.STOPPED_BY_SAFETY)
    assert end.effect is Effect.PARTIAL


def test_a_stop_by_safety_is_verified_before_any_retreat(bench):
    bench.send('a')
    bench.step(2)
    bench.mode, bench.epoch = SafetyMode.STOPPING, 8
    end = bench.end('a').end
    assert (end.outcome, end.effect, end.error) == (Outcome.STOPPED, Effect.PARTIAL, ErrorCode.STOPPED_BY_SAFETY)
    assert bench.ports.trips == []


def test_a_stop_whose_standstill_was_missed_is_unknown(bench):
    bench.send('a')
    bench.step(2)
    bench.mode, bench.epoch = SafetyMode.RETREATING, 8
    end = bench.end('a').end
    assert (end.outcome, end.effect) == (Outcome.STOPPED, Effect.UNKNOWN)
    assert bench.journal.record('a').unresolved


def test_a_new_epoch_ends_a_call_even_if_safety_is_ready_again(bench):
    bench.send('a')
    bench.step(2)
    bench.epoch = 9
    assert bench.end('a').end.outcome is Outcome.STOPPED


def test_a_restarted_safety_node_is_told_so_once(bench):
    bench.boot_id = 2
    bench.step(20)
    assert [(trip.fault, trip.epoch) for trip in bench.ports.trips] == [('SAFETY_RESTARTED', 0)]


def test_cancel_stands_still_first_and_tells_what_was_done(bench):
    bench.send('a')
    bench.step(2)
    assert bench.executive.cancel('a', CancelCause.REQUEST)
    assert bench.executive.cancel('a', CancelCause.REQUEST)
    end = bench.end('a').end
    assert (end.outcome, end.effect, end.error) == (Outcome.CANCELED, Effect.PARTIAL, ErrorCode.CANCELED)
    assert not bench.executive.cancel('a', CancelCause.REQUEST)
    assert bench.ports.trips == []
    assert len(bench.results['a']) == 1


def test_cancel_before_started_moves_nothing_and_frees_the_id(bench):
    bench.ports.held = True
    bench.send('a')
    bench.executive.cancel('a', CancelCause.REQUEST)
    bench.ports.held = False
    end = bench.end('a').end
    assert (end.outcome, end.effect) == (Outcome.CANCELED, Effect.NONE)
    assert moves(bench) == []
    bench.results['a'].clear()
    bench.send('a')
    assert bench.end('a').end.outcome is Outcome.SUCCEEDED


def test_a_robot_that_does_not_stop_trips_safety_and_is_unknown(bench):
    bench.obeys_stop = False
    bench.send('a')
    bench.step(2)
    bench.executive.cancel('a', CancelCause.REQUEST)
    end = bench.end('a').end
    assert (end.outcome, end.effect) == (Outcome.UNKNOWN, Effect.UNKNOWN)
    assert [trip.fault for trip in bench.ports.trips] == ['SKILL_UNKNOWN']


def test_a_silent_caller_loses_its_calls(bench):
    bench.send('a', by='planner')
    bench.step(2)
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
    assert bench.pose.x_m == pytest.approx(1.0 + 3.0 * 0.4, abs=0.05)
    assert bench.ports.motions[-1].last


def test_lost_odometry_is_unknown_and_blocks_the_next_motion(bench, monkeypatch):
    monkeypatch.setattr(Nudge, 'ticks', 1000)
    bench.send('a')
    bench.step(2)
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
    first.step(2)
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


def test_pause_holds_the_motion_and_its_deadline_and_resume_goes_on(bench):
    bench.send('a')
    bench.step(2)
    assert bench.executive.control('a', 'pause')[0]
    bench.step(2)
    stood_m = bench.pose.x_m
    bench.step(200)
    assert bench.pose.x_m == stood_m
    assert bench.results['a'] == []
    assert bench.executive.control('a', 'resume')[0]
    assert bench.end('a').end.outcome is Outcome.SUCCEEDED


def test_resume_checks_the_preconditions_again(bench):
    bench.send('a')
    bench.step(2)
    bench.executive.control('a', 'pause')
    bench.hub.view.battery = BatterySample(1.0, 1.0, 0.01)
    done, message = bench.executive.control('a', 'resume')
    assert not done
    assert 'battery' in message


def test_a_paused_call_can_be_cancelled_and_is_stopped_by_safety(bench):
    bench.send('a')
    bench.step(2)
    bench.executive.control('a', 'pause')
    bench.executive.cancel('a', CancelCause.REQUEST)
    assert bench.end('a').end.outcome is Outcome.CANCELED
    bench.send('b')
    bench.step(2)
    bench.executive.control('b', 'pause')
    bench.mode, bench.epoch = SafetyMode.STOPPING, 8
    assert bench.end('b').end.outcome is Outcome.STOPPED


@pytest.mark.parametrize(('call_id', 'command'), [('nobody', 'pause'), ('a', 'stop'), ('a', '')])
def test_control_of_nothing_or_with_nonsense_does_nothing(bench, call_id, command):
    bench.send('a')
    assert not bench.executive.control(call_id, command)[0]
    assert bench.end('a').end.outcome is Outcome.SUCCEEDED


class TestRetries:
    @pytest.fixture(autouse=True)
    def _three_tries(self, monkeypatch):
        monkeypatch.setattr(Nudge, 'retry', RetryPolicy(attempts=3, backoff_s=0.4, jitter=0.5))

    def test_an_idempotent_call_is_tried_again_until_it_succeeds(self, bench, monkeypatch):
        monkeypatch.setattr(Slide, 'fail_first', 2)
        bench.send('a', 'slide')
        end = bench.end('a').end
        assert (end.outcome, end.attempts) == (Outcome.SUCCEEDED, 3)
        assert [number for number, _ in bench.journal.attempts('a')] == [2, 3]
        assert bench.ports.trips == []

    def test_the_pause_doubles_and_is_spread(self, bench, monkeypatch):
        monkeypatch.setattr(Slide, 'fail_first', 9)
        bench.send('a', 'slide')
        phases = []
        while not bench.results['a']:
            bench.step()
            call = bench.hub.live.get('a')
            if call is not None and call.phase is Phase.BACKOFF:
                phases.append((call.attempts, call.detail))
        assert bench.results['a'][0].end.attempts == 3
        assert sum(number == 1 for number, _ in phases) == pytest.approx(0.5 / TICK_S, abs=1)
        assert sum(number == 2 for number, _ in phases) == pytest.approx(1.0 / TICK_S, abs=1)
        assert len(bench.ports.trips) == 1

    def test_a_motion_that_is_not_idempotent_gets_one_more_only_after_effect_none(self, bench, monkeypatch):
        monkeypatch.setattr(Nudge, 'fail_first', 9)
        bench.send('a')
        end = bench.end('a').end
        assert (end.outcome, end.effect, end.attempts) == (Outcome.FAILED, Effect.NONE, 2)
        ((number, evidence),) = bench.journal.attempts('a')
        assert number == 2
        assert json.loads(evidence)['evidence'] == {'measured': 0.0}

    def test_a_motion_that_moved_is_not_tried_again(self, bench, monkeypatch):
        monkeypatch.setattr(Nudge, 'fail_at', 3)
        bench.send('a')
        end = bench.end('a').end
        assert (end.outcome, end.effect, end.attempts) == (Outcome.FAILED, Effect.PARTIAL, 1)
        assert bench.journal.attempts('a') == []

    def test_no_second_attempt_without_its_row(self, bench, monkeypatch):
        monkeypatch.setattr(Nudge, 'fail_first', 9)
        bench.ports.fail_from = 3
        bench.send('a')
        assert bench.end('a').end.attempts == 1

    def test_a_cancel_in_the_pause_ends_the_call(self, bench, monkeypatch):
        monkeypatch.setattr(Slide, 'fail_first', 9)
        bench.send('a', 'slide')
        while bench.hub.live['a'].phase is not Phase.BACKOFF:
            bench.step()
        bench.executive.cancel('a', CancelCause.REQUEST)
        end = bench.end('a').end
        assert (end.outcome, end.effect, end.attempts) == (Outcome.CANCELED, Effect.NONE, 1)

    def test_a_stop_in_the_pause_ends_the_call(self, bench, monkeypatch):
        monkeypatch.setattr(Slide, 'fail_first', 9)
        bench.send('a', 'slide')
        while bench.hub.live['a'].phase is not Phase.BACKOFF:
            bench.step()
        bench.mode, bench.epoch = SafetyMode.STOPPING, 8
        assert bench.end('a').end.outcome is Outcome.STOPPED


def test_a_fallback_reaches_the_goal_another_way(bench, monkeypatch):
    monkeypatch.setattr(Nudge, 'fail_first', 9)
    monkeypatch.setattr(Nudge, 'fallbacks', ('glide',))
    bench.send('a')
    end = bench.end('a').end
    assert (end.outcome, end.effect, end.attempts) == (Outcome.SUCCEEDED, Effect.DONE, 2)
    assert bench.journal.attempts('a') != []


def test_no_fallback_after_a_motion_that_moved(bench, monkeypatch):
    monkeypatch.setattr(Nudge, 'fail_at', 3)
    monkeypatch.setattr(Nudge, 'fallbacks', ('glide',))
    bench.send('a')
    assert bench.end('a').end.attempts == 1


def test_a_half_done_change_offers_what_would_tidy_up(bench, monkeypatch):
    monkeypatch.setattr(Nudge, 'fail_at', 3)
    monkeypatch.setattr(Nudge, 'compensation', lambda self, view, verdict: Offer('nudge', {'back': True}))
    bench.send('a')
    result = json.loads(bench.end('a').end.result_json)
    assert result['compensation'] == {'skill': 'nudge', 'arguments': {'back': True}}


class TestBreaker:
    def fail(self, bench, times, skill='slide'):
        for number in range(times):
            bench.send(f'{skill}-{number}', skill)
            assert bench.end(f'{skill}-{number}').end.outcome is Outcome.FAILED

    def circuit(self, bench, skill='slide'):
        described = json.loads(bench.executive.describe()[0])
        return {item['name']: item['circuit'] for item in described}[skill]

    def test_it_opens_half_opens_and_closes(self, bench, monkeypatch):
        monkeypatch.setattr(Slide, 'fail_first', 99)
        before = bench.executive.describe()[1]
        self.fail(bench, 5)
        assert self.circuit(bench) == 'open'
        assert bench.executive.describe()[1] != before
        bench.send('refused', 'slide')
        end = bench.end('refused').end
        assert (end.outcome, end.error, end.effect) == (Outcome.REJECTED, ErrorCode.CIRCUIT_OPEN, Effect.NONE)
        bench.step(round(31 / TICK_S))
        assert self.circuit(bench) == 'half_open'
        monkeypatch.setattr(Slide, 'fail_first', 0)
        bench.send('probe', 'slide')
        assert bench.end('probe').end.outcome is Outcome.SUCCEEDED
        assert self.circuit(bench) == 'closed'

    def test_a_failed_probe_opens_it_again(self, bench, monkeypatch):
        monkeypatch.setattr(Slide, 'fail_first', 99)
        self.fail(bench, 5)
        bench.step(round(31 / TICK_S))
        bench.send('probe', 'slide')
        assert bench.end('probe').end.outcome is Outcome.FAILED
        assert self.circuit(bench) == 'open'

    def test_the_probe_of_a_motion_that_is_not_idempotent_needs_a_person(self, bench, monkeypatch):
        monkeypatch.setattr(Nudge, 'fail_at', 3)
        self.fail(bench, 5, 'nudge')
        bench.step(round(31 / TICK_S))
        monkeypatch.setattr(Nudge, 'fail_at', None)
        bench.send('probe')
        bench.step(5)
        assert [ask.call_id for ask in bench.ports.asks] == ['probe']
        assert bench.hub.approvals.decide('probe', True, 'ann') is None
        assert bench.end('probe').end.outcome is Outcome.SUCCEEDED

    def test_other_skills_go_on(self, bench, monkeypatch):
        monkeypatch.setattr(Slide, 'fail_first', 99)
        self.fail(bench, 5)
        bench.send('a')
        assert bench.end('a').end.outcome is Outcome.SUCCEEDED

    def test_refusals_and_cancels_do_not_count(self, bench):
        bench.mode = SafetyMode.HOLDING
        bench.step()
        for number in range(9):
            bench.send(f'a{number}', 'slide')
            bench.end(f'a{number}')
        assert self.circuit(bench) == 'closed'


def test_denied_is_not_asked_again_under_another_id_within_the_task(bench):
    bench.send('a', 'grip')
    bench.step(3)
    bench.hub.approvals.decide('a', False, 'ann')
    bench.end('a')
    bench.send('b', 'grip')
    end = bench.end('b').end
    assert (end.outcome, end.error) == (Outcome.REJECTED, ErrorCode.APPROVAL_DENIED)
    assert len(bench.ports.asks) == 1


def crashed(skill):
    """Return a bench whose journal holds a call of an earlier process, started and never ended."""
    journal = memory_journal()
    first = Bench(journal)
    first.send('lost', skill)
    first.step(2)
    second = Bench(journal)
    second.pose = first.pose
    second.executive.resolver.take(journal.recover(200.0))
    return second


def test_sensors_newer_than_the_restart_resolve_what_they_can_judge():
    bench = crashed('slide')
    bench.step(30)
    record = bench.journal.record('lost')
    assert (record.end.effect, record.resolved_by) == (Effect.PARTIAL, 'sensors')
    assert '"measured"' in record.end.evidence_json
    bench.send('next')
    assert bench.end('next').end.outcome is Outcome.SUCCEEDED


def test_what_a_retreat_may_have_changed_waits_for_a_person():
    bench = crashed('nudge')
    bench.step(30)
    assert bench.journal.record('lost').unresolved


def test_nothing_is_resolved_while_safety_moves_the_robot_or_sensors_are_stale():
    bench = crashed('slide')
    bench.mode = SafetyMode.RETREATING
    bench.step(30)
    assert bench.journal.record('lost').unresolved
    bench.mode, bench.senses = SafetyMode.SAFE, False
    bench.step(30)
    assert bench.journal.record('lost').unresolved
    bench.senses = True
    bench.step(30)
    assert not bench.journal.record('lost').unresolved


def test_a_broken_journal_lets_nothing_move_and_reading_go_on():
    bench = Bench(BrokenJournal('disk on fire'))
    bench.send('a')
    end = bench.end('a').end
    assert (end.outcome, end.effect, end.error) == (Outcome.REJECTED, Effect.NONE, ErrorCode.JOURNAL_UNAVAILABLE)
    assert 'disk on fire' in end.message
    bench.send('b', 'peek')
    assert bench.end('b').end.outcome is Outcome.SUCCEEDED


def test_a_jump_of_odometry_ends_a_relative_motion_at_once(bench):
    bench.send('a', 'move_relative', '{"distance_m": 0.5}')
    while bench.pose.x_m < 1.2:
        bench.step()
    bench.odom_shift = Pose2D(-1.2, 0.0, 0.0)
    end = bench.end('a').end
    assert (end.outcome, end.effect) == (Outcome.UNKNOWN, Effect.UNKNOWN)
    assert 'jumped' in end.message
    assert bench.pose.x_m < 1.3


def test_without_localization_a_jump_is_no_success():
    topics = robot_description().topics.model_copy(update={'global_pose': None})
    bench = Bench(topics=topics)
    bench.send('a', 'move_relative', '{"distance_m": 0.5}')
    bench.step(1)
    bench.odom_shift = Pose2D(0.5, 0.0, 0.0)
    end = bench.end('a').end
    assert (end.outcome, end.effect) == (Outcome.UNKNOWN, Effect.UNKNOWN)


@pytest.mark.parametrize(
    ('skill', 'arguments'), [('move_relative', '{"distance_m": 0.3}'), ('rotate_relative', '{"angle_rad": 0.5}')]
)
def test_odometry_whose_values_stand_still_does_not_make_the_robot_run_away(bench, skill, arguments):
    bench.odom_stuck = bench.pose
    bench.send('a', skill, arguments)
    end = bench.end('a').end
    assert end.outcome in (Outcome.FAILED, Outcome.UNKNOWN)
    assert end.outcome is not Outcome.SUCCEEDED
    assert bench.pose.x_m < 1.7
    assert bench.now_s < 110.0


def test_a_process_that_stood_still_does_not_judge_what_safety_may_have_moved(bench):
    bench.send('a')
    bench.step(2)
    bench.now_s += 4.0
    bench.pose = Pose2D(1.0, 1.0, 0.0)
    bench.mode, bench.epoch = SafetyMode.HOLDING, 8
    end = bench.end('a').end
    assert (end.outcome, end.effect) == (Outcome.STOPPED, Effect.UNKNOWN)


@pytest.mark.parametrize(
    ('mode', 'epoch', 'fault'),
    [(SafetyMode.SAFE, 8, ''), (SafetyMode.READY, 9, ''), (SafetyMode.HOLDING, 8, 'RETREAT_BLOCKED')],
)
def test_what_is_seen_after_a_retreat_is_not_what_the_call_did(bench, mode, epoch, fault):
    bench.send('a')
    bench.step(2)
    bench.mode, bench.epoch, bench.fault = mode, epoch, fault
    end = bench.end('a').end
    assert (end.outcome, end.effect) == (Outcome.STOPPED, Effect.UNKNOWN)


def test_a_restarted_safety_node_is_told_until_it_answers(bench):
    bench.ports.held = True
    bench.boot_id = 2
    bench.step(20)
    assert len(bench.ports.trips) > 1
    bench.ports.held = False
    bench.step(5)
    count = len(bench.ports.trips)
    bench.step(40)
    assert len(bench.ports.trips) == count


def test_a_caller_whose_heartbeat_is_heard_later_is_bound_to_it(bench, monkeypatch):
    bench.planner_beats = False
    bench.hub.heartbeats._pulses.clear()
    monkeypatch.setattr(Nudge, 'ticks', 1000)
    bench.send('a', by='planner')
    bench.planner_beats = True
    bench.step(3)
    bench.planner_beats = False
    assert bench.end('a').end.error is ErrorCode.CANCELED


def test_a_journal_that_hangs_moves_nothing(bench):
    bench.ports.held = True
    bench.send('a')
    bench.step(round(6 / TICK_S))
    end = bench.results['a'][0].end
    assert (end.outcome, end.error, end.effect) == (Outcome.REJECTED, ErrorCode.JOURNAL_UNAVAILABLE, Effect.NONE)
    assert moves(bench) == []


@pytest.mark.parametrize('place', ['table', 'Table', '桌子'])
def test_a_policy_on_a_place_holds_under_every_name_of_it(place):
    policy = ApprovalPolicy(skill='place', place='餐桌')
    robot = robot_description().model_copy(update={'approvals': (policy,)})
    assert ApprovalDesk(robot).reason('place', Risk.LOW, {'place': place}) is not None
    assert ApprovalDesk(robot).reason('place', Risk.LOW, {'place': 'kitchen'}) is None


class TestFingers:
    @pytest.fixture(autouse=True)
    def _low_risk(self, monkeypatch):
        monkeypatch.setattr(Grip, 'risk', Risk.LOW)
        monkeypatch.setattr(Grip, 'ticks', 1000)

    def test_moving_fingers_are_stopped_and_judged_only_at_rest(self, bench):
        bench.opening_mps = 0.1
        bench.send('a', 'grip')
        bench.step(4)
        bench.executive.cancel('a', CancelCause.REQUEST)
        bench.step(2)
        (hold,) = [request.joints for request in bench.ports.motions if request.joints is not None]
        assert hold.positions[0] == pytest.approx(bench.opening_m, abs=0.011)
        bench.step(10)
        assert bench.results['a'] == []
        bench.opening_mps = 0.0
        assert bench.end('a').end.outcome is Outcome.CANCELED

    def test_fingers_at_rest_are_left_alone(self, bench):
        bench.send('a', 'grip')
        bench.step(4)
        bench.executive.cancel('a', CancelCause.REQUEST)
        assert bench.end('a').end.outcome is Outcome.CANCELED
        assert [request for request in bench.ports.motions if request.joints is not None] == []
