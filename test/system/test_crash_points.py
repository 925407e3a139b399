"""SIGKILL of the executor at every moment of a call; then the same id again, then a new one. Truth counts motions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from players.ends import check_call
from robot_tool_agent.core.outcomes import Effect, Outcome
from scenario_types import CallEnds
from scenario_words import SUCCEEDED, lost, refused
from small_system import SmallSystem, small_system

# A system of its own: left to the long run.
pytestmark = pytest.mark.slow

Asked = tuple[str, dict[str, Any]]
MOVE_M = 0.4
MOVE = 'move_relative', {'distance_m': MOVE_M}
PICK = 'pick', {'object': 'ball_1'}
START_X_M = 1.0
SLACK_M = 0.06
IN_MOTION = 'in_motion'
IN_GRASP = 'in_grasp'

REPLAYED = CallEnds((Outcome.SUCCEEDED,), (Effect.DONE,), replayed=True)
BLOCKED = refused('UNRESOLVED_CALL')
HANDS_FULL = refused('PRECONDITION_FAILED')


@dataclass(frozen=True, slots=True)
class Crash:
    """When the executor dies; how often it had acted then; how the same id and a new id end, and how often they act.

    `resolved` is the effect that sensors show after the restart, None if they leave it open.
    """

    at: str
    acted: int
    again: CallEnds
    new: CallEnds
    again_acts: int = 0
    new_acts: int = 0
    resolved: Effect | None = None


MOVES = (
    Crash('before_admitted', 0, SUCCEEDED, SUCCEEDED, again_acts=1, new_acts=1),
    Crash('before_started', 0, SUCCEEDED, SUCCEEDED, again_acts=1, new_acts=1),
    Crash('after_started', 0, lost(Effect.UNKNOWN), BLOCKED),
    Crash(IN_MOTION, 1, lost(Effect.UNKNOWN), BLOCKED),
    Crash('before_end', 1, lost(Effect.UNKNOWN), BLOCKED),
    Crash('after_end', 1, REPLAYED, SUCCEEDED, new_acts=1),
)
PICKS = (
    Crash('before_started', 0, SUCCEEDED, HANDS_FULL, again_acts=1),
    Crash('after_started', 0, lost(Effect.NONE), SUCCEEDED, new_acts=1, resolved=Effect.NONE),
    Crash(IN_MOTION, 0, lost(Effect.NONE), SUCCEEDED, new_acts=1, resolved=Effect.NONE),
    Crash(IN_GRASP, 1, lost(Effect.DONE), HANDS_FULL, resolved=Effect.DONE),
    Crash('before_end', 1, lost(Effect.DONE), HANDS_FULL, resolved=Effect.DONE),
    Crash('after_end', 1, REPLAYED, HANDS_FULL),
)


def _cases(crashes: tuple[Crash, ...], in_short: tuple[str, ...]) -> list[Any]:
    """Return the crashes as test cases; those that a short run leaves out are marked slow."""
    assert set(in_short) <= {crash.at for crash in crashes}
    slow = {crash.at: () if crash.at in in_short else (pytest.mark.slow,) for crash in crashes}
    return [pytest.param(crash, id=crash.at, marks=slow[crash.at]) for crash in crashes]


@pytest.fixture(scope='module')
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallSystem]:
    with small_system(tmp_path_factory.mktemp('small')) as running:
        yield running


def _crash(small: SmallSystem, call: Asked, crash: Crash, moment: Callable[[], bool] | None) -> str:
    """Send a call from a fresh start, let the executor die at the moment and come back; return the call's id."""
    small.fresh()
    if moment is None:
        small.order_crash(crash.at)
    goal = small.probe.send_skill(*call)
    if moment is not None:
        small.wait(lambda: moment() or goal.done, crash.at)
        assert not goal.done, goal.result(0.0)
        small.kill_executor()
    small.wait(lambda: small.is_dead or goal.done, 'the crash')
    assert not goal.done, goal.result(0.0)
    small.wait_dead()
    assert not goal.done, 'the dead executor has answered'
    small.revive()
    return str(goal.message.call_id)


def _driven_ahead_m(small: SmallSystem) -> float:
    """Return how far ahead of its start the robot truly came; a retreat does not count."""
    return max(point.pose.x_m for point in small.probe.seen.truth(small.fresh_s)) - START_X_M


@pytest.mark.parametrize('crash', _cases(MOVES, ('after_started', IN_MOTION)))
def test_move_relative(small: SmallSystem, crash: Crash) -> None:
    moving = (lambda: small.probe.counters()['travelled_m'] > 0.15) if crash.at == IN_MOTION else None
    call_id = _crash(small, MOVE, crash, moving)
    driven_m = _driven_ahead_m(small)
    if crash.at == IN_MOTION:
        assert 0.15 <= driven_m <= MOVE_M + SLACK_M
    else:
        assert driven_m == pytest.approx(crash.acted * MOVE_M, abs=SLACK_M)
    before_m = small.travelled_m()
    check_call(small.probe.call_skill(*MOVE, call_id), crash.again)
    after_m = small.travelled_m()
    assert after_m - before_m == pytest.approx(crash.again_acts * MOVE_M, abs=SLACK_M if crash.again_acts else 0.001)
    check_call(small.probe.call_skill(*MOVE), crash.new)
    last_m = small.travelled_m()
    assert last_m - after_m == pytest.approx(crash.new_acts * MOVE_M, abs=SLACK_M if crash.new_acts else 0.001)
    if crash.new is BLOCKED:
        _resolved_by_a_person(small, call_id)


def _resolved_by_a_person(small: SmallSystem, call_id: str) -> None:
    """A word of a person ends the doubt: one new call moves once, the lost one never again."""
    record = small.record(call_id)
    assert record is not None
    assert record.unresolved
    assert record.resolved_by == ''
    assert small.probe.resolve_call(call_id, Effect.PARTIAL, 'measured with a tape').success
    before_m = small.travelled_m()
    check_call(small.probe.call_skill(*MOVE), SUCCEEDED)
    after_m = small.travelled_m()
    assert after_m - before_m == pytest.approx(MOVE_M, abs=SLACK_M)
    check_call(small.probe.call_skill(*MOVE, call_id), lost(Effect.PARTIAL))
    assert small.travelled_m() - after_m < 0.001


@pytest.mark.parametrize('crash', _cases(PICKS, ('before_end',)))
def test_pick(small: SmallSystem, crash: Crash) -> None:
    moments = {
        IN_MOTION: lambda: small.probe.counters()['travelled_m'] > 0.2,
        IN_GRASP: lambda: small.probe.counters()['picks'] > 0,
    }
    call_id = _crash(small, PICK, crash, moments.get(crash.at))
    assert small.picks() == crash.acted
    if crash.resolved is not None:
        _resolved_by_sensors(small, call_id, crash.resolved)
    check_call(small.probe.call_skill(*PICK, call_id), crash.again)
    assert small.picks() == crash.acted + crash.again_acts
    check_call(small.probe.call_skill(*PICK), crash.new)
    assert small.picks() == crash.acted + crash.again_acts + crash.new_acts


def _resolved_by_sensors(small: SmallSystem, call_id: str, effect: Effect) -> None:
    def resolved() -> bool:
        record = small.record(call_id)
        return record is not None and not record.unresolved

    small.wait(resolved, f'{call_id} resolved')
    record = small.record(call_id)
    assert record is not None
    assert record.end is not None
    assert (record.resolved_by, record.end.effect) == ('sensors', effect)
    assert 'detected_objects' in record.end.evidence_json


def test_an_exception_half_way_is_no_success_and_is_not_repeated(small: SmallSystem) -> None:
    small.fresh()
    goal = small.probe.send_skill('stumble', {'distance_m': 0.8})
    half = CallEnds((Outcome.FAILED,), (Effect.PARTIAL,), ('EXECUTION_ERROR',))
    end = goal.result(30.0)
    check_call(end, half)
    assert 'half way' not in end.result.message
    assert 0.35 <= _driven_ahead_m(small) <= 0.7
    small.wait_rest()
    before_m = small.travelled_m()
    again = small.probe.call_skill('stumble', {'distance_m': 0.8}, goal.message.call_id)
    check_call(again, CallEnds(half.outcomes, half.effects, half.errors, replayed=True))
    assert small.travelled_m() - before_m < 0.001
