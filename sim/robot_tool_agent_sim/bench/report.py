"""The figures and the goals as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text
from robot_tool_agent_sim.bench.goals import Goal


def print_report(console: Console, figures: Mapping[str, Any], goals: Sequence[Goal]) -> None:
    """Print every figure, then every goal with whether it is met."""
    console.print(_figures(figures))
    console.print(_goals(goals))
    missed = [goal.name for goal in goals if not goal.met]
    rest = f'; missed: {", ".join(missed)}' if missed else ''
    console.print(f'{len(goals) - len(missed)} of {len(goals)} goals met{rest}', markup=False)


def _figures(figures: Mapping[str, Any]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column('figure')
    for title in ('n', 'p50', 'p95', 'max'):
        table.add_column(title, justify='right')
    table.add_column('unit')
    for name, unit, values in rows_of(figures):
        table.add_row(name, *values, unit)
    return table


def rows_of(figures: Mapping[str, Any], prefix: str = '') -> Iterator[tuple[str, str, list[str]]]:
    """Yield name, unit and the cells n, p50, p95, max of every figure; a single number stands under p50."""
    for key, value in figures.items():
        name = f'{prefix} {key}'.strip()
        if isinstance(value, Mapping):
            if 'n' in value:
                yield _row(name, value)
                value = {inner: item for inner, item in value.items() if isinstance(item, Mapping)}
            yield from rows_of(value, name)
        elif isinstance(value, float | int) and not isinstance(value, bool):
            yield name, '%' if 'percent' in name else '', ['', f'{value:g}', '', '']


def _row(name: str, figure: Mapping[str, Any]) -> tuple[str, str, list[str]]:
    unit = next((key.partition('_')[2] for key in figure if key.startswith('p50')), '')
    suffix = f'_{unit}' if unit else ''
    cells = [f'{figure[key + suffix]:.4g}' for key in ('p50', 'p95', 'max')]
    own_unit = unit or name.rpartition('_')[2]
    return name, own_unit, [str(figure['n']), *cells]


def _goals(goals: Sequence[Goal]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for title in ('goal', 'measured', 'at most', 'unit', 'from', ''):
        table.add_column(title, justify='right' if title in ('measured', 'at most') else 'left')
    for goal in goals:
        verdict = Text('met', style='green') if goal.met else Text('NOT MET', style='bold red')
        table.add_row(goal.name, f'{goal.value:.3g}', f'{goal.limit:.3g}', goal.unit, Text(goal.basis), verdict)
    return table
