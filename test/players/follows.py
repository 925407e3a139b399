"""What is asked after the end: calls, and a reset."""

from __future__ import annotations

import json
import time
from typing import Any

from players.ends import check_call, record_of
from players.stage import Stage
from players.watching import check_still, stands
from robot_tool_agent.core.geometry import Point
from robot_tool_agent.core.safety_state import SafetyMode
from robot_tool_agent_sim.harness.goals import Goal
from scenario_types import Follow

ALIVE_TIMEOUT_S = 20.0
CALL_TIMEOUT_S = 40.0
READY_TIMEOUT_S = 10.0
TRUE_WITHIN_M = 0.1


def check_follow(stage: Stage, follow: Follow, first: Goal | None) -> None:
    """Make a call and hold its end, and what truly moved for it, against the table."""
    probe = stage.probe
    probe.wait_until(lambda: probe.alive('executor'), ALIVE_TIMEOUT_S, 'heartbeat of executor')
    if follow.resolved_by:
        assert first is not None
        what = f'{first.name} resolved by {follow.resolved_by}'
        probe.wait_until(lambda: _resolved_by(stage, first) == follow.resolved_by, ALIVE_TIMEOUT_S, what)
    if follow.after_reset:
        check_reset(stage)
    before_m, since_s = _travelled_m(stage), time.monotonic()
    end = stage.send(follow.asked, first).result(CALL_TIMEOUT_S)
    check_call(end, follow.ends)
    if follow.tells_truth:
        _check_told(stage, end.result.result_json)
    if follow.distance_m[1] <= 1e-3:
        check_still(probe, before_m, since_s)
        return
    probe.wait_until(lambda: stands(probe), CALL_TIMEOUT_S, 'rest after a call')
    moved_m = _travelled_m(stage) - before_m
    assert follow.distance_m[0] <= moved_m <= follow.distance_m[1], f'{follow.asked} moved {moved_m:.3f} m'


def _travelled_m(stage: Stage) -> float:
    """Return how far the base has truly gone by now. Waits for the next count."""
    asked_s = time.monotonic()
    stage.probe.wait_until(lambda: stage.probe.seen.counted(asked_s), 5.0, 'truth_json')
    return float(stage.probe.counters()['travelled_m'])


def _check_told(stage: Stage, result_json: str) -> None:
    """Hold what the robot says of itself against ground truth."""
    told: dict[str, Any] = json.loads(result_json)
    pose, counted = stage.probe.true_pose(), stage.probe.counters()
    assert pose.distance_to(Point(told['x_m'], told['y_m'])) <= TRUE_WITHIN_M, (told, pose)
    assert bool(told['holding']) == (counted['held'] is not None), (told, counted)


def _resolved_by(stage: Stage, goal: Goal) -> str:
    record = record_of(stage, goal)
    return '' if record is None else record.resolved_by


def check_reset(stage: Stage) -> None:
    """Let a person reset the safety node: it gets READY and nothing moves."""
    probe = stage.probe
    before_m, since_s = probe.counters()['travelled_m'], time.monotonic()
    answer = probe.reset_safety()
    assert answer.success, answer.message
    probe.wait_state(SafetyMode.READY, READY_TIMEOUT_S)
    check_still(probe, before_m, since_s)
