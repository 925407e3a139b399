"""Progress as the protocol wants it: a number that rises with every notification."""

from __future__ import annotations

STEP = 0.0001
TOTAL = 1.0


class RisingProgress:
    """Turns how far a call is, 0 to 1, into values that rise: a new phase can begin where the last one stood."""

    def __init__(self) -> None:
        self._last = -STEP

    def next(self, progress: float) -> float | None:
        """Return the value to tell, None if none is left below the total."""
        value = max(min(progress, TOTAL) if progress == progress else 0.0, self._last + STEP)
        if value > TOTAL:
            return None
        self._last = value
        return round(value, 6)
