"""A process of the simulated system: it can be killed, stopped as by SIGSTOP, continued and started again."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

# What middleware and sockets keep for a process that does not read.
INBOX = 400


class Process:
    """Hears messages while it runs, keeps the newest while it is stopped, loses them while it is dead."""

    def __init__(self) -> None:
        self.alive = True
        self.stopped = False
        self.boots = 0
        self._inbox: deque[Callable[[], None]] = deque(maxlen=INBOX)

    @property
    def runs(self) -> bool:
        """Whether it gets any processor time."""
        return self.alive and not self.stopped

    def hear(self, deliver: Callable[[], None]) -> None:
        """Take one message."""
        if self.runs:
            deliver()
        elif self.alive:
            self._inbox.append(deliver)

    def kill(self) -> None:
        """End at once, as by SIGKILL."""
        self.alive = self.stopped = False
        self._inbox.clear()

    def stop(self) -> None:
        """Get no processor time, as after SIGSTOP."""
        self.stopped = True

    def proceed(self) -> None:
        """Go on, as after SIGCONT, with what waited."""
        self.stopped = False
        while self._inbox and self.runs:
            self._inbox.popleft()()


class Outside(Process):
    """Whoever is no part of the system: the robot's driver, a person, the model's server."""
