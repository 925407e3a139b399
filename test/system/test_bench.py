"""The measurement as a person starts it, with few samples: its file, its tables, and that it leaves nothing behind."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
import json
import os
from pathlib import Path
import signal
import subprocess
import sys
import time
from typing import Any

import pytest

pytestmark = pytest.mark.alone
DOMAIN, INTERRUPTED_DOMAIN = 16, 17
EVENTS = ('operator_stop', 'bumper', 'obstacle', 'invalid_command')
TIMEOUTS = ('odometry_stale', 'executor_killed', 'executor_stopped')


@contextmanager
def bench(out: Path, domain: int) -> Iterator[subprocess.Popen[str]]:
    """Run the quick measurement on a domain that nobody uses; end it if the test does not."""
    assert nodes_of(domain) == []
    environment = {**os.environ, 'ROS_DOMAIN_ID': str(domain), 'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST'}
    process = subprocess.Popen(
        [sys.executable, '-m', 'robot_tool_agent_sim.bench', '--quick', '--out', str(out / 'bench.json')],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
        process.communicate(timeout=30)


def nodes_of(domain: int) -> list[int]:
    """Return the processes that run on a domain as nodes."""
    mark = f'ROS_DOMAIN_ID={domain}'.encode()
    found = []
    for folder in Path('/proc').iterdir():
        try:
            runs = folder.name.isdigit() and mark in (folder / 'environ').read_bytes().split(b'\0')
            is_node = runs and b'--ros-args' in (folder / 'cmdline').read_bytes().split(b'\0')
        except OSError:
            continue
        if is_node:
            found.append(int(folder.name))
    return found


def check_figure(figure: dict[str, Any], count: int, suffix: str = '_ms') -> None:
    """Check the shape of one figure."""
    assert figure['n'] >= count
    assert figure[f'p50{suffix}'] <= figure[f'p95{suffix}'] <= figure[f'max{suffix}']


@pytest.mark.slow
@pytest.mark.timeout(180)
def test_a_quick_measurement_writes_every_figure_and_leaves_nothing_behind(tmp_path: Path) -> None:
    with bench(tmp_path, DOMAIN) as process:
        text, _ = process.communicate(timeout=170)
    assert process.returncode == 0, text
    assert 'goals met' in text
    assert '\x1b' not in text
    assert nodes_of(DOMAIN) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ['bench.json', 'bench.md']
    assert 'Written by `make bench ARGS=--quick`' in (tmp_path / 'bench.md').read_text()
    figures = json.loads((tmp_path / 'bench.json').read_text())
    assert figures['quick'] is True
    assert len(figures['commit']) in (0, 40)
    _check_stops(figures)
    for name in ('bare', 'read_only', 'motion', 'commit_ms'):
        check_figure(figures['skill_call'][name], 5)
        assert figures['skill_call'][name]['p50_ms'] > 0.0
    for name in ('mcp_call', 'mcp_cost'):
        check_figure(figures['planner'][name], 5)
    assert figures['planner']['mcp_call']['p50_ms'] > 0.0
    check_figure(figures['scan_check_us'], 50, '_us')
    assert figures['journal_lookup_ratio'] > 0.0
    check_figure(figures['planner']['reply_to_goal_ms'], 5)
    for kind in ('call', 'plan'):
        check_figure(figures['planner'][f'validate_{kind}_us'], 50, '_us')
    assert all(0.0 < figures['cpu_percent'][name] < 100.0 for name in ('safety', 'bare'))


def _check_stops(figures: dict[str, Any]) -> None:
    for name in ('bool', 'command', 'twist', 'scan'):
        check_figure(figures['echo'][name], 5)
    for kind in EVENTS:
        check_figure(figures['fault_to_zero'][kind], 5)
        check_figure(figures['fault_to_zero'][kind]['simulator'], 1)
    for kind in (*EVENTS, *TIMEOUTS):
        fault = figures['fault_to_zero'][kind]
        check_figure(fault, 1)
        # From 0.33 to 0.5 m/s at 1.5 m/s^2, and at most half a second until a silence is noticed.
        assert 0.1 < fault['stop_s']['p50'] < 1.5, kind
        assert 0.02 < fault['stop_m']['p50'] < 0.5, kind
    for name in ('ack_ms', 'standstill_ms'):
        check_figure(figures['cancel'][name], 1)
    assert figures['cancel']['ack_ms']['p50_ms'] < figures['cancel']['standstill_ms']['p50_ms']


@pytest.mark.slow
def test_an_interrupted_measurement_ends_what_it_started(tmp_path: Path) -> None:
    with bench(tmp_path, INTERRUPTED_DOMAIN) as process:
        deadline_s = time.monotonic() + 30.0
        while not nodes_of(INTERRUPTED_DOMAIN):
            assert time.monotonic() < deadline_s, 'no node was started'
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        text, _ = process.communicate(timeout=30)
    assert process.returncode == 130, text
    assert 'Traceback' not in text
    assert nodes_of(INTERRUPTED_DOMAIN) == []
    assert list(tmp_path.iterdir()) == []
