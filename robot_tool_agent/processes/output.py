"""Prints the lines of many processes without ever making one of them wait."""

from __future__ import annotations

import queue
import threading
from typing import IO, TextIO

MAX_WAITING_LINES = 5000


class LinePrinter:
    """
    Prints lines as `[name] line` from a thread of its own.

    A terminal that is paused or gone must not block a node that logs: lines are taken from the nodes at once, and what
    cannot be printed is dropped and counted.
    """

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._lines: queue.Queue[str | None] = queue.Queue(MAX_WAITING_LINES)
        self._dropped = 0
        self._thread = threading.Thread(target=self._print_all, name='printer', daemon=True)
        self._thread.start()

    def say(self, text: str, name: str = '') -> None:
        """Print every line of a text, after `[name] ` if there is a name."""
        for line in text.splitlines() or ['']:
            try:
                self._lines.put_nowait(f'[{name}] {line}' if name else line)
            except queue.Full:
                self._dropped += 1

    def follow(self, name: str, stream: IO[str]) -> threading.Thread:
        """Print a stream's lines under a name until it ends."""
        thread = threading.Thread(target=self._follow, args=(name, stream), name=f'output-{name}', daemon=True)
        thread.start()
        return thread

    def close(self, timeout_s: float) -> None:
        """Print what waits, at most for this long."""
        try:
            self._lines.put(None, timeout=timeout_s)
        except queue.Full:
            return
        self._thread.join(timeout_s)

    def _follow(self, name: str, stream: IO[str]) -> None:
        with stream:
            for line in stream:
                self.say(line.rstrip('\n'), name)

    def _print_all(self) -> None:
        broken = False
        while (line := self._lines.get()) is not None:
            dropped, self._dropped = self._dropped, 0
            if dropped:
                line = f'({dropped} lines dropped)\n{line}'
            if not broken:
                broken = not self._print(line)

    def _print(self, line: str) -> bool:
        try:
            self._out.write(_printable(line, self._out.encoding) + '\n')
            self._out.flush()
        except (OSError, ValueError):
            return False
        return True


def _printable(line: str, encoding: str | None) -> str:
    """Return a line in which what the terminal's encoding cannot show is escaped."""
    kind = encoding or 'utf-8'
    return line.encode(kind, 'backslashreplace').decode(kind)
