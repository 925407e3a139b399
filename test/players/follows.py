"""What is asked after the end: calls, and a reset."""

from __future__ import annotations

import json
import time
from typing import Any

from action_msgs.msg import GoalStatus
from players.ends import check_call, check_same, record_of
from players.stage import Stage
from players.watching import check_still, stands, watch_until
from robot_tool_agent.core.geometry import Point
from robot_tool_agent.core.safety_state import SafetyMode
from robot_tool_agent_sim.harness.goals import Goal
from robot_tool_agent_sim.harness.probe import Probe
from scenario_types import Follow, Same

ALIVE_TIMEOUT_S = 20.0
CALL_TIMEOUT_S = 40.0
READY_TIMEOUT_S = 10.0
TRUE_WITHIN_M = 0.1
# The action server looks for results to forget only now and then.
LATE_TO_FORGET_S = 30.0
STATUS_UNKNOWN = GoalStatus.STATUS_UNKNOWN


def check_follow(stage: Stage, follow: Follow, first: Goal | None) -> None:
    """Make a call and hold its end, and what truly moved for it, against the table."""
    probe = stage.probe
    probe.wait_until(lambda: probe.alive('executor'), ALIVE_TIMEOUT_S, 'heartbeat of executor')
    _prepare(stage, follow, first)
    before_m, since_s = _travelled_m(stage), time.monotonic()
    end = stage.send(follow.asked, first).result(CALL_TIMEOUT_S)
    if isinstance(follow.ends, Same):
        assert first is not None
        check_same(end, first.result(0.0))
    else:
        check_call(end, follow.ends)
    if follow.tells_truth:
        _check_told(stage, end.result.result_json)
    if follow.distance_m[1] <= 1e-3:
        check_still(probe, before_m, since_s)
        return
    probe.wait_until(lambda: stands(probe), CALL_TIMEOUT_S, 'rest after a call')
    moved_m = _travelled_m(stage) - before_m
    assert follow.distance_m[0] <= moved_m <= follow.distance_m[1], f'{follow.asked} moved {moved_m:.3f} m'


def _prepare(stage: Stage, follow: Follow, first: Goal | None) -> None:
    """Let happen what must happen before the call."""
    probe = stage.probe
    if follow.resolved_by:
        assert first is not None
        what = f'{first.name} resolved by {follow.resolved_by}'
        probe.wait_until(lambda: _resolved_by(stage, first) == follow.resolved_by, ALIVE_TIMEOUT_S, what)
    if follow.after_reset:
        check_reset(stage)
    if follow.after_ready:
        _make_ready(stage)
    if follow.expired_s:
        assert first is not None
        _check_expired(stage, first, follow.expired_s)
    if follow.healed:
        stage.orders.clear()
    if follow.resolve is not None:
        assert first is not None
        assert probe.resolve_call(first.message.call_id, follow.resolve, 'measured with a tape').success


def _make_ready(stage: Stage) -> None:
    def ready() -> bool:
        state = stage.probe.state()
        if state is not None and state.mode is not SafetyMode.READY and _resettable(stage.probe):
            stage.probe.reset_safety()
        return state is not None and state.mode is SafetyMode.READY

    stage.probe.wait_until(ready, READY_TIMEOUT_S, 'READY, by itself or by a person')


def _check_expired(stage: Stage, first: Goal, after_s: float) -> None:
    """Ask the action server for a result until it has forgotten it: it tells the true one or none, never another."""
    told = first.result(0.0)
    until_s = time.monotonic() + after_s + LATE_TO_FORGET_S
    watch_until(stage.probe, time.monotonic() + after_s)
    while (end := stage.probe.result_of(first.goal_uuid)) == told:
        assert time.monotonic() < until_s, 'the result never expires'
        watch_until(stage.probe, time.monotonic() + 1.0)
    assert (end.status, end.result.outcome, end.result.message) == (STATUS_UNKNOWN, 0, ''), end


def _travelled_m(stage: Stage) -> float:
    """Return how far the base has truly gone by now. Waits for the next count."""
    asked_s = time.monotonic()
    stage.probe.wait_until(lambda: stage.probe.seen.counted(asked_s), 5.0, 'truth_json')
    return float(stage.probe.counters()['travelled_m'])


def _check_told(stage: Stage, result_json: str) -> None:
    """Hold what the robot says of itself against ground truth."""
    told: dict[str, Any] = json.loads(result_json)
    pose, counted = stage.probe.true_pose(), stage.probe.counters()
    at = Point(told['pose']['x_m'], told['pose']['y_m'])
    assert pose.distance_to(at) <= TRUE_WITHIN_M, (told, pose)
    assert (told['gripper']['state'] == 'holding') == (counted['held'] is not None), (told, counted)


def _resolved_by(stage: Stage, goal: Goal) -> str:
    record = record_of(stage, goal)
    return '' if record is None else record.resolved_by


def _is_ready(probe: Probe) -> bool:
    state = probe.state()
    return state is not None and state.mode is SafetyMode.READY


def _resettable(probe: Probe) -> bool:
    state = probe.state()
    return state is not None and state.resettable


def check_reset(stage: Stage) -> None:
    """Let a person reset the safety node: it gets READY and nothing moves."""
    probe = stage.probe
    before_m, since_s = probe.counters()['travelled_m'], time.monotonic()
    probe.wait_until(lambda: _resettable(probe) or _is_ready(probe), ALIVE_TIMEOUT_S, 'a state that can be reset')
    answer = probe.reset_safety()
    assert answer.success, answer.message
    probe.wait_state(SafetyMode.READY, READY_TIMEOUT_S)
    check_still(probe, before_m, since_s)
