"""How often a process may be started again."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field


@dataclass(slots=True)
class RestartBudget:
    """At most `most` restarts within `window_s` seconds."""

    most: int
    window_s: float
    _times_s: deque[float] = field(default_factory=deque)

    def take(self, now_s: float) -> bool:
        """Use one restart up at steady time `now_s`; False if none is left."""
        while self._times_s and now_s - self._times_s[0] >= self.window_s:
            self._times_s.popleft()
        if len(self._times_s) >= self.most:
            return False
        self._times_s.append(now_s)
        return True
