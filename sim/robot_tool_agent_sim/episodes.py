"""
`python -m robot_tool_agent_sim.episodes`: seeded episodes of the whole core on a virtual clock, judged by the truth.

Each seed is one episode: a random task, at most one fault, and the same again with the obvious agent. Writes
evidence.json and evidence.md. Exit code 0 if no invariant was broken and every goal was met, 1 if not, 130 if
interrupted.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
import json
import os
from pathlib import Path
import sys
import time
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from robot_tool_agent_sim.circumstances import circumstances, sentence
from robot_tool_agent_sim.evidence.goals import missed_goals
from robot_tool_agent_sim.evidence.runner import run_all
from robot_tool_agent_sim.evidence.table import document, summary
from robot_tool_agent_sim.evidence.totals import evidence_of, Totals

EXIT_OK, EXIT_WRONG, EXIT_INTERRUPTED = 0, 1, 130
SHOWN = 20
# Without a terminal there is no bar: a line every so many episodes.
LINE_EVERY = 500


def main(argv: Sequence[str] | None = None) -> int:
    """Run episodes, write and print the figures, return the exit code."""
    arguments = _arguments(argv)
    console = Console()
    began_s = time.monotonic()
    try:
        ours, baseline = _run(console, arguments.first, arguments.episodes, arguments.processes)
    except KeyboardInterrupt:
        console.print('interrupted: nothing was written')
        return EXIT_INTERRUPTED
    figures = {
        **circumstances(time.monotonic() - began_s),
        'first_seed': arguments.first,
        'processes': arguments.processes,
        **evidence_of(ours, baseline),
    }
    _write(arguments.out, figures)
    return _report(console, ours, figures, arguments.out)


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser('robot_tool_agent_sim.episodes', description='Episodes judged by the truth.')
    parser.add_argument('--episodes', type=_positive, default=1000, help='how many (%(default)s)')
    parser.add_argument('--first', type=int, default=0, metavar='SEED', help='seed of the first (%(default)s)')
    parser.add_argument('--processes', type=_positive, default=os.cpu_count() or 1, help='cores to use (%(default)s)')
    parser.add_argument('--out', type=Path, default=Path('build/evidence.json'), metavar='FILE', help='(%(default)s)')
    return parser.parse_args(argv)


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f'{text}: must be at least 1')
    return value


def _run(console: Console, first: int, count: int, processes: int) -> tuple[Totals, Totals]:
    ours, baseline = Totals(), Totals()
    columns = (TextColumn('{task.description}'), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, TimeRemainingColumn(), console=console) as progress:
        bar = progress.add_task('episodes', total=count)
        for chunk in run_all(first, count, processes):
            for pair in sorted(chunk, key=lambda item: item.ours.seed):
                ours.add(pair.ours, pair.ours_s)
                baseline.add(pair.baseline, pair.baseline_s)
            broken = len(ours.broken())
            progress.update(bar, advance=len(chunk), description=f'episodes, {broken} broken' if broken else 'episodes')
            if not console.is_terminal and ours.episodes // LINE_EVERY > (ours.episodes - len(chunk)) // LINE_EVERY:
                console.print(f'{ours.episodes} of {count} episodes, {broken} broken', highlight=False)
    ours.events.sort()
    baseline.events.sort()
    return ours, baseline


def _write(out: Path, figures: dict[str, Any]) -> None:
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(figures, indent=2) + '\n', encoding='utf-8')
    how = sentence(f'make evidence EPISODES={figures["episodes"]}', figures)
    out.with_suffix('.md').write_text(document(figures, how), encoding='utf-8')


def _report(console: Console, ours: Totals, figures: dict[str, Any], out: Path) -> int:
    console.print(summary(figures), markup=False, highlight=False)
    broken, missed = ours.broken(), missed_goals(figures)
    for line in [*broken[:SHOWN], *missed]:
        console.print(line, style='red', markup=False, highlight=False, soft_wrap=True)
    rate = figures['sim_seconds_per_second']
    console.print(f'{figures["simulated_s"]:.0f} simulated s, {rate} a second of one process', highlight=False)
    console.print(f'figures: {out}, table: {out.with_suffix(".md")}', markup=False, highlight=False)
    return EXIT_WRONG if broken or missed else EXIT_OK


if __name__ == '__main__':
    sys.exit(main())
