"""Holds how a call or a task ended against the table."""

from __future__ import annotations

import time
from typing import Any

from players.stage import Run, Stage
from players.watching import STILL_MPS, STILL_RADPS
from robot_tool_agent.core.journal import CallRecord, Journal
from robot_tool_agent.core.outcomes import Effect, Outcome, TaskStatus
from robot_tool_agent_sim.harness.goals import Ended, Goal, STATUS_ABORTED, STATUS_CANCELED, STATUS_SUCCEEDED
from robot_tool_agent_sim.harness.processes import wait_gone
from scenario_types import CallEnds, Lost, Nothing, Over, Scenario, TaskEnds, Untold

LOST_TIMEOUT_S = 20.0
OTHER_TIMEOUT_S = 20.0
GONE_TIMEOUT_S = 8.0


def check_call(end: Ended, expected: CallEnds) -> None:
    """Hold the end of a call, and the action status that goes with it, against the table."""
    result = end.result
    assert Outcome(result.outcome) in expected.outcomes, result
    assert Effect(result.effect) in expected.effects, result
    assert result.error_code in expected.errors, result
    assert result.replayed == expected.replayed, result
    assert bool(result.advice) == bool(result.error_code), result
    assert end.status == _status(result), f'action status {end.status} for {result}'


def _status(result: Any) -> int:
    """Return the one action status that goes with a result."""
    if result.outcome == Outcome.SUCCEEDED:
        return STATUS_SUCCEEDED
    return STATUS_CANCELED if result.outcome == Outcome.CANCELED and not result.replayed else STATUS_ABORTED


def record_of(stage: Stage, goal: Goal) -> CallRecord | None:
    """Return what the journal has of a call."""
    journal = Journal.read_only(str(stage.journal))
    try:
        return journal.record(goal.message.call_id)
    finally:
        journal.close()


def check_end(stage: Stage, scenario: Scenario, run: Run) -> None:
    """Wait for the end of what was asked, and of every other call, and hold them against the table."""
    expected = scenario.expected
    if isinstance(expected, Lost):
        goal = run.the_goal()
        stage.probe.wait_until(lambda: goal.lost, LOST_TIMEOUT_S, f'{goal.name} lost')
    elif isinstance(expected, Untold):
        _check_untold(stage, expected, run.the_goal(), scenario.time_s[1])
    elif isinstance(expected, Over):
        _check_over(stage, run)
    elif not isinstance(expected, Nothing):
        _check_told(stage, scenario, expected, run)
    for other, ends in run.others:
        check_call(other.result(OTHER_TIMEOUT_S), ends)


def _check_told(stage: Stage, scenario: Scenario, expected: CallEnds | TaskEnds, run: Run) -> None:
    end = run.the_goal().result(scenario.time_s[1])
    took_s = time.monotonic() - run.began_s
    if scenario.told_standing:
        point = stage.probe.seen.truth(time.monotonic() - 1.0)[-1]
        assert not point.moves(STILL_MPS, STILL_RADPS), f'told while it moves: {point}'
    if isinstance(expected, TaskEnds):
        assert TaskStatus(end.result.status) in expected.statuses, end.result
        assert end.result.error_code in expected.errors, end.result
    else:
        check_call(end, expected)
        if end.result.error_code == 'IN_PROGRESS':
            _wait_written(stage, run.the_goal(), scenario.time_s[1])
    assert scenario.time_s[0] <= took_s <= scenario.time_s[1], f'took {took_s:.1f} s'


def _check_over(stage: Stage, run: Run) -> None:
    assert run.exit_code == 0
    assert wait_gone(stage.home, GONE_TIMEOUT_S) == {}
    assert stage.probe.seen.commands()[-1].twist.is_zero()
    point = stage.probe.seen.truth()[-1]
    assert not point.moves(STILL_MPS, STILL_RADPS), point


def check_same(end: Ended, first: Ended) -> None:
    """Assert that an end is the one that was told first, told again."""
    wanted, told = first.result, end.result
    check_call(end, CallEnds((wanted.outcome,), (wanted.effect,), (wanted.error_code,), replayed=True))
    assert (told.message, told.result_json) == (wanted.message, wanted.result_json)


def _wait_written(stage: Stage, goal: Goal, timeout_s: float) -> None:
    def ended() -> bool:
        record = record_of(stage, goal)
        return record is not None and record.end is not None

    stage.probe.wait_until(ended, timeout_s, f'{goal.name}: an end in the journal')


def _check_untold(stage: Stage, expected: Untold, goal: Goal, timeout_s: float) -> None:
    _wait_written(stage, goal, timeout_s)
    record = record_of(stage, goal)
    assert record is not None
    assert record.end is not None
    assert record.end.outcome in expected.ends.outcomes, record.end
    assert record.end.effect in expected.ends.effects, record.end
    error = '' if record.end.error is None else record.end.error.value
    assert error in expected.ends.errors, record.end
    assert not goal.done
