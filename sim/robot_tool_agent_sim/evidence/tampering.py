"""Saboteurs of messages: one message treated badly, or noise on many for a while. Seeded."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

AT_ONCE = (0.0,)
LOST: tuple[float, ...] = ()


class OneMessage:
    """
    Treats one message of a channel badly, after letting `skip` pass.

    `delays_s`: one for each copy that arrives, none for a lost one.
    """

    def __init__(self, channel: str, delays_s: tuple[float, ...], skip: int = 0) -> None:
        self._channel, self._delays_s, self._skip = channel, delays_s, skip
        self.count = 0

    def __call__(self, channel: str) -> tuple[float, ...]:
        """Return the delays of the copies of one message."""
        if self.count or not channel.startswith(self._channel):
            return AT_ONCE
        if self._skip:
            self._skip -= 1
            return AT_ONCE
        self.count += 1
        return self._delays_s


class Noise:
    """Treats each message of some channels badly by chance."""

    def __init__(
        self, channels: tuple[str, ...], share: float, chance: Random, delays_s: Callable[[Random], tuple[float, ...]]
    ) -> None:
        self._channels, self._share, self._chance, self._delays_s = channels, share, chance, delays_s
        self.count = 0

    def __call__(self, channel: str) -> tuple[float, ...]:
        """Return the delays of the copies of one message."""
        if not channel.startswith(self._channels) or self._chance.random() >= self._share:
            return AT_ONCE
        self.count += 1
        return self._delays_s(self._chance)


def dropped(chance: Random) -> tuple[float, ...]:
    """Lose a message."""
    return LOST


def delayed(chance: Random) -> tuple[float, ...]:
    """Deliver a message late."""
    return (chance.uniform(0.04, 0.6),)


def duplicated(chance: Random) -> tuple[float, ...]:
    """Deliver a message twice, the second time a little or much later."""
    return (0.0, chance.choice((0.0, chance.uniform(0.02, 1.0))))


def reordered(chance: Random) -> tuple[float, ...]:
    """Let the next messages overtake one."""
    return (chance.choice((0.04, 0.08, 0.12)),)
