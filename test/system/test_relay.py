"""A relay mistreats messages between a caller and the executor. Truth counts motions, the journal tells their end."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from players.ends import check_call
from robot_tool_agent.core.outcomes import Effect, Outcome, TaskStatus
from robot_tool_agent.core.safety_state import SafetyMode
from robot_tool_agent_sim.harness.domains import free_domain
from robot_tool_agent_sim.harness.goals import STATUS_SUCCEEDED
from scenario_types import CallEnds
from scenario_words import SUCCEEDED, refused
from small_system import SmallSystem, relay, relayed_system

# A system of its own: left to the long run.
pytestmark = pytest.mark.slow

MOVE_M, LONG_M, SLACK_M = 0.4, 1.0, 0.06
MOVE = 'move_relative', {'distance_m': MOVE_M}
LONG = 'move_relative', {'distance_m': LONG_M}
REPLAYED = CallEnds((Outcome.SUCCEEDED,), (Effect.DONE,), replayed=True)
IN_PROGRESS = refused('IN_PROGRESS')


@pytest.fixture(scope='module')
def relayed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallSystem]:
    with relayed_system(tmp_path_factory.mktemp('relayed')) as running:
        yield running


def _sabotage(relayed: SmallSystem, saboteur: str) -> None:
    relayed.probe.set_saboteur('none')
    relayed.probe.goals.clear()  # one whose reply was dropped never ends
    relayed.fresh()
    relayed.probe.set_saboteur(saboteur)


def _moved_once(relayed: SmallSystem, call_id: str, distance_m: float = MOVE_M) -> None:
    """Wait for the journal's end of a call; the same id tells it again, and truth shows one motion."""
    relayed.wait(lambda: (record := relayed.record(call_id)) is not None and record.end is not None, 'the end')
    before_m = relayed.travelled_m()
    assert before_m == pytest.approx(distance_m, abs=SLACK_M)
    again = relayed.probe.call_skill('move_relative', {'distance_m': distance_m}, call_id)
    check_call(again, REPLAYED)
    assert relayed.travelled_m() - before_m < 0.001


def test_without_a_saboteur_the_relay_is_faithful(relayed: SmallSystem) -> None:
    _sabotage(relayed, 'none')
    goal = relayed.probe.send_skill(*MOVE)
    check_call(goal.result(20.0), SUCCEEDED)
    assert {feedback.phase for feedback in goal.feedback} >= {'running'}
    _moved_once(relayed, goal.message.call_id)


@pytest.mark.slow
def test_a_faithful_cancel_arrives(relayed: SmallSystem) -> None:
    _sabotage(relayed, 'none')
    goal = relayed.probe.send_skill(*LONG)
    relayed.wait(lambda: relayed.probe.counters()['travelled_m'] > 0.2, 'motion')
    goal.cancel()
    check_call(goal.result(20.0), CallEnds((Outcome.CANCELED,), (Effect.PARTIAL,), ('CANCELED',)))
    assert relayed.travelled_m() < 0.6 * LONG_M


def test_a_lost_goal_moves_once_when_it_is_sent_again(relayed: SmallSystem) -> None:
    _sabotage(relayed, 'goal_lost')
    goal = relayed.probe.send_skill(*MOVE)
    check_call(goal.result(20.0), SUCCEEDED)
    _moved_once(relayed, goal.message.call_id)


@pytest.mark.parametrize(
    'saboteur',
    [
        'goal_response_delayed',
        pytest.param('goal_response_dropped', marks=pytest.mark.slow),
        pytest.param('goal_duplicated', marks=pytest.mark.slow),
    ],
)
def test_a_goal_that_arrives_twice_moves_once(relayed: SmallSystem, saboteur: str) -> None:
    """The first copy moves; a later one is told that it is in progress, or how it ended, and nothing else."""
    _sabotage(relayed, saboteur)
    goal = relayed.probe.send_skill(*MOVE)
    result = goal.result(20.0).result
    told = (Outcome(result.outcome), result.error_code, result.replayed)
    assert told in ((Outcome.REJECTED, 'IN_PROGRESS', False), (Outcome.SUCCEEDED, '', result.replayed)), result
    _moved_once(relayed, goal.message.call_id)


def test_a_dropped_reply_is_told_again(relayed: SmallSystem) -> None:
    _sabotage(relayed, 'reply_dropped')
    goal = relayed.probe.send_skill(*MOVE)
    _moved_once(relayed, goal.message.call_id)
    assert not goal.done


@pytest.mark.slow
def test_a_late_reply_changes_nothing(relayed: SmallSystem) -> None:
    _sabotage(relayed, 'reply_late')
    goal = relayed.probe.send_skill(*MOVE)
    _moved_once(relayed, goal.message.call_id)
    assert not goal.done
    before_m = relayed.travelled_m()
    check_call(goal.result(10.0), SUCCEEDED)
    assert relayed.travelled_m() - before_m < 0.001


def test_a_dropped_cancel_is_not_told_as_a_cancel(relayed: SmallSystem) -> None:
    _sabotage(relayed, 'cancel_dropped')
    goal = relayed.probe.send_skill(*LONG)
    relayed.wait(lambda: relayed.probe.counters()['travelled_m'] > 0.2, 'motion')
    goal.cancel()
    end = goal.result(20.0)
    check_call(end, SUCCEEDED)
    assert end.status == STATUS_SUCCEEDED
    _moved_once(relayed, goal.message.call_id, LONG_M)


def test_an_invented_success_is_corrected_by_the_journal(relayed: SmallSystem) -> None:
    """The caller is told success at 60 % of the way. Whoever asks the executor learns that it is not so."""
    _sabotage(relayed, 'success_claimed')
    probe = relayed.probe
    goal = probe.send_skill(*LONG)
    check_call(goal.result(20.0), SUCCEEDED)
    told_s = time.monotonic()
    record = relayed.record(goal.message.call_id)
    assert record is not None
    assert record.end is None
    check_call(probe.call_skill(*LONG, goal.message.call_id), IN_PROGRESS)
    check_call(probe.call_skill(*MOVE), refused('RESOURCE_BUSY'))
    assert probe.trip().success
    probe.wait_state(SafetyMode.ESTOPPED, 5.0, since_s=told_s)
    stopped = CallEnds((Outcome.STOPPED,), (Effect.PARTIAL,), ('STOPPED_BY_SAFETY',), replayed=True)
    relayed.wait(lambda: (record := relayed.record(goal.message.call_id)) is not None and record.end, 'the end')
    check_call(probe.call_skill(*LONG, goal.message.call_id), stopped)
    assert 0.5 * LONG_M < relayed.travelled_m() < LONG_M - SLACK_M


TASK = f'drive forward {MOVE_M} m'
TOLD_LATE = (TaskStatus.SUCCEEDED, TaskStatus.UNVERIFIED)
TASKS = {
    'none': (TaskStatus.SUCCEEDED,),
    'goal_lost': (TaskStatus.SUCCEEDED,),
    'goal_response_delayed': TOLD_LATE,
    'goal_response_dropped': TOLD_LATE,
    'goal_duplicated': TOLD_LATE,
    'reply_late': (TaskStatus.SUCCEEDED,),
    'reply_dropped': (TaskStatus.NEEDS_OPERATOR,),
}


IN_SHORT: tuple[str, ...] = ()
CASES = [pytest.param(name, marks=() if name in IN_SHORT else (pytest.mark.slow,)) for name in TASKS]


@pytest.mark.parametrize('saboteur', CASES)
def test_the_planner_moves_once_and_claims_what_it_was_told(relayed: SmallSystem, saboteur: str) -> None:
    _sabotage(relayed, saboteur)
    end = relayed.probe.run_task(TASK, timeout_s=40.0)
    assert TaskStatus(end.result.status) in TASKS[saboteur], end.result
    (call_id,) = {seen.call_id for seen in relayed.probe.seen.motions(relayed.fresh_s)}
    _moved_once(relayed, call_id)


@pytest.mark.slow
def test_an_unknown_saboteur_ends_the_start_and_names_the_valid_ones() -> None:
    with relay(free_domain(), '--ros-args', '-p', 'saboteur:=gremlin') as process:
        _, said = process.communicate(timeout=20.0)
    assert process.returncode == 2
    assert "saboteur = 'gremlin'" in said
    assert 'reply_dropped' in said
