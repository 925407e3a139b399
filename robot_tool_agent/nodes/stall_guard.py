"""Ends a process whose loop no longer turns: a silent process is handled by everyone, a hung one by nobody."""

from collections.abc import Callable
import threading

WAKE_PERIOD_S = 0.1
WAKES_WITHOUT_BEAT = 10


class StallGuard:
    """
    Calls `on_stall` once after ten of its own wakes, one second, without a beat.

    It counts wakes instead of reading a clock: a process that was suspended as a whole, or starved of the processor,
    has not stalled.
    """

    def __init__(self, on_stall: Callable[[], None], wake_period_s: float = WAKE_PERIOD_S) -> None:
        self._on_stall = on_stall
        self._wake_period_s = wake_period_s
        self._beats = 0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def start(self) -> None:
        """Begin to watch."""
        self._thread.start()

    def beat(self) -> None:
        """Say that the loop turned."""
        self._beats += 1

    def stop(self) -> None:
        """Stop watching and wait for the thread."""
        self._ended.set()
        self._thread.join()

    def _watch(self) -> None:
        seen, silent = self._beats, 0
        while not self._ended.wait(self._wake_period_s):
            silent = silent + 1 if self._beats == seen else 0
            seen = self._beats
            if silent >= WAKES_WITHOUT_BEAT:
                self._on_stall()
                return
