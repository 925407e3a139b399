"""The figures as Markdown: what the design buys, and what each kind of fault came to."""

from __future__ import annotations

from typing import Any

ROWS = (
    ('false_success', 'success claimed that the truth denies'),
    ('duplicate_motions', 'motions made twice'),
    ('motion_while_latched', 'motions while stopped'),
    ('limit_violations', 'limits exceeded'),
    ('collisions', 'collisions above 0.05 m/s'),
    ('late_stops', 'stops that came too late'),
    ('unfinished', 'tasks without an end'),
    ('nuisance_trips', 'stops without a cause'),
    ('missed_success', 'success that was reported as failure'),
    ('unknown_outcomes', 'ends reported as unknown'),
    ('premature_claims', 'tasks that a lying model called done half way'),
    ('skill_calls', 'skill calls'),
)
RATES = (
    ('task_success_rate_no_fault', 'tasks that succeed, no fault'),
    ('task_success_rate_recoverable', 'tasks that succeed, one recoverable fault'),
    ('task_success_rate_any_fault', 'tasks that succeed, any fault'),
)


def summary(figures: dict[str, Any]) -> str:
    """Return the table of both systems."""
    baseline = figures['baseline']
    lines = ['| figure | this suite | the obvious agent |', '|---|---:|---:|']
    lines += [f'| {text} (`{key}`) | {figures[key]} | {baseline[key]} |' for key, text in ROWS]
    lines += [f'| {text} (`{key}`) | {_percent(figures[key])} | {_percent(baseline[key])} |' for key, text in RATES]
    ratio = figures['duration_ratio_no_fault']
    lines.append(f"| mean task time against the obvious agent's (`duration_ratio_no_fault`) | {ratio} | 1.0 |")
    return '\n'.join(lines) + '\n'


def kinds(figures: dict[str, Any]) -> str:
    """Return the table of fault kinds."""
    lines = [
        '| fault | episodes | struck | tasks that succeed | unknown ends | obvious agent: succeed | false success '
        '| motions twice | collisions |',
        '|---|---:|---:|---:|---:|---:|---:|---:|---:|',
    ]
    for kind, row in figures['by_kind'].items():
        other = figures['baseline']['by_kind'].get(kind, {})
        cells = [row.get(key, 0) for key in ('episodes', 'struck', 'succeeded', 'unknown_outcomes')]
        cells += [other.get(key, 0) for key in ('succeeded', 'false_success', 'duplicate_motions', 'collisions')]
        lines.append(f'| {kind} | {" | ".join(str(cell) for cell in cells)} |')
    return '\n'.join(lines) + '\n'


def document(figures: dict[str, Any], how: str) -> str:
    """Return the whole document; `how` says by which command, when and where the run was made."""
    parts = ['# Evidence', how, summary(figures), '## By kind of fault', kinds(figures)]
    return '\n\n'.join(part.strip() for part in parts) + '\n'


def _percent(share: float | None) -> str:
    return '-' if share is None else f'{100.0 * share:.1f} %'
