"""SIGKILL of any one process at any moment: the robot stands within one second, and only a retreat moves it again."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
import random
import time
from typing import Any

from players.stage import Stage
from players.watching import check_stop, stands, watch_until
import pytest
from robot_tool_agent.core.outcomes import Outcome, TaskStatus
from robot_tool_agent.core.safety_state import SafetyMode
from robot_tool_agent.node_set import LOST_NODE_GRACE_S
from robot_tool_agent_sim.harness.fresh_start import fresh_start
from robot_tool_agent_sim.harness.system import RunningSystem

STOP_S = 1.0
REST_TIMEOUT_S = 40.0
# Long enough to hold the latest moment; turns, straight ways and pauses lie in it.
TASK = 'turn left 60 degrees, then go to the living room, then turn right 45 degrees, then go to the table'
LATEST_S = 6.0
SEED = 20_240_607
RESPAWNING_KILLS, SAFETY_KILLS, SIMULATOR_KILLS = 8, 3, 1
CLAIM_S = 4.0
PARKED = frozenset({SafetyMode.SAFE, SafetyMode.HOLDING})

System = tuple[RunningSystem, Stage]
Start = Callable[[], AbstractContextManager[System]]


def moments(name: str, count: int) -> list[float]:
    """Return times after the start of the task, in seconds: one at random in each of `count` equal parts."""
    chance = random.Random(f'{SEED} {name}')
    part_s = LATEST_S / count
    return [round((index + chance.random()) * part_s, 2) for index in range(count)]


def _kill_at(system: RunningSystem, stage: Stage, name: str, at_s: float) -> float:
    """Start the task from a fresh start, kill a node at a moment and return the steady time of that."""
    fresh_start(stage.probe, stage.journal)
    began_s = time.monotonic()
    stage.probe.send_task(TASK)
    watch_until(stage.probe, began_s + at_s)
    killed_s = time.monotonic()
    system.kill(name)
    return killed_s


def in_turn() -> list[tuple[str, float]]:
    """
    Return kills of executor and planner by turns, short and long ones mixed.

    Each may be started anew only so often in a minute: no run of short ones must use that up.
    """
    early = moments('executor', RESPAWNING_KILLS)
    late = moments('planner', RESPAWNING_KILLS)[::-1]
    order = [place for first in range(RESPAWNING_KILLS // 2) for place in (first, RESPAWNING_KILLS - 1 - first)]
    return [kill for place in order for kill in (('executor', early[place]), ('planner', late[place]))]


def kills(all_of_them: list[Any], in_short_run: int) -> list[Any]:
    """Return the cases of a test; those after the first few are left to the long run."""
    marks = [() if place < in_short_run else (pytest.mark.slow,) for place in range(len(all_of_them))]
    cases = [case if isinstance(case, tuple) else (case,) for case in all_of_them]
    return [pytest.param(*case, marks=mark) for case, mark in zip(cases, marks, strict=True)]


@pytest.mark.parametrize(('name', 'at_s'), kills(in_turn(), 4))
def test_a_node_that_comes_back(system: System, name: str, at_s: float) -> None:
    running, stage = system
    killed_s = _kill_at(running, stage, name, at_s)
    {'executor': _executor_gone, 'planner': _planner_gone}[name](stage, killed_s)
    check_stop(stage.probe, killed_s, STOP_S)


def _executor_gone(stage: Stage, killed_s: float) -> None:
    """Wait until the robot is parked. On a starved machine a silent sensor may overrule the retreat: then it holds."""
    probe = stage.probe
    probe.wait_until(lambda: _parked(stage, killed_s), REST_TIMEOUT_S, 'SAFE or HOLDING, at rest')
    faults = {seen.view.fault for seen in probe.seen.states(killed_s)}
    assert 'EXECUTOR_LOST' in faults or probe.seen.modes(killed_s)[-1] is SafetyMode.HOLDING, faults
    _check_claim(stage)


def _check_claim(stage: Stage) -> None:
    """No task may claim success for a call that was lost; one that still waits is cancelled by the next start."""
    goal, until_s = stage.probe.goals[-1], time.monotonic() + CLAIM_S
    stage.probe.wait_until(lambda: goal.done or time.monotonic() >= until_s, CLAIM_S + 1.0, goal.name)
    assert not goal.done or goal.result(1.0).result.status != TaskStatus.SUCCEEDED


def _parked(stage: Stage, since_s: float) -> bool:
    modes = stage.probe.seen.modes(since_s)
    noticed = bool(modes) and (SafetyMode.STOPPING in modes or modes[0] in PARKED)
    return noticed and modes[-1] in PARKED and stands(stage.probe)


def _planner_gone(stage: Stage, killed_s: float) -> None:
    """Wait until the planner is back; the robot stands all the while."""
    stage.probe.wait_until(lambda: stage.probe.goals[-1].lost, 15.0, 'a new planner')
    watch_until(stage.probe, killed_s + STOP_S + 0.5)
    assert stands(stage.probe)


# In the short run test/nodes/test_up.py and test_safety_node.py kill it, at rest and on the way.
@pytest.mark.parametrize('at_s', kills(moments('safety', SAFETY_KILLS), 0))
def test_safety(start: Start, at_s: float) -> None:
    with start() as (running, stage):
        killed_s = _kill_at(running, stage, 'safety', at_s)
        watch_until(stage.probe, killed_s + LOST_NODE_GRACE_S - 0.5)
        check_stop(stage.probe, killed_s, STOP_S)
        assert running.wait_end() == 1
        assert running.wait_no_orphans() == []


@pytest.mark.parametrize('at_s', moments('simulator', SIMULATOR_KILLS))
def test_simulator(start: Start, at_s: float) -> None:
    """With the robot gone there is no motion to measure: the rest must command none, and end as it should."""
    with start() as (running, stage):
        killed_s = _kill_at(running, stage, 'simulator', at_s)
        stage.probe.wait_state(SafetyMode.HOLDING, LOST_NODE_GRACE_S, since_s=killed_s)
        late = stage.probe.seen.commands(killed_s + STOP_S)
        assert late
        assert all(command.twist.is_zero() for command in late)
        assert running.wait_end() == 1
        assert running.wait_no_orphans() == []


def test_counts() -> None:
    assert 2 * RESPAWNING_KILLS + SAFETY_KILLS + SIMULATOR_KILLS >= 20


def test_a_call_after_the_kills_still_works(system: System) -> None:
    _, stage = system
    fresh_start(stage.probe, stage.journal)
    assert stage.probe.call_skill('move_relative', {'distance_m': 0.2}).result.outcome == Outcome.SUCCEEDED
