"""Fifty tasks in a row: the safety node never trips, nothing is touched, every task succeeds."""

from __future__ import annotations

from itertools import cycle, islice
from pathlib import Path
import time

from players.start import running
import pytest
from robot_tool_agent.core.geometry import Point
from robot_tool_agent.core.outcomes import TaskStatus
from robot_tool_agent.core.safety_state import SafetyMode
from robot_tool_agent_sim.harness.fresh_start import fresh_start

COUNT = 50
ERRANDS = (('go to the living room', Point(2.0, 1.9)), ('go to the table', Point(2.9, 1.3)))
WITHIN_M = 0.12
TASK_TIMEOUT_S = 40.0
LEAST_WAY_M = 0.8


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_fifty_tasks_in_a_row_trip_nothing(tmp_path: Path) -> None:
    with running(tmp_path) as (system, stage):
        probe = stage.probe
        fresh_start(probe, stage.journal)
        began_s = time.monotonic()
        travelled_m = 0.0
        for number, (instruction, place) in enumerate(islice(cycle(ERRANDS), COUNT)):
            end = probe.run_task(instruction, timeout_s=TASK_TIMEOUT_S)
            assert TaskStatus(end.result.status) is TaskStatus.SUCCEEDED, f'task {number}: {end.result}'
            assert probe.true_pose().distance_to(place) <= WITHIN_M, f'task {number}: {probe.true_pose()}'
            told = {(seen.view.mode, seen.view.fault) for seen in probe.seen.states(began_s)}
            assert told == {(SafetyMode.READY, '')}, f'task {number}: {system.tail()}'
            before_m, travelled_m = travelled_m, probe.counters()['travelled_m']
            assert travelled_m - before_m >= LEAST_WAY_M, f'task {number}: nothing moved'
        assert probe.counters()['contacts'] == 0
