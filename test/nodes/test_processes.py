"""Child processes: order of the end, restarts, output, and that none outlives its parent."""

from collections.abc import Callable, Iterator
from functools import partial
import io
import os
from pathlib import Path
import signal
import subprocess
import sys
import threading
import time

import pytest
from robot_tool_agent.node_set import LOST_NODE_GRACE_S, RESPAWN_DELAY_S, RESPAWN_MAX
from robot_tool_agent.processes.group import Ending, ProcessGroup
from robot_tool_agent.processes.output import LinePrinter
from robot_tool_agent.processes.process import how_it_ended, ProcessPlan
from robot_tool_agent.processes.respawn import RestartBudget

# `main` for one behaviour each; `until_signal` ends 0.2 s after SIGINT, as a node that brings a robot to rest does.
CHILD = """
import os, signal, sys, threading

def until_signal(rest_s):
    asked = []
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: asked.append(1))
    print('up', flush=True)
    while not asked:
        threading.Event().wait(0.01)
    print('stopping', flush=True)
    threading.Event().wait(rest_s)
    print('ends', flush=True)
    return 0

def deaf():
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    print('up', flush=True)
    while True:
        threading.Event().wait(0.01)

def main():
    behaviour = sys.argv[1]
    if behaviour.isdigit():
        return int(behaviour)
    return deaf() if behaviour == 'deaf' else until_signal(0.2 if behaviour == 'slow' else 0.0)
"""


def wait_for(happened: Callable[[], object], timeout_s: float = 15.0) -> None:
    """Wait until something is true; fail at the deadline."""
    deadline_s = time.monotonic() + timeout_s
    while not happened():
        assert time.monotonic() < deadline_s, 'deadline'
        threading.Event().wait(0.01)


class Stage:
    """A process group of stand-in children and what they printed."""

    def __init__(self, folder: Path) -> None:
        (folder / 'stand_in_child.py').write_text(CHILD, encoding='utf-8')
        self.environment = {**os.environ, 'PYTHONUNBUFFERED': '1'}
        self.environment['PYTHONPATH'] = os.pathsep.join([str(folder), *filter(None, [os.environ.get('PYTHONPATH')])])
        self.out = io.StringIO()
        self.printer = LinePrinter(self.out)
        self.group: ProcessGroup | None = None

    def start(self, *behaviours: str, respawn: bool = False) -> ProcessGroup:
        """Start a child for each behaviour, named a, b, c."""
        plans = [
            ProcessPlan(name, 'stand_in_child', (behaviour,), respawn)
            for name, behaviour in zip('abc', behaviours, strict=False)
        ]
        self.group = ProcessGroup(plans, self.printer, self.environment)
        self.group.start()
        return self.group

    def lines(self) -> list[str]:
        """Return the lines printed so far."""
        return self.out.getvalue().splitlines()

    def pids(self) -> list[int]:
        """Return the pids of all children ever started."""
        return [int(line.rpartition(' ')[2]) for line in self.lines() if ' started, pid ' in line]


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    made = Stage(tmp_path)
    try:
        yield made
    finally:
        if made.group is not None:
            made.group.stop()
        made.printer.close(timeout_s=2.0)


def gone(pid: int) -> bool:
    """Tell whether a process has ended (a zombie has)."""
    try:
        return Path(f'/proc/{pid}/stat').read_text(encoding='utf-8').rpartition(')')[2].split()[0] == 'Z'
    except FileNotFoundError:
        return True


def first_ending(group: ProcessGroup) -> Ending:
    """Poll on the real clock until the group has to end."""
    endings: list[Ending] = []

    def polled() -> bool:
        ending = group.poll(time.monotonic())
        endings.extend([] if ending is None else [ending])
        return bool(endings)

    wait_for(polled)
    return endings[0]


def test_the_first_process_has_ended_before_any_other_is_asked_to(stage: Stage) -> None:
    group = stage.start('slow', 'quick', 'quick')
    wait_for(lambda: sum(line.endswith('up') for line in stage.lines()) == 3)
    group.stop()
    stage.printer.close(timeout_s=2.0)
    said = [line for line in stage.lines() if line.endswith(('stopping', 'ends'))]
    assert said[:2] == ['[a] stopping', '[a] ends']
    assert sorted(said[2:]) == ['[b] ends', '[b] stopping', '[c] ends', '[c] stopping']
    assert all(gone(pid) for pid in stage.pids())


def test_a_process_that_ignores_every_signal_is_killed(stage: Stage) -> None:
    group = stage.start('quick', 'deaf')
    wait_for(lambda: sum(line.endswith('up') for line in stage.lines()) == 2)
    started_s = time.monotonic()
    group.stop()
    assert time.monotonic() - started_s < 10.0
    assert all(gone(pid) for pid in stage.pids())
    wait_for(lambda: '[rta] b did not end, killed' in stage.lines())


@pytest.mark.parametrize(('exit_code', 'wait_s'), [(2, 0.0), (0, LOST_NODE_GRACE_S), (1, LOST_NODE_GRACE_S)])
def test_a_lost_process_ends_the_group(stage: Stage, exit_code: int, wait_s: float) -> None:
    before_s = time.monotonic()
    ending = first_ending(stage.start('quick', str(exit_code)))
    assert ending.exit_code == (2 if exit_code == 2 else 1)
    assert f'b ended: exit code {exit_code}' in ending.reason
    assert before_s + wait_s <= ending.at_s <= time.monotonic() + wait_s


def test_a_bad_configuration_is_not_tried_again(stage: Stage) -> None:
    assert first_ending(stage.start('2', respawn=True)).exit_code == 2
    wait_for(stage.pids)
    assert len(stage.pids()) == 1


def test_a_process_that_may_come_back_does_so_after_the_delay_and_only_so_often(stage: Stage) -> None:
    group = stage.start('1', respawn=True)
    now_s = 100.0

    def polled(step_s: float) -> Ending | None:
        nonlocal now_s
        now_s += step_s
        return group.poll(now_s)

    def noticed(count: int) -> bool:
        return polled(0.0) is None and sum('starting again' in line for line in stage.lines()) == count

    for started in range(1, RESPAWN_MAX + 1):
        wait_for(partial(noticed, started))
        assert polled(RESPAWN_DELAY_S / 2) is None
        assert len(stage.pids()) == started
        assert polled(RESPAWN_DELAY_S / 2) is None
    endings: list[Ending | None] = [None]
    wait_for(lambda: endings.append(polled(0.0)) or endings[-1])
    ending = endings[-1]
    wait_for(lambda: len(stage.pids()) == RESPAWN_MAX + 1)
    assert ending is not None
    assert (ending.exit_code, ending.at_s) == (1, now_s)
    assert 'did not help' in ending.reason


PARENT = """
import os, sys, threading
from robot_tool_agent.processes.group import ProcessGroup
from robot_tool_agent.processes.output import LinePrinter
from robot_tool_agent.processes.process import ProcessPlan
plans = [ProcessPlan(name, 'stand_in_child', (name,), False) for name in ('slow', 'deaf')]
ProcessGroup(plans, LinePrinter(sys.stdout), os.environ).start()
threading.Event().wait(60)
"""


def test_no_child_outlives_a_killed_parent(stage: Stage) -> None:
    parent = subprocess.Popen([sys.executable, '-c', PARENT], stdout=subprocess.PIPE, text=True, env=stage.environment)
    pids: list[int] = []
    try:
        assert parent.stdout is not None
        up = 0
        while up < 2:
            line = parent.stdout.readline()
            assert line, 'the parent ended early'
            pids += [int(line.rpartition(' ')[2])] if ' started, pid ' in line else []
            up += line.endswith('up\n')
        assert len(pids) == 2
        assert not any(gone(pid) for pid in pids)
        parent.kill()
        wait_for(lambda: all(gone(pid) for pid in pids), timeout_s=8.0)
    finally:
        parent.kill()
        parent.wait(timeout=5.0)
        for pid in pids:
            if not gone(pid):
                os.kill(pid, signal.SIGKILL)


class StuckTerminal(io.StringIO):
    """A terminal that never takes a line."""

    def write(self, text: str) -> int:
        """Wait for ever."""
        while True:
            threading.Event().wait(0.1)


def test_a_stuck_terminal_does_not_make_the_writer_wait() -> None:
    printer = LinePrinter(StuckTerminal())
    started_s = time.monotonic()
    for _ in range(20_000):
        printer.say('line', 'safety')
    assert time.monotonic() - started_s < 5.0


def test_a_gone_terminal_does_not_stop_the_reading() -> None:
    read, write = os.pipe()
    os.close(read)
    printer = LinePrinter(os.fdopen(write, 'w', buffering=1))
    printer.say('first\nsecond')
    printer.close(timeout_s=5.0)
    assert not printer._thread.is_alive()


@pytest.mark.parametrize(('code', 'text'), [(0, 'exit code 0'), (2, 'exit code 2'), (-9, 'killed by SIGKILL')])
def test_exit_codes_as_text(code: int, text: str) -> None:
    assert how_it_ended(code) == text


def test_restarts_are_bounded_within_a_window() -> None:
    budget = RestartBudget(most=2, window_s=10.0)
    assert [budget.take(now_s) for now_s in (0.0, 1.0, 2.0, 9.9, 10.0, 10.5, 11.0)] == [
        True,
        True,
        False,
        False,
        True,
        False,
        True,
    ]
