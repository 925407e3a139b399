"""
`python -m robot_tool_agent_sim.bench`: measures the suite, writes figures and goals to build.

The files are build/bench.json and build/bench.md; figures and goals are printed as well.
Exit code 0 when everything was measured, also when a goal is missed; 1 when something could not be measured; 128 plus
the number of a signal that ended it.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
import json
from pathlib import Path
import shutil
import tempfile
import time
from typing import Any

from rich.text import Text
from robot_tool_agent.config_files import ConfigError, load_robot
from robot_tool_agent.core.safety.config import SafetyConfig
from robot_tool_agent.share_files import find_config
from robot_tool_agent_sim.bench import children, sessions, signals
from robot_tool_agent_sim.bench.goals import goals_of
from robot_tool_agent_sim.bench.merging import merged
from robot_tool_agent_sim.bench.plan import FULL, Plan, QUICK
from robot_tool_agent_sim.bench.report import print_report
from robot_tool_agent_sim.bench.table import document
from robot_tool_agent_sim.circumstances import circumstances, sentence
from robot_tool_agent_sim.demo.stage import free_domain
from robot_tool_agent_sim.demo.timeline import terminal, Timeline

EXIT_OK, EXIT_WRONG, EXIT_SIGNAL = 0, 1, 128
KEPT_LOGS = '*.log'
Part = tuple[str, str, float, Callable[[Callable[[str], None]], dict[str, Any]]]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the measurement and return the exit code."""
    arguments = _arguments(argv)
    signals.listen()
    console = terminal()
    plan: Plan = QUICK if arguments.quick else FULL
    began_s = time.monotonic()
    try:
        figures = _measure(console, plan, arguments.out.parent)
    except signals.Stopped as stopped:
        console.print('\ninterrupted; everything that was started has ended', markup=False)
        return EXIT_SIGNAL + stopped.number
    except (TimeoutError, ValueError, RuntimeError, LookupError, ConfigError) as error:
        console.print(Text(f'not everything could be measured: {error}', style='red'), soft_wrap=True)
        return EXIT_WRONG
    told = {**circumstances(time.monotonic() - began_s), 'quick': arguments.quick, **figures}
    goals = goals_of(figures, 1e3 / SafetyConfig().gate_rate_hz)
    arguments.out.write_text(json.dumps(told, indent=2) + '\n', encoding='utf-8')
    how = sentence('make bench ARGS=--quick' if arguments.quick else 'make bench', told)
    arguments.out.with_suffix('.md').write_text(document(figures, goals, how), encoding='utf-8')
    print_report(console, figures, goals)
    console.print(f'figures: {arguments.out}, table: {arguments.out.with_suffix(".md")}', markup=False)
    return EXIT_OK


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser('robot_tool_agent_sim.bench', description='Latencies and load, from outside.')
    out = Path('build/bench.json')
    parser.add_argument('--out', type=Path, default=out, metavar='FILE', help='for the figures (%(default)s)')
    parser.add_argument('--quick', action='store_true', help='few samples: shows that it runs, not how fast it is')
    return parser.parse_args(argv)


def _measure(console: Any, plan: Plan, out: Path) -> dict[str, Any]:
    out.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix='bench_', dir=out))
    try:
        with Timeline(console) as timeline:
            return _play(timeline, plan, folder)
    except Exception:
        _keep_logs(folder, out / 'bench_logs')
        raise
    finally:
        children.end_all()
        shutil.rmtree(folder, ignore_errors=True)


def _play(timeline: Timeline, plan: Plan, folder: Path) -> dict[str, Any]:
    domain = free_domain()
    robot = load_robot(find_config('sim_house', 'robots'))
    parts: list[Part] = [
        ('core', 'scan verdicts, journal look-ups', 15.0, lambda live: sessions.core(robot, folder, plan, live)),
        ('calls', 'skill calls beside a bare server', 25.0, lambda live: sessions.calls(domain, folder, plan, live)),
        ('planner', 'replies of a model', 20.0, lambda live: sessions.replies(domain, folder, plan, live)),
        (
            'messages',
            f'faults that arrive as a message, beside a bare echo; {plan.events} of each kind',
            15.0 + 0.45 * plan.events,
            lambda live: sessions.messages(domain, folder, plan, live),
        ),
        (
            'stops',
            'the simulated robot in full motion: faults and cancels, by ground truth',
            10.0 + 6.0 * plan.timeouts + 5.0 * plan.simulated_events,
            lambda live: sessions.stops(domain, folder, plan, live),
        ),
    ]
    figures: dict[str, Any] = {}
    for name, text, expected_s, measure in parts:
        timeline.begin(name, expected_s)
        timeline.say('bench', text)
        began_s = time.monotonic()
        figures = merged(figures, measure(timeline.live))
        timeline.say('bench', f'{name}: done in {time.monotonic() - began_s:.0f} s')
    return figures


def _keep_logs(folder: Path, kept: Path) -> None:
    kept.mkdir(exist_ok=True)
    for log in folder.glob(KEPT_LOGS):
        shutil.copy(log, kept)
