"""How a call ends that does not reach its goal: stops, cancels, losses, pauses, on a virtual clock."""

from execution_bench import Bench, Nudge, Peek
import pytest
from robot_tool_agent.core.execution.call import CancelCause, Phase
from robot_tool_agent.core.geometry import Pose2D
from robot_tool_agent.core.outcomes import Effect, ErrorCode, Outcome
from robot_tool_agent.core.safety_state import SafetyMode
from robot_tool_agent.core.samples import BatterySample
from robot_tool_agent.core.skills.base import Step, StepStatus


@pytest.fixture
def bench():
    return Bench()


def moves(bench):
    return [request for request in bench.ports.motions if not request.last]


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


def test_pause_holds_the_motion_and_its_deadline_and_resume_goes_on(bench):
    bench.send('a')
    bench.step(2)
    assert bench.executive.control('a', 'pause')[0]
    bench.step(2)
    stood_m = bench.pose.x_m
    assert bench.executive.hub.live['a'].phase is Phase.PAUSED
    bench.step(200)
    assert bench.pose.x_m == stood_m
    assert bench.results['a'] == []
    assert bench.executive.control('a', 'resume')[0]
    bench.step(1)
    assert bench.executive.hub.live['a'].phase is Phase.RUNNING
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


def test_a_call_that_only_reads_cannot_be_paused(bench, monkeypatch):
    still = [Step(StepStatus.RUNNING)] * 20
    monkeypatch.setattr(Peek, 'tick', lambda *_: still.pop() if still else Step(StepStatus.FINISHED))
    bench.send('a', 'peek')
    assert bench.executive.control('a', 'pause') == (False, 'call a only reads: there is no motion to pause')
    assert bench.end('a').end.outcome is Outcome.SUCCEEDED


@pytest.mark.parametrize(('call_id', 'command'), [('nobody', 'pause'), ('a', 'stop'), ('a', '')])
def test_control_of_nothing_or_with_nonsense_does_nothing(bench, call_id, command):
    bench.send('a')
    assert not bench.executive.control(call_id, command)[0]
    assert bench.end('a').end.outcome is Outcome.SUCCEEDED


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
