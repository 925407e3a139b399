"""Signals that ask for the end, as one exception that never falls into the start of a process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
import signal
from types import FrameType

ASKING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stopped(KeyboardInterrupt):
    """A signal asked for the end."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class _State:
    holding = False
    asked: int | None = None


def listen() -> None:
    """Raise Stopped in the main thread at the first signal; later ones do not interrupt the clearing up."""
    for number in ASKING:
        signal.signal(number, _take)


@contextmanager
def held() -> Iterator[None]:
    """Keep a signal back until the end of the block."""
    _State.holding = True
    try:
        yield
    finally:
        _State.holding = False
    _raise_if_asked()


def _take(number: int, frame: FrameType | None) -> None:
    for other in ASKING:
        signal.signal(other, signal.SIG_IGN)
    _State.asked = number
    if not _State.holding:
        _raise_if_asked()


def _raise_if_asked() -> None:
    number, _State.asked = _State.asked, None
    if number is not None:
        raise Stopped(number)
