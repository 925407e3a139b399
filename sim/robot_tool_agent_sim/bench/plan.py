"""How often everything is measured."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    """Counts of samples, seconds where the name says so, and which journal is large."""

    events: int
    simulated_events: int
    timeouts: int
    calls: int
    cancels: int
    lookups: int
    many_rows: int
    scans: int
    load_s: float


FULL = Plan(
    events=400,
    simulated_events=2,
    timeouts=20,
    calls=200,
    cancels=12,
    lookups=2_000,
    many_rows=1_000_000,
    scans=2_000,
    load_s=8.0,
)
QUICK = Plan(
    events=5,
    simulated_events=1,
    timeouts=1,
    calls=5,
    cancels=1,
    lookups=50,
    many_rows=20_000,
    scans=50,
    load_s=1.0,
)
