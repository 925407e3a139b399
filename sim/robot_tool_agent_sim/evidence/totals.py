"""Sums over episodes, and the figures that build/evidence.json holds."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any

from robot_tool_agent_sim.evidence.counts import INVARIANTS, OTHERS
from robot_tool_agent_sim.evidence.episode import EpisodeEnd

MAX_EVENTS = 100


@dataclass(slots=True)
class Totals:
    """Sums over the episodes of one system. `work_s` is processor time."""

    episodes: int = 0
    skill_calls: int = 0
    simulated_s: float = 0.0
    work_s: float = 0.0
    values: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    good: Counter[str] = field(default_factory=Counter)
    tried: Counter[str] = field(default_factory=Counter)
    durations_s: dict[int, float] = field(default_factory=dict)
    by_kind: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    events: list[str] = field(default_factory=list)

    def add(self, end: EpisodeEnd, work_s: float) -> None:
        """Add one episode."""
        self.episodes += 1
        self.skill_calls += end.skill_calls
        self.simulated_s += end.simulated_s
        self.work_s += work_s
        self.values.update(end.values)
        self.faults[end.kind] += end.struck
        good = end.claimed and end.reached
        # A recoverable fault that never struck proves nothing.
        if end.group != 'recoverable' or end.struck:
            self.tried[end.group] += 1
            self.good[end.group] += good
        if end.group == 'none' and good and end.duration_s is not None:
            self.durations_s[end.seed] = end.duration_s
        row = self.by_kind[f'{end.kind} ({end.group})' if end.group == 'recoverable' else end.kind or 'no fault']
        row.update({'episodes': 1, 'struck': end.struck, 'succeeded': good}, **end.values)
        self.events += [f'seed {end.seed}, {end.kind or "no fault"} {end.variant}: {line}' for line in end.events]

    def figures(self) -> dict[str, Any]:
        """Return the figures by their names."""
        return {
            'episodes': self.episodes,
            'skill_calls': self.skill_calls,
            'faults_injected': {kind: count for kind, count in sorted(self.faults.items()) if count},
            **{key: self.values[key] for key in (*INVARIANTS, *OTHERS)},
            'simulated_s': round(self.simulated_s, 1),
            'sim_seconds_per_second': round(self.simulated_s / self.work_s, 1) if self.work_s else None,
            'task_success_rate_no_fault': self._rate('none'),
            'task_success_rate_recoverable': self._rate('recoverable'),
            'task_success_rate_any_fault': self._rate('any'),
            'by_kind': {kind: dict(row) for kind, row in sorted(self.by_kind.items())},
            'events': self.broken()[:MAX_EVENTS],
        }

    def broken(self) -> list[str]:
        """Return the events that break an invariant."""
        return [line for line in self.events if any(f' s {key}: ' in line for key in INVARIANTS)]

    def _rate(self, group: str) -> float | None:
        return round(self.good[group] / self.tried[group], 4) if self.tried[group] else None


def duration_ratio(ours: Totals, baseline: Totals) -> float | None:
    """Return our mean task time over the baseline's, over the episodes without a fault in which both succeeded."""
    both = ours.durations_s.keys() & baseline.durations_s.keys()
    other_s = sum(baseline.durations_s[seed] for seed in both)
    return round(sum(ours.durations_s[seed] for seed in both) / other_s, 4) if other_s else None


def evidence_of(ours: Totals, baseline: Totals) -> dict[str, Any]:
    """Return the keys of build/evidence.json that come from the episodes alone."""
    theirs = {**baseline.figures(), 'duration_ratio_no_fault': 1.0}
    ratio = duration_ratio(ours, baseline)
    return {**ours.figures(), 'duration_ratio_no_fault': ratio, 'baseline': theirs}
