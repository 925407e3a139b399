"""What the figures must reach."""

from __future__ import annotations

from typing import Any

from robot_tool_agent_sim.evidence.counts import INVARIANTS

MIN_RECOVERABLE = 0.90
MAX_RATIO = 1.15
MIN_SHARE = 0.01
MIN_SPEED = 60.0
# Fewer faults than this say nothing about shares.
ENOUGH = 2000
QUIET = ('missed_success', 'unknown_outcomes', 'nuisance_trips')


def missed_goals(figures: dict[str, Any]) -> list[str]:
    """Return a line for every goal that the figures miss."""
    return [text for text, met in _goals(figures) if not met]


def _goals(figures: dict[str, Any]) -> list[tuple[str, bool]]:
    quiet = figures['by_kind'].get('no fault', {})
    recoverable, ratio = figures['task_success_rate_recoverable'], figures['duration_ratio_no_fault']
    clean = figures['task_success_rate_no_fault']
    rows = [(f'{key} = {figures[key]}, must be 0', figures[key] == 0) for key in INVARIANTS]
    rows += [(f'{key} without a fault = {quiet.get(key, 0)}, must be 0', not quiet.get(key, 0)) for key in QUIET]
    rows += [
        (f'task_success_rate_no_fault = {clean}, must be 1', clean in (None, 1.0)),
        (
            f'task_success_rate_recoverable = {recoverable}, must be at least {MIN_RECOVERABLE}',
            recoverable is None or recoverable >= MIN_RECOVERABLE,
        ),
        (f'duration_ratio_no_fault = {ratio}, must be at most {MAX_RATIO}', ratio is None or ratio <= MAX_RATIO),
    ]
    return rows + _shares(figures['faults_injected'])


def _shares(faults: dict[str, int]) -> list[tuple[str, bool]]:
    total = sum(faults.values())
    if total < ENOUGH:
        return []
    return [
        (f'faults_injected.{kind} = {count}, must be at least 1 % of {total}', count >= MIN_SHARE * total)
        for kind, count in faults.items()
    ]
