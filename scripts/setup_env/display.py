"""Progress on the terminal: one live line where there is a terminal, plain lines elsewhere."""

import sys
import time
from types import TracebackType

BAR_WIDTH = 24
PLAIN_PERIOD_S = 20.0
SPINNER = '|/-\\'


def clock(seconds: float) -> str:
    """Duration as m:ss."""
    return f'{int(seconds) // 60}:{int(seconds) % 60:02d}'


class StepDisplay:
    """Shows one step: `with StepDisplay(2, 4, "building") as show: show.update(3, 10, "compiling")`."""

    def __init__(self, number: int, total: int, title: str) -> None:
        self._head = f'[{number}/{total}] {title}'
        self._live = sys.stdout.isatty()
        self._started_s = self._drawn_s = time.monotonic()
        self._turn = 0

    def __enter__(self) -> 'StepDisplay':
        if not self._live:
            print(f'{self._head} ...', flush=True)
        return self

    def update(self, done: int, total: int, detail: str) -> None:
        """Show that `done` of `total` parts are done; a `total` of 0 means that nobody can tell."""
        now_s = time.monotonic()
        if self._live:
            self._draw(done, total, detail, now_s)
        elif now_s - self._drawn_s >= PLAIN_PERIOD_S:
            self._drawn_s = now_s
            count = f' {done}/{total}' if total else ''
            print(f'{self._head}: {detail}{count}, {clock(now_s - self._started_s)}', flush=True)

    def _draw(self, done: int, total: int, detail: str, now_s: float) -> None:
        self._turn += 1
        filled = BAR_WIDTH * min(done, total) // total if total else 0
        bar = '#' * filled + '.' * (BAR_WIDTH - filled)
        count = f' {done}/{total}' if total else ''
        spin = SPINNER[self._turn % len(SPINNER)]
        line = f'{self._head} {spin} [{bar}]{count} {clock(now_s - self._started_s)} {detail}'
        sys.stdout.write(f'\r\033[K{line[:110]}')
        sys.stdout.flush()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        word = 'done' if kind is None else 'stopped'
        lead = '\r\033[K' if self._live else ''
        print(f'{lead}{self._head}: {word} in {clock(time.monotonic() - self._started_s)}', flush=True)
