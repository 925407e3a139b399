"""Text for the terminal."""

from __future__ import annotations

import json
import sys
import time
from types import TracebackType
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

MAX_CHARACTERS = 2000
LINE_PERIOD_S = 1.0


def plain(text: str) -> str:
    """Return a text that came from a robot or a model as one printable line: no control characters, bounded."""
    line = ''.join(character if character.isprintable() else ' ' for character in text)
    return line if len(line) <= MAX_CHARACTERS else line[: MAX_CHARACTERS - 1] + '…'


def compact_json(text: str) -> str:
    """Return JSON text on one line, with characters beyond ASCII readable; other text as `plain` does."""
    try:
        return plain(json.dumps(json.loads(text), ensure_ascii=False))
    except ValueError:
        return plain(text)


def print_json(value: Any) -> None:
    """Print a value as JSON for another program."""
    print(json.dumps(value, ensure_ascii=False, indent=2), flush=True)


def decoded(text: str) -> Any:
    """Return the value of JSON text, None for none, the text itself if it is not JSON."""
    if not text:
        return None
    try:
        return json.loads(text)
    except ValueError:
        return text


class ProgressView:
    """Feedback on stderr: a line for each new phase and one a second within it, and a moving bar on a terminal."""

    def __init__(self) -> None:
        self._console = Console(file=sys.stderr, highlight=False)
        title = TextColumn('{task.description}', markup=False)
        columns = (title, BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
        hidden = not self._console.is_terminal
        self._bar = Progress(*columns, console=self._console, transient=True, disable=hidden)
        self._task = self._bar.add_task('waiting', total=1.0)
        self._last = ('', '')
        self._printed_at_s = 0.0

    def __enter__(self) -> ProgressView:
        """Start the bar."""
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove the bar."""
        self.stop()

    def start(self) -> None:
        """Show the bar."""
        self._bar.start()

    def stop(self) -> None:
        """Take the bar away, for as long as something else has the terminal."""
        self._bar.stop()

    def say(self, text: str) -> None:
        """Print one line."""
        self._console.print(plain(text), markup=False, soft_wrap=True)

    def show(self, title: str, text: str, progress: float) -> None:
        """Show what is being done. `progress` is 0 to 1."""
        line = plain(f'{title}  {text}'.rstrip())
        self._bar.update(self._task, description=line, completed=min(max(progress, 0.0), 1.0))
        now_s = time.monotonic()
        soon = title == self._last[0] and now_s - self._printed_at_s < LINE_PERIOD_S
        if line != self._last[1] and not soon:
            self._last, self._printed_at_s = (title, line), now_s
            self._console.print(f'{progress:4.0%}  {line}', markup=False, soft_wrap=True)
