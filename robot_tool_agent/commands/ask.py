"""Asks a person at the terminal for a yes or no, without holding up what goes on meanwhile."""

from __future__ import annotations

import os
import select
import sys
import termios
import time
import tty
from types import TracebackType

MAX_TYPED = 20
BACKSPACE, ENTER, END_OF_FILE = ('\x7f', '\b'), ('\r', '\n'), '\x04'
YES = ('y', 'yes')
CLEAR_LINE = '\r\x1b[K'


def at_terminal() -> bool:
    """Tell whether a person can see the question and type the answer."""
    return sys.stdin.isatty() and sys.stderr.isatty()


class YesNo:
    """
    One question. Call `poll` again and again until it gives an answer. Use it as a context manager.

    What was typed before the question is thrown away: nobody may say yes to what they have not read.
    """

    def __init__(self, question: str, timeout_s: float) -> None:
        self._question = question
        self._until_s = time.monotonic() + timeout_s
        self._typed = ''
        self._shown = ''

    def __enter__(self) -> YesNo:
        """Show the question and take the keys."""
        self._kept = termios.tcgetattr(sys.stdin)
        tty.setcbreak(sys.stdin, termios.TCSADRAIN)
        termios.tcflush(sys.stdin, termios.TCIFLUSH)
        print(self._question, file=sys.stderr, flush=True)
        self._show()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give the keys back."""
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self._kept)
        print(file=sys.stderr, flush=True)

    def poll(self) -> bool | None:
        """Return True for y or yes, False for anything else and Enter, None as long as nothing was decided."""
        while select.select([sys.stdin], [], [], 0.0)[0]:
            for key in os.read(sys.stdin.fileno(), 64).decode(errors='replace') or END_OF_FILE:
                if key == END_OF_FILE:
                    return False
                if key in ENTER:
                    return self._typed.strip().lower() in YES
                self._take(key)
        self._show()
        return None

    @property
    def late(self) -> bool:
        """Whether the time to answer is over."""
        return time.monotonic() >= self._until_s

    def _take(self, key: str) -> None:
        if key in BACKSPACE:
            self._typed = self._typed[:-1]
        elif key.isprintable():
            self._typed = (self._typed + key)[:MAX_TYPED]

    def _show(self) -> None:
        left_s = max(0.0, self._until_s - time.monotonic())
        line = f'approve? [y/N] ({left_s:.0f} s left, then no) {self._typed}'
        if line != self._shown:
            self._shown = line
            print(CLEAR_LINE + line, end='', file=sys.stderr, flush=True)
