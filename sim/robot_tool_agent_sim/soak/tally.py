"""What a soak run has counted so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

# The gate publishes every 20 ms; three periods without a command are missed ticks.
GATE_PERIOD_S = 0.02
MISSED_AFTER_S = 3.0 * GATE_PERIOD_S


def missed_ticks(arrivals_s: Sequence[float]) -> int:
    """Return how many periods of the gate passed in gaps longer than three of them."""
    gaps_s = [later - earlier for earlier, later in pairwise(arrivals_s)]
    return sum(round(gap_s / GATE_PERIOD_S) - 1 for gap_s in gaps_s if gap_s > MISSED_AFTER_S)


@dataclass(slots=True)
class Tally:
    """Ends by status, faults by name, and what must stay zero."""

    ends: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    false_success: list[str] = field(default_factory=list)
    unfinished: list[str] = field(default_factory=list)
    nuisance: list[str] = field(default_factory=list)

    @property
    def tasks(self) -> int:
        """How many tasks were sent."""
        return sum(self.ends.values()) + len(self.unfinished)

    def problems(self) -> list[str]:
        """Return a line for everything that must not happen and did."""
        kinds = (
            ('claimed and not true', self.false_success),
            ('never ended', self.unfinished),
            ('failed without a fault', self.nuisance),
        )
        return [f'{what}: {line}' for what, lines in kinds for line in lines]
