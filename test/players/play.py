"""Plays one scenario on a running system and holds what ground truth shows against the table."""

from __future__ import annotations

from itertools import pairwise
import time

from players.ends import check_end
from players.follows import check_follow, check_reset
from players.healing import heal
from players.rest import check_rest
from players.stage import Run, Stage
from players.strikes import strike
from players.watching import watch_until
from robot_tool_agent.core.outcomes import Outcome
from robot_tool_agent_sim.harness.fresh_start import fresh_start
from robot_tool_agent_sim.harness.goals import Goal
from robot_tool_agent_sim.harness.probe import Probe
from scenario_types import Act, Nothing, Over, Scenario, SkillCall

TRIES = 3
LONGEST_GAP_S = 0.15
RELAYED_S = 0.4


def play(stage: Stage, scenario: Scenario) -> None:
    """
    Play a scenario from a fresh start. Raise AssertionError or TimeoutError if anything differs from the table.

    On a machine too busy to step the simulator the robot has faults that the scenario does not: then it is played anew.
    """
    assert stage.set_up == scenario.set_up
    for tries_left in reversed(range(TRIES)):
        began_s = time.monotonic()
        try:
            _play_once(stage, scenario)
            break
        except (AssertionError, TimeoutError):
            if not tries_left or not _starved(stage.probe, began_s):
                raise
        finally:
            if not isinstance(scenario.expected, Over):
                heal(stage)
    if scenario.sequel is not None:
        play(stage, scenario.sequel)


def _starved(probe: Probe, since_s: float) -> bool:
    """Tell whether ground truth, which no fault silences, had a gap longer than a sensor may be silent."""
    points = probe.seen.truth(since_s)
    gaps_s = [
        max(later.stamp_s - earlier.stamp_s, later.received_s - earlier.received_s)
        for earlier, later in pairwise(points)
    ]
    return max(gaps_s, default=0.0) > LONGEST_GAP_S


def _play_once(stage: Stage, scenario: Scenario) -> None:
    fresh_start(stage.probe, stage.journal)
    if 'relay' in stage.set_up.cast:
        # The executor hears of READY later than the probe.
        watch_until(stage.probe, time.monotonic() + RELAYED_S)
    earlier = [_before(stage, call) for call in scenario.before]
    if scenario.ill_with:
        stage.probe.set_fault(scenario.ill_with)
    travelled_m = stage.probe.counters()['travelled_m']
    run = Run(time.monotonic(), last_strike_s=time.monotonic(), earlier=earlier)
    _strike_all(stage, scenario, run)
    check_end(stage, scenario, run)
    if isinstance(scenario.expected, Over):
        return
    check_rest(stage, scenario, run, travelled_m)
    for follow in scenario.then:
        check_follow(stage, follow, run.goal)
    if scenario.reset_stays_still:
        check_reset(stage)


def _before(stage: Stage, call: SkillCall) -> Goal:
    goal = stage.send(call)
    end = goal.result(60.0)
    assert end.result.outcome == Outcome.SUCCEEDED, f'{call}: {end.result}'
    return goal


def _strike_all(stage: Stage, scenario: Scenario, run: Run) -> None:
    """Ask for what is under test and let all strikes happen, each at its moment."""
    if any(what.act in (Act.COMMANDS, Act.RIVAL) for what in scenario.strikes):
        stage.intruder()
    early = [what for what in scenario.strikes if what.before_start]
    for what in early:
        strike(stage, what, run)
    if not isinstance(scenario.asked, Nothing):
        run.goal = stage.send(scenario.asked, None, run.call_id, run.goal_uuid)
    for what in scenario.strikes[len(early):]:
        strike(stage, what, run)
