"""The figures and the goals as Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from robot_tool_agent_sim.bench.goals import Goal
from robot_tool_agent_sim.bench.report import rows_of


def goals_table(goals: Sequence[Goal]) -> str:
    """Return every goal beside its figure; a missed one stands out."""
    lines = ['| goal | measured | at most | unit | from | |', '|---|---:|---:|---|---|---|']
    for goal in goals:
        verdict = 'met' if goal.met else '**missed**'
        lines.append(
            f'| {goal.name} | {goal.value:.3g} | {goal.limit:.3g} | {goal.unit} | {goal.basis} | {verdict} |'
        )
    return '\n'.join(lines) + '\n'


def figures_table(figures: Mapping[str, Any]) -> str:
    """Return every figure with the number of its samples."""
    lines = ['| figure | n | p50 | p95 | max | unit |', '|---|---:|---:|---:|---:|---|']
    lines += [f'| {name} | {" | ".join(cells)} | {unit} |' for name, unit, cells in rows_of(figures)]
    return '\n'.join(lines) + '\n'


def document(figures: Mapping[str, Any], goals: Sequence[Goal], how: str) -> str:
    """Return the whole document; `how` says by which command, when and where the figures were measured."""
    parts = ['# Bench', how, '## Goals', goals_table(goals), '## Figures', figures_table(figures)]
    return '\n\n'.join(part.strip() for part in parts) + '\n'
