"""Run the steps that are due, one set-up at a time in this folder."""

from collections.abc import Iterator
import contextlib
import fcntl
import os
import signal
import sys
import time

from checks import check_machine, SetupError
from display import clock, StepDisplay
import layout
from stamps import Stamps, UNFINISHED
from steps import all_steps


@contextlib.contextmanager
def _only_one() -> Iterator[None]:
    with (layout.ROOT / '.setup.lock').open('w') as lock:
        os.set_inheritable(lock.fileno(), True)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print('setup: another set-up runs in this folder; waiting for it', flush=True)
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _run_due() -> None:
    stamps = Stamps(layout.VENV / 'setup_stamps.json')
    due = [step for step in all_steps() if not step.is_done(stamps)]
    if not due:
        return
    check_machine()
    started_s = time.monotonic()
    for number, step in enumerate(due, start=1):
        unfinished = stamps.mark_of(step.name) == UNFINISHED
        stamps.begin(step.name)
        with StepDisplay(number, len(due), step.title) as show:
            step.action(show, unfinished)
        stamps.complete(step.name, step.digest)
    print(f'set-up finished in {clock(time.monotonic() - started_s)}', flush=True)


def _stop(signal_number: int, frame: object) -> None:
    raise KeyboardInterrupt


def main() -> int:
    """Run every step that is due; returns the exit code."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _stop)
    try:
        with _only_one():
            _run_due()
    except SetupError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print('setup: interrupted; run the same command again to go on', file=sys.stderr)
        return 130
    except OSError as error:
        print(f'setup: {error}', file=sys.stderr)
        return 1
    return 0
