"""Times the turns of the safety loop: a loop that stood still must not act on what waited meanwhile."""

from __future__ import annotations

MAX_STEP_S = 0.04
STALL_PERIODS = 3.0
# Long enough for all that waited, also in the buffers of the network, to come in.
DEAF_S = 0.5


class Turns:
    """
    Knows how long ago the loop turned, all in steady seconds.

    After a stall (three periods) one turn judges nothing: messages that prove life may wait behind it; the next does.
    After a stall longer than `command_timeout_s` the loop is deaf to commands for DEAF_S: they waited in a queue while
    nobody looked, and the time of their arrival is not the time they were sent.
    """

    def __init__(self, period_s: float, command_timeout_s: float, now_s: float) -> None:
        self._stall_s = STALL_PERIODS * period_s
        self._command_timeout_s = command_timeout_s
        self._last_s = now_s
        self._deaf_until_s = now_s
        self._stalled = False
        self.excused = False

    def turn(self, now_s: float) -> float:
        """Take the next turn that judges and return the step for the output's slope, at most MAX_STEP_S."""
        step_s = self.step(now_s)
        self.excused = self._stalled and not self.excused
        self._stalled = False
        return step_s

    def step(self, now_s: float) -> float:
        """Move on without judging: a stall that ends here still excuses the next turn. Returns what `turn` does."""
        elapsed_s = now_s - self._last_s
        self._last_s = now_s
        self._stalled = self._stalled or elapsed_s > self._stall_s
        if elapsed_s > self._command_timeout_s:
            self._deaf_until_s = now_s + DEAF_S
        return min(max(elapsed_s, 0.0), MAX_STEP_S)

    def deaf(self, now_s: float) -> bool:
        """Tell whether a command that arrives now may have waited during a stall."""
        return now_s < self._deaf_until_s or now_s - self._last_s > self._command_timeout_s
