"""How often things failed lately: by skill, by provider and by class of failure, over a sliding window."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from robot_tool_agent.core.outcomes import Origin

MAX_EVENTS = 10_000


class Group(str, Enum):
    """What a rate is of."""

    SKILL = 'skill'
    PROVIDER = 'provider'
    CLASS = 'class'


@dataclass(frozen=True, slots=True)
class Rate:
    """`failed` of `total` events failed. A class is compared with all events, the others with their own."""

    group: Group
    name: str
    failed: int
    total: int
    alarm: bool

    @property
    def share(self) -> float:
        """Failed events among all, 0 to 1."""
        return self.failed / self.total if self.total else 0.0


@dataclass(frozen=True, slots=True)
class _Event:
    at_s: float
    group: Group
    name: str
    origin: Origin | None


class FailureRates:
    """
    Counts events of the last `window_s` seconds, at most MAX_EVENTS. Times are steady seconds.

    A rate is an alarm once at least `alarm_count` events failed and they are at least `alarm_rate` of all.
    """

    def __init__(self, window_s: float, alarm_rate: float, alarm_count: int) -> None:
        self._window_s = window_s
        self._alarm_rate = alarm_rate
        self._alarm_count = alarm_count
        self._events: deque[_Event] = deque(maxlen=MAX_EVENTS)

    def add(self, group: Group, name: str, origin: Origin | None, now_s: float) -> None:
        """Take one event; `origin` is where its failure arose, None for a success."""
        self._events.append(_Event(now_s, group, name, origin))

    def rates(self, now_s: float) -> list[Rate]:
        """Return every rate of the window, by group and name."""
        while self._events and now_s - self._events[0].at_s > self._window_s:
            self._events.popleft()
        return [*self._own_rates(), *self._class_rates()]

    def _own_rates(self) -> Iterator[Rate]:
        for group, name in sorted({(event.group, event.name) for event in self._events}):
            own = [event for event in self._events if (event.group, event.name) == (group, name)]
            yield self._rate(group, name, sum(event.origin is not None for event in own), len(own))

    def _class_rates(self) -> Iterator[Rate]:
        for origin in sorted({event.origin for event in self._events if event.origin is not None}):
            failed = sum(event.origin is origin for event in self._events)
            yield self._rate(Group.CLASS, origin.value, failed, len(self._events))

    def _rate(self, group: Group, name: str, failed: int, total: int) -> Rate:
        alarm = failed >= self._alarm_count and failed >= self._alarm_rate * total
        return Rate(group, name, failed, total, alarm)
