"""Which inputs are news, and how long ago each had some."""

from __future__ import annotations

from collections.abc import Mapping

from robot_tool_agent.core.samples import Sample

FUTURE_SLACK_S = 1.0


class InputWatch:
    """Watches one periodic input. Only a sample whose stamp rose is news; age counts from its steady arrival.

    A stamp that ran ahead of the arrivals by more than a second lies in the future and is no news: believing it would
    make every later sample look old. Once the input is stale any other stamp starts anew, since the sender's clock may
    have been set.
    """

    def __init__(self, limit_s: float) -> None:
        self.limit_s = limit_s
        self._stamp_s = 0.0
        self._received_s = -float('inf')

    def offer(self, sample: Sample) -> bool:
        """Take a sample and tell whether it is news."""
        rise_s = sample.stamp_s - self._stamp_s
        waited_s = sample.received_s - self._received_s
        news = rise_s != 0.0 if waited_s > self.limit_s else 0.0 < rise_s <= waited_s + FUTURE_SLACK_S
        if news or self._received_s == -float('inf'):
            self._stamp_s, self._received_s = sample.stamp_s, sample.received_s
            return True
        return False

    def age_s(self, now_s: float) -> float:
        """Return the seconds since the last news, infinite before the first."""
        return now_s - self._received_s

    def stale(self, now_s: float) -> bool:
        """Tell whether the last news is older than the limit; true before the first."""
        return self.age_s(now_s) > self.limit_s


class Persistence:
    """Lets a condition through once it has stood long enough."""

    def __init__(self) -> None:
        self._since_s: dict[str, float] = {}

    def lasting(self, standing: Mapping[str, float], now_s: float) -> list[str]:
        """Return the names of `standing` (name to needed seconds) that have stood without a break for that long."""
        self._since_s = {name: self._since_s.get(name, now_s) for name in standing}
        return [name for name, needed_s in standing.items() if now_s - self._since_s[name] >= needed_s]
