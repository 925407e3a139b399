"""What an episode counts. Keys are those of build/evidence.json."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

# Each of these must be zero.
INVARIANTS = (
    'false_success',
    'duplicate_motions',
    'motion_while_latched',
    'limit_violations',
    'collisions',
    'unfinished',
    'late_stops',
    'nuisance_trips',
)
OTHERS = ('missed_success', 'unknown_outcomes', 'premature_claims')


@dataclass(slots=True)
class Counts:
    """Counters, with a line for each event that should not have happened."""

    values: Counter[str] = field(default_factory=Counter)
    events: list[str] = field(default_factory=list)

    def add(self, key: str, now_s: float, text: str) -> None:
        """Count one event."""
        self.values[key] += 1
        self.events.append(f'{now_s:.2f} s {key}: {text}')

    @property
    def violations(self) -> list[str]:
        """Return the events that break an invariant."""
        return [line for line in self.events if line.split(' s ', 1)[1].split(':', 1)[0] in INVARIANTS]
