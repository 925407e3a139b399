"""Messages between the simulated processes, on the virtual clock. A tamperer may treat them badly."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
import heapq

from robot_tool_agent_sim.evidence.process import Process

Deliver = Callable[[], None]
Tamperer = Callable[[str], tuple[float, ...]]
MAX_ROUNDS = 1000


@dataclass(order=True, slots=True)
class _Parcel:
    due_s: float
    number: int
    receiver: Process = field(compare=False)
    deliver: Deliver = field(compare=False)


class Bus:
    """Delivers in the order of sending, unless told otherwise. `tamper` returns one delay in seconds for each copy."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.tamper: Tamperer | None = None
        self._now: deque[tuple[Process, Deliver]] = deque()
        self._later: list[_Parcel] = []
        self._number = 0

    def send(self, channel: str, receiver: Process, deliver: Deliver) -> None:
        """Send one message; without a tamperer it arrives within this moment."""
        if self.tamper is None:
            self._now.append((receiver, deliver))
            return
        for delay_s in self.tamper(channel):
            if delay_s <= 0.0:
                self._now.append((receiver, deliver))
            else:
                self.after(delay_s, receiver, deliver)

    def after(self, delay_s: float, receiver: Process, deliver: Deliver) -> None:
        """Let something reach a process after a while, tampered with by nobody."""
        self._number += 1
        heapq.heappush(self._later, _Parcel(self.now_s + delay_s, self._number, receiver, deliver))

    def deliver(self) -> None:
        """Deliver all that is due, and what is sent in answer to it."""
        while self._later and self._later[0].due_s <= self.now_s + 1e-9:
            parcel = heapq.heappop(self._later)
            self._now.append((parcel.receiver, parcel.deliver))
        for _ in range(MAX_ROUNDS):
            if not self._now:
                return
            receiver, deliver = self._now.popleft()
            receiver.hear(deliver)
        raise RuntimeError('messages answer each other without end')
