"""Sensors that lie, jump, freeze or fall silent, and journals that break, on a virtual clock."""

from execution_bench import Bench, Grip, memory_journal, Nudge, TICK_S
import pytest
from robot_tool_agent.core.execution.call import CancelCause
from robot_tool_agent.core.geometry import Pose2D
from robot_tool_agent.core.journal import BrokenJournal, CallState
from robot_tool_agent.core.outcomes import Effect, ErrorCode, Outcome
from robot_tool_agent.core.safety_state import SafetyMode
from robot_tool_agent.core.skills.base import Risk
from sim_house import robot_description


@pytest.fixture
def bench():
    return Bench()


def moves(bench):
    return [request for request in bench.ports.motions if not request.last]


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


def test_a_journal_that_hangs_moves_nothing(bench):
    bench.ports.held = True
    bench.send('a')
    bench.step(round(6 / TICK_S))
    end = bench.results['a'][0].end
    assert (end.outcome, end.error, end.effect) == (Outcome.REJECTED, ErrorCode.JOURNAL_UNAVAILABLE, Effect.NONE)
    assert moves(bench) == []


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
