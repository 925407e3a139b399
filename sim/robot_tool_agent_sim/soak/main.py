"""Starts a system, soaks it, prints what grew and what was counted."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
import tempfile
import time

from robot_tool_agent.config_files import load_robot
from robot_tool_agent.core.safety_state import SafetyMode
from robot_tool_agent.share_files import find_config
from robot_tool_agent_sim.harness.domains import free_domain
from robot_tool_agent_sim.harness.probe import Probe
from robot_tool_agent_sim.harness.system import RunningSystem
from robot_tool_agent_sim.soak.load import growth, Load
from robot_tool_agent_sim.soak.run import show, Soak
from robot_tool_agent_sim.soak.tally import missed_ticks

# Before the first measurement: the interpreter has imported, caches are filled.
WARM_UP_TASKS = 3
TICKS_WINDOW_S = 60.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Return 0 if nothing grew and nothing was claimed that is not true, else 1."""
    parser = argparse.ArgumentParser(prog='soak', description=__doc__)
    parser.add_argument('--minutes', type=float, default=10.0, help='how long tasks are sent, after a warm-up')
    parser.add_argument('--seed', type=int, default=0)
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix='soak_') as home:
        return _soak(Path(home), asked.minutes, asked.seed)


def _soak(home: Path, minutes: float, seed: int) -> int:
    domain_id = free_domain()
    robot = load_robot(find_config('sim_house', 'robots'))
    with RunningSystem(domain_id, home) as system, Probe(domain_id) as probe:
        system.wait_ready()
        probe.wait_state(SafetyMode.READY, 20.0)
        soak = Soak(system, probe, robot, show)
        soak.run(seed + 1, tasks=WARM_UP_TASKS)
        loads, ticks, journal_kb = soak.loads(), _missed(probe), _size_kb(system.journal_path)
        soak.run(seed, until_s=time.monotonic() + 60.0 * minutes)
        after, ticks_after, journal_after_kb = soak.loads(), _missed(probe), _size_kb(system.journal_path)
    _print_loads(loads, after)
    show(f'journal: {journal_kb:.0f} to {journal_after_kb:.0f} KB for {soak.tally.tasks} tasks')
    show(f'missed ticks of the gate in a minute: {ticks} at the start, {ticks_after} at the end')
    show(f'ends: {dict(soak.tally.ends)}; faults: {dict(soak.tally.faults)}')
    problems = [*growth(loads, after), *soak.tally.problems()]
    for problem in problems:
        show(f'BAD {problem}')
    show('soak: nothing grew, every success was true' if not problems else f'soak: {len(problems)} problems')
    return 1 if problems else 0


def _missed(probe: Probe) -> int:
    return missed_ticks([seen.received_s for seen in probe.seen.commands(time.monotonic() - TICKS_WINDOW_S)])


def _size_kb(path: Path) -> float:
    """Return the size of the journal with its write-ahead log."""
    return sum(file.stat().st_size for file in path.parent.glob(f'{path.name}*')) / 1024.0


def _print_loads(before: Mapping[str, Load], after: Mapping[str, Load]) -> None:
    show(f'{"":10} {"memory MB":>16} {"files":>10} {"threads":>10}')
    for name, first in before.items():
        last = after[name]
        memory = f'{first.memory_mb:.0f} > {last.memory_mb:.0f}'
        show(f'{name:10} {memory:>16} {f"{first.files} > {last.files}":>10} {f"{first.threads} > {last.threads}":>10}')
