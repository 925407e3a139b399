"""From samples to the figures that are stored."""

from __future__ import annotations

from collections.abc import Sequence
import math

Figure = dict[str, float]

MILLI, MICRO = ('ms', 1e3), ('us', 1e6)
PLAIN = ('', 1.0)


def distribution(samples: Sequence[float], unit: tuple[str, float] = MILLI) -> Figure:
    """
    Return count, median, 95th percentile and maximum; keys carry the unit, `_ms` by default.

    `samples` are in seconds, or in what the unit's factor expects. Raise ValueError if there are none or one is not
    finite: a figure that was not measured must not look like one.
    """
    name, factor = unit
    if not samples or not all(math.isfinite(sample) for sample in samples):
        raise ValueError(f'no finite samples: {list(samples)[:5]}')
    ordered = sorted(samples)
    suffix = f'_{name}' if name else ''
    points = {'p50': percentile(ordered, 0.5), 'p95': percentile(ordered, 0.95), 'max': ordered[-1]}
    return {'n': len(ordered), **{f'{key}{suffix}': round(value * factor, 4) for key, value in points.items()}}


def percentile(ordered: Sequence[float], share: float) -> float:
    """Return the nearest-rank percentile of ascending values: the smallest that `share` of them do not exceed."""
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]
