"""Plays one scenario on a running system and holds what ground truth shows against the table."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from robot_tool_agent.core.geometry import Point
from robot_tool_agent.core.journal import Journal
from robot_tool_agent.core.outcomes import Effect, Outcome, TaskStatus
from robot_tool_agent.core.safety_state import SafetyMode
from robot_tool_agent_sim.harness.fresh_start import fresh_start
from robot_tool_agent_sim.harness.goals import STATUS_ABORTED, STATUS_CANCELED, STATUS_SUCCEEDED, Ended, Goal
from robot_tool_agent_sim.harness.probe import Probe
from robot_tool_agent_sim.harness.recording import TruthPoint
from scenario_types import Act, CallEnds, Follow, Lost, Scenario, SkillCall, Strike, Task, TaskEnds, Truth

STILL_MPS, STILL_RADPS = 0.01, 0.03
REACH_M = 0.40
REST_S = 0.3
TRIES = 3
LONGEST_GAP_S = 0.15
MESSAGE_DELAY_S = 0.15
SETTLE_TIMEOUT_S = 40.0
STRIKE_TIMEOUT_S = 20.0
MOVING_AGAIN = frozenset({SafetyMode.RETREATING})


@dataclass(frozen=True, slots=True)
class Stage:
    """A running system: how to watch it, how to kill one of its nodes, where its journal lies."""

    probe: Probe
    kill: Callable[[str], None]
    journal: Path


@dataclass(slots=True)
class Run:
    """What is known of the scenario while it is played. Times are steady seconds."""

    began_s: float
    goal: Goal
    second: Goal | None = None
    struck_s: float | None = None


def play(stage: Stage, scenario: Scenario) -> None:
    """Play a scenario from a fresh start. Raise AssertionError or TimeoutError if anything differs from the table.

    On a machine too busy to step the simulator the robot has faults that the scenario does not: then it is played anew.
    """
    for tries_left in reversed(range(TRIES)):
        began_s = time.monotonic()
        try:
            _play_once(stage, scenario)
            return
        except (AssertionError, TimeoutError):
            if not tries_left or not _starved(stage.probe, began_s):
                raise


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
    for call in scenario.before:
        end = _send(stage, call).result(60.0)
        assert end.result.outcome == Outcome.SUCCEEDED, f'{call}: {end.result}'
    if scenario.ill_with:
        stage.probe.set_fault(scenario.ill_with)
    travelled_m = stage.probe.counters()['travelled_m']
    run = _start(stage, scenario)
    _check_end(stage, scenario, run)
    _check_rest(stage, scenario, run, travelled_m)
    for follow in scenario.then:
        _check_follow(stage, follow, run.goal)
    if scenario.reset_stays_still:
        _check_reset(stage)


def _send(stage: Stage, asked: SkillCall | Task, first: Goal | None = None) -> Goal:
    probe = stage.probe
    if isinstance(asked, Task):
        return probe.send_task(asked.instruction)
    if asked.again:
        assert first is not None
        sent = first.message
        skill, arguments = asked.skill or sent.skill, asked.arguments_json if asked.skill else sent.arguments_json
        return probe.send_skill(skill, arguments, sent.call_id)
    return probe.send_skill(asked.skill, asked.arguments_json, asked.call_id or None)


def _start(stage: Stage, scenario: Scenario) -> Run:
    strike = scenario.strike
    if strike is not None and strike.before_start:
        began_s = time.monotonic()
        _strike(stage, strike, None)
        return Run(began_s, _send(stage, scenario.asked), struck_s=began_s)
    began_s = time.monotonic()
    run = Run(began_s, _send(stage, scenario.asked))
    if strike is not None:
        _wait_moment(stage.probe, strike)
        run.struck_s = time.monotonic()
        run.second = _strike(stage, strike, run.goal)
    return run


def _wait_moment(probe: Probe, strike: Strike) -> None:
    def come() -> bool:
        counted = probe.counters()
        return counted['travelled_m'] >= (strike.after_m or 0.0) and counted['turned_rad'] >= (strike.after_rad or 0.0)

    probe.wait_until(come, STRIKE_TIMEOUT_S, f'the moment of {strike}')


def _strike(stage: Stage, strike: Strike, goal: Goal | None) -> Goal | None:
    if strike.act is Act.FAULT:
        stage.probe.set_fault(strike.subject)
    elif strike.act is Act.KILL:
        stage.kill(strike.subject)
    elif strike.act is Act.OPERATOR_STOP:
        assert stage.probe.trip().success
    elif goal is not None and strike.act is Act.CANCEL:
        goal.cancel()
    elif strike.act is Act.SEND_AGAIN:
        return _send(stage, SkillCall('', again=True), goal)
    return None


def _check_end(stage: Stage, scenario: Scenario, run: Run) -> None:
    expected, goal = scenario.expected, run.goal
    if isinstance(expected, Lost):
        stage.probe.wait_until(lambda: goal.lost, STRIKE_TIMEOUT_S, f'{goal.name} lost')
        return
    end = goal.result(scenario.time_s[1])
    took_s = time.monotonic() - run.began_s
    if isinstance(expected, TaskEnds):
        assert TaskStatus(end.result.status) in expected.statuses, end.result
        assert end.result.error_code in expected.errors, end.result
    else:
        check_call(end, expected)
    assert scenario.time_s[0] <= took_s <= scenario.time_s[1], f'took {took_s:.1f} s'
    if run.second is not None:
        second = run.second.result(10.0)
        check_call(second, CallEnds((Outcome.REJECTED,), (Effect.NONE,), ('IN_PROGRESS',)))


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


def _check_rest(stage: Stage, scenario: Scenario, run: Run, travelled_before_m: float) -> None:
    """Wait until the system rests, then ask ground truth."""
    probe, since_s = stage.probe, run.struck_s or run.began_s
    what = f'{scenario.name}: modes {[mode.name for mode in scenario.modes]}, then rest'
    probe.wait_until(lambda: _at_rest(probe, scenario, since_s), SETTLE_TIMEOUT_S, what)
    faults = {seen.view.fault for seen in probe.seen.states(since_s)}
    assert not scenario.fault or scenario.fault in faults, faults
    counted = probe.counters()
    travelled_m = counted['travelled_m'] - travelled_before_m
    assert scenario.distance_m[0] <= travelled_m <= scenario.distance_m[1], f'travelled {travelled_m:.3f} m'
    _check_truth(probe, scenario.truth, run, counted)


def _at_rest(probe: Probe, scenario: Scenario, since_s: float) -> bool:
    state = probe.state()
    if state is None or state.mode not in scenario.ends_in:
        return False
    wanted = iter(probe.seen.modes(since_s))
    return all(mode in wanted for mode in scenario.modes) and stands(probe)


def stands(probe: Probe) -> bool:
    """Tell whether ground truth has shown standstill for a moment."""
    now_s = time.monotonic()
    points = probe.seen.truth(now_s - REST_S)
    return len(points) > 3 and not any(point.moves(STILL_MPS, STILL_RADPS) for point in points)


def _check_truth(probe: Probe, truth: Truth, run: Run, counted: dict[str, Any]) -> None:
    pose = probe.true_pose()
    assert (counted['held'], counted['picks'], counted['places'], counted['contacts']) == (
        truth.held, truth.picks, truth.places, truth.contacts,
    ), counted  # fmt: skip
    if truth.at is not None:
        assert pose.distance_to(Point(*truth.at)) <= truth.at_within_m, pose
    if truth.safe_poses:
        assert min(pose.distance_to(Point(*place)) for place in truth.safe_poses) <= truth.at_within_m, pose
    if truth.released_at is not None:
        assert released_at(probe, run.began_s).distance_to(Point(*truth.released_at)) <= 0.12
    if truth.still_within_s is not None and run.struck_s is not None:
        check_stop(probe, run.struck_s, truth.still_within_s)


def released_at(probe: Probe, since_s: float) -> Point:
    """Return where the grasp point truly was when the last object was let go, map frame."""
    counted = [item for item in probe.seen.counted(since_s) if item.values['places'] > 0]
    assert counted, 'nothing was let go'
    return probe.seen.truth(since_s, counted[0].received_s)[-1].pose.transform_point(Point(REACH_M, 0.0))


def check_stop(probe: Probe, struck_s: float, within_s: float) -> None:
    """Assert that the robot stands a given time after a strike, and that only a retreat moves it after that."""
    watch_until(probe, struck_s + within_s + REST_S)
    late = probe.seen.truth(struck_s + within_s)
    assert late, 'no ground truth after the strike'
    for point in late:
        if point.moves(STILL_MPS, math.inf):
            assert _retreats(probe, point, within_s), _story(probe, point, struck_s)


def _story(probe: Probe, point: TruthPoint, struck_s: float) -> str:
    """Tell what the safety node said around a moment, in seconds after the strike."""
    around = probe.seen.states(point.received_s - 1.0, point.received_s + 1.0)
    told = [f'{seen.received_s - struck_s:.2f} {seen.view.mode.name} {seen.view.fault}' for seen in around]
    return f'{point} moves {point.received_s - struck_s:.2f} s after the strike; {told}'


def watch_until(probe: Probe, until_s: float) -> None:
    """Let time pass while the probe records."""
    probe.wait_until(lambda: time.monotonic() >= until_s, max(until_s - time.monotonic(), 0.0) + 1.0, 'a moment')


def _retreats(probe: Probe, point: TruthPoint, within_s: float) -> bool:
    """Tell whether a moment lies in a retreat, or in the time to stop after one that a new fault broke off."""
    around = probe.seen.states(point.received_s - within_s, point.received_s + MESSAGE_DELAY_S)
    return any(seen.view.mode in MOVING_AGAIN for seen in around)


def _check_follow(stage: Stage, follow: Follow, first: Goal) -> None:
    probe = stage.probe
    probe.wait_until(lambda: probe.alive('executor'), STRIKE_TIMEOUT_S, 'heartbeat of executor')
    if follow.resolved_by:
        what = f'{first.name} resolved by {follow.resolved_by}'
        probe.wait_until(lambda: _resolved_by(stage, first) == follow.resolved_by, STRIKE_TIMEOUT_S, what)
    before_m, since_s = probe.counters()['travelled_m'], time.monotonic()
    check_call(_send(stage, follow.asked, first).result(20.0), follow.ends)
    _check_still(probe, before_m, since_s)


def _resolved_by(stage: Stage, goal: Goal) -> str:
    journal = Journal.read_only(str(stage.journal))
    try:
        record = journal.record(goal.message.call_id)
    finally:
        journal.close()
    return '' if record is None else record.resolved_by


def _check_reset(stage: Stage) -> None:
    probe = stage.probe
    before_m, since_s = probe.counters()['travelled_m'], time.monotonic()
    answer = probe.reset_safety()
    assert answer.success, answer.message
    probe.wait_state(SafetyMode.READY, 10.0)
    _check_still(probe, before_m, since_s)


def _check_still(probe: Probe, travelled_m: float, since_s: float) -> None:
    """Watch for a moment that nothing moves."""
    watch_until(probe, time.monotonic() + REST_S)
    assert not any(point.moves(STILL_MPS, STILL_RADPS) for point in probe.seen.truth(since_s))
    assert probe.counters()['travelled_m'] - travelled_m < 1e-3
