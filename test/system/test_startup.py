"""How a system starts and ends, and who may command the robot."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
import os
from pathlib import Path
import signal
import subprocess
import sys

from players.stage import Stage
import pytest
from robot_tool_agent_sim.harness.fresh_start import fresh_start
from robot_tool_agent_sim.harness.system import RunningSystem

System = tuple[RunningSystem, Stage]
Start = Callable[[], AbstractContextManager[System]]
NODES = ('safety', 'simulator', 'executor', 'planner')
ROBOT_FILE = Path(__file__).resolve().parents[2] / 'config' / 'robots' / 'sim_house.yaml'


def _in_motion(stage: Stage) -> None:
    fresh_start(stage.probe, stage.journal)
    stage.probe.send_skill('navigate_to', {'place': 'kitchen'})
    stage.probe.wait_until(lambda: stage.probe.true_speed() > 0.3, 20.0, 'a moving robot')


# Both signals in the short run too: test/nodes/test_up_robot.py.
SIGNALS = [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)]


@pytest.mark.parametrize('number', SIGNALS, ids=['SIGINT', 'SIGTERM'])
def test_a_signal_in_mid_motion_ends_everything(start: Start, number: signal.Signals) -> None:
    with start() as (running, stage):
        assert sorted(running.pids()) == sorted(NODES)
        _in_motion(stage)
        assert running.stop(number) == 0
        assert running.orphans() == []
        assert stage.probe.seen.commands()[-1].twist.is_zero()
        truth = stage.probe.seen.truth()[-1]
        assert not truth.moves(0.01, 0.03), truth


def test_no_orphan_outlives_a_killed_parent(start: Start) -> None:
    with start() as (running, stage):
        _in_motion(stage)
        running.stop(signal.SIGKILL)
        assert running.wait_no_orphans() == []
        assert stage.probe.seen.commands()[-1].twist.is_zero()


def test_only_the_safety_node_moves_the_robot(system: System) -> None:
    _, stage = system
    assert stage.probe.publishers_of('cmd_vel') == ['safety']
    assert stage.probe.publishers_of('joint_trajectory') == ['safety']


def test_a_bad_robot_file_ends_the_start_with_every_fault(tmp_path: Path) -> None:
    text = ROBOT_FILE.read_text(encoding='utf-8')
    changes = (
        ('max_speed_mps: 0.5', 'max_speed_mps: -0.5'),
        ('latency_s: 0.15', 'latency_ms: 150'),
        ('radius_m: 0.18', 'radius_m: wide'),
    )
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    bad = tmp_path / 'bad.yaml'
    bad.write_text(text, encoding='utf-8')
    command = [sys.executable, '-m', 'robot_tool_agent.cli', 'up', '--robot', str(bad)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30.0, env={**os.environ}, check=False)
    said = done.stdout + done.stderr
    assert done.returncode == 2, said
    for part in (str(bad), 'max_speed_mps', '-0.5', 'latency_ms', 'latency_s', 'radius_m', 'wide'):
        assert part in said, said
    assert 'started, pid' not in said
