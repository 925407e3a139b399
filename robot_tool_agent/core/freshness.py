"""Which samples of a periodic input are news, and how long ago it had some."""

from __future__ import annotations

from robot_tool_agent.core.samples import Sample

FUTURE_SLACK_S = 1.0
# How fast the least delay seen may rise, s per s: twice what the clock discipline of a kernel slews (500 ppm).
FLOOR_CREEP = 0.001


class InputWatch:
    """
    Watches one periodic input. Only a sample whose stamp rose is news; age counts from its steady arrival.

    No news are also: a stamp that ran ahead of the arrivals by more than a second (believing it would make every later
    sample look old), and a sample that was under way longer than the least delay seen plus the staleness limit (it
    tells of the past). Samples that keep being late stay so: waiting does not make them true. Once the input is stale,
    a stamp that fell or leapt starts anew: the sender's clock was set.
    """

    def __init__(self, limit_s: float) -> None:
        self.limit_s = limit_s
        self._stamp_s = 0.0
        self._received_s = -float('inf')
        self._floor_s = float('inf')
        self._floor_at_s = 0.0

    def offer(self, sample: Sample, clock_s: float | None = None) -> bool:
        """
        Take a sample and tell whether it is news.

        `clock_s` is the present time of the clock that stamps are taken from, where both ends read the same one, as
        with a simulated clock, which may run slower than steady time: then a sample's delay is known, not estimated.
        """
        rise_s = sample.stamp_s - self._stamp_s
        waited_s = sample.received_s - self._received_s
        leapt = rise_s < 0.0 or rise_s > waited_s + FUTURE_SLACK_S
        if leapt and waited_s <= self.limit_s:
            return False
        if leapt or self._received_s == -float('inf'):
            self._floor_s = float('inf')
        elif rise_s == 0.0 or self._is_late(sample, clock_s):
            return False
        self._note_delay(sample)
        self._stamp_s, self._received_s = sample.stamp_s, sample.received_s
        return True

    def age_s(self, now_s: float) -> float:
        """Return the seconds since the last news, infinite before the first."""
        return now_s - self._received_s

    @property
    def deadline_s(self) -> float:
        """Return the time beyond which the input is stale without more news, minus infinity before the first."""
        return self._received_s + self.limit_s

    def stale(self, now_s: float) -> bool:
        """Tell whether the last news is older than the limit; true before the first."""
        return self.age_s(now_s) > self.limit_s

    def _is_late(self, sample: Sample, clock_s: float | None) -> bool:
        if clock_s is not None:
            return clock_s - sample.stamp_s > self.limit_s
        delay_s = sample.received_s - sample.stamp_s
        return delay_s - self._floor(sample.received_s) > self.limit_s

    def _note_delay(self, sample: Sample) -> None:
        delay_s = sample.received_s - sample.stamp_s
        self._floor_s = min(delay_s, self._floor(sample.received_s))
        self._floor_at_s = sample.received_s

    def _floor(self, now_s: float) -> float:
        """Return the least delay to be expected: it rises between two samples that were news, and no longer."""
        return self._floor_s + FLOOR_CREEP * min(now_s - self._floor_at_s, self.limit_s)
