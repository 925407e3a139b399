"""Brings a used system back to its start: the state every scenario begins with."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
import time

from robot_tool_agent.core.journal import CallRecord, CallState, Journal
from robot_tool_agent.core.outcomes import Effect, Outcome
from robot_tool_agent.core.safety_state import SafetyMode
from robot_tool_agent_sim.faults import NO_FAULT
from robot_tool_agent_sim.harness.goals import Goal
from robot_tool_agent_sim.harness.probe import Probe

SUITE = ('safety', 'executor', 'planner')
ALIVE_TIMEOUT_S = 20.0
END_TIMEOUT_S = 20.0
READY_TIMEOUT_S = 15.0
COUNTED_ZERO_M = 1e-3


def fresh_start(probe: Probe, journal_path: Path, suite: Sequence[str] = SUITE) -> None:
    """
    End what runs, heal the robot, put it back to its start, clear every latch. Raise TimeoutError if that fails.

    `suite` are the nodes that must be alive. Goes through ESTOPPED, so that nothing moves on its own while the world is
    put back.
    """
    for node in suite:
        probe.wait_until(partial(probe.alive, node), ALIVE_TIMEOUT_S, f'heartbeat of {node}')
    _end_goals(probe)
    probe.trip(detail='fresh start')
    probe.set_fault(NO_FAULT)
    _wait_senses(probe)
    probe.wait_until(lambda: not _started(journal_path), END_TIMEOUT_S, 'the end of every call')
    probe.reset_sim()
    reset_s = time.monotonic()
    # The safety node, too, must have seen the robot at its new place by then: else it takes the way for a jump.
    probe.wait_until(lambda: _counts_from_zero(probe, reset_s), END_TIMEOUT_S, 'counters at zero')
    probe.wait_until(lambda: _resettable(probe), READY_TIMEOUT_S, f'a state that can be reset; now {probe.state()}')
    answer = probe.reset_safety()
    if not answer.success:
        raise TimeoutError(f'reset_safety: {answer.message}')
    for record in unresolved(journal_path):
        probe.resolve_call(record.admission.call_id, Effect.NONE, 'the world was put back')
    _wait_ready(probe, reset_s)


def _wait_ready(probe: Probe, since_s: float) -> None:
    try:
        probe.wait_until(lambda: _told_twice(probe, since_s), READY_TIMEOUT_S, 'READY')
    except TimeoutError as error:
        told = [(seen.view.mode.name, seen.view.fault, seen.view.detail) for seen in probe.seen.states(since_s)]
        raise TimeoutError(f'{error}; told: {list(dict.fromkeys(told))}') from None


def _told_twice(probe: Probe, since_s: float) -> bool:
    """Tell whether READY was told twice in a row: by the second time the executor, too, has heard of it."""
    told = [seen.view.mode for seen in probe.seen.states(since_s)][-2:]
    return told == [SafetyMode.READY, SafetyMode.READY]


def unresolved(journal_path: Path) -> list[CallRecord]:
    """Return the calls whose effect nobody knows; none if there is no journal yet."""
    if not journal_path.exists():
        return []
    journal = Journal.read_only(str(journal_path))
    try:
        return journal.unresolved()
    finally:
        journal.close()


def _started(journal_path: Path) -> list[CallRecord]:
    return [record for record in unresolved(journal_path) if record.state is CallState.STARTED]


def _wait_senses(probe: Probe) -> None:
    """Wait until the executor serves calls and hears the robot."""
    probe.describe_skills()

    def senses() -> bool:
        return bool(probe.call_skill('get_robot_state').result.outcome == Outcome.SUCCEEDED)

    probe.wait_until(senses, ALIVE_TIMEOUT_S, 'get_robot_state that succeeds')


def _end_goals(probe: Probe) -> None:
    for goal in [goal for goal in probe.goals if not goal.done and not goal.lost]:
        goal.cancel()
        probe.wait_until(partial(_over, goal), END_TIMEOUT_S, f'{goal.name}: the end')


def _over(goal: Goal) -> bool:
    return goal.done or goal.lost


def _resettable(probe: Probe) -> bool:
    view = probe.state()
    return view is not None and view.resettable


def _counts_from_zero(probe: Probe, since_s: float) -> bool:
    counted = probe.seen.counted(since_s)
    return bool(counted) and counted[-1].values['travelled_m'] < COUNTED_ZERO_M
