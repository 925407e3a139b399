"""How long a condition has stood."""

from __future__ import annotations

from collections.abc import Mapping


class Persistence:
    """Lets a condition through once it has stood long enough."""

    def __init__(self) -> None:
        self._since_s: dict[str, float] = {}

    def lasting(self, standing: Mapping[str, float], now_s: float) -> list[str]:
        """Return the names of `standing` (name to needed seconds) that have stood without a break for that long."""
        self._since_s = {name: self._since_s.get(name, now_s) for name in standing}
        return [name for name, needed_s in standing.items() if now_s - self._since_s[name] >= needed_s]
