"""What happens, as it happens: one line an event, and on a terminal a live line below them."""

from __future__ import annotations

import time
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.text import Text

PLAIN_WIDTH = 120
# A bar that follows expected times must not say that an act is over before it is.
ALMOST_DONE = 0.97
_COLOURS = {'planner': 'cyan', 'executor': 'blue', 'safety': 'yellow', 'truth': 'green', 'demo': 'magenta'}


def terminal() -> Console:
    """Return a console for standard output, wide enough for the table where nobody says how wide it is."""
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=PLAIN_WIDTH)


class Timeline:
    """Prints events with their time. Use it as a context manager; the live line exists on a terminal only."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._began_s = time.monotonic()
        columns = (
            TextColumn('{task.description}', markup=False),
            BarColumn(bar_width=20),
            TimeElapsedColumn(),
            TextColumn('{task.fields[doing]}', markup=False),
        )
        self._bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._task: TaskID = self._bar.add_task('starting', total=1.0, doing='')
        self._since_s, self._expected_s = self._began_s, 1.0

    def __enter__(self) -> Timeline:
        """Start the live line."""
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove the live line."""
        self._bar.stop()

    def begin(self, title: str, expected_s: float, headline: str = '') -> None:
        """Start the bar anew for something that takes about `expected_s` seconds, under a headline if there is one."""
        self._since_s, self._expected_s = time.monotonic(), expected_s
        self._bar.reset(self._task, description=title, doing='')
        if headline:
            self._console.print(Text(f'\n{title}  {headline}', style='bold'))

    def say(self, who: str, text: str) -> None:
        """Print one event of a node, of the truth or of the demonstration itself."""
        line = Text(f'{time.monotonic() - self._began_s:6.1f} s  ', style='dim', no_wrap=True, overflow='ellipsis')
        line.append(f'{who:<9} ', style=_COLOURS.get(who, ''))
        line.append(text, style='default')
        self._console.print(line, soft_wrap=not self._console.is_terminal)

    def live(self, doing: str) -> None:
        """Show what is going on now."""
        share = (time.monotonic() - self._since_s) / self._expected_s
        self._bar.update(self._task, completed=min(share, ALMOST_DONE), doing=doing)
