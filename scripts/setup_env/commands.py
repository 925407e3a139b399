"""Run one slow command with its output in a log file and its progress on the display."""

from collections.abc import Callable, Sequence
import contextlib
import os
from pathlib import Path
import re
import signal
import subprocess

from checks import SetupError
from display import StepDisplay
import layout

POLL_S = 0.2
GRACE_S = 3.0
TAIL_LINES = 12
Progress = Callable[[str], tuple[int, int, str]]

_NINJA = re.compile(r'^\[(\d+)/(\d+)\]', re.MULTILINE)


def build_progress(text: str) -> tuple[int, int, str]:
    """Parts done, parts in all and what goes on, read from the output of ninja."""
    steps = _NINJA.findall(text)
    return (int(steps[-1][0]), int(steps[-1][1]), 'compiling') if steps else (0, 0, 'generating')


def pip_progress(expected: int) -> Progress:
    """Progress reader for a pip run that collects about `expected` packages."""

    def read(text: str) -> tuple[int, int, str]:
        count = min(text.count('\nCollecting ') + text.startswith('Collecting '), expected)
        if '\nInstalling collected packages' in text:
            return expected, expected, 'installing'
        return count, expected, 'downloading'

    return read


def run(
    command: Sequence[str | Path], log_name: str, env: dict[str, str], show: StepDisplay, progress: Progress
) -> None:
    """Run `command` in the project folder; raises `SetupError` with the end of the log when it fails."""
    layout.LOGS.mkdir(parents=True, exist_ok=True)
    log = layout.LOGS / log_name
    with log.open('w') as output:
        child = subprocess.Popen(
            [str(word) for word in command],
            cwd=layout.ROOT, env=env, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
            start_new_session=True,
            close_fds=False,  # an orphan must hold the lock of the set-up for as long as it writes
        )
        code = _wait(child, log, show, progress)
    if code != 0:
        raise SetupError(_failure(code, log))


def _wait(child: 'subprocess.Popen[bytes]', log: Path, show: StepDisplay, progress: Progress) -> int:
    try:
        while True:
            try:
                return child.wait(timeout=POLL_S)
            except subprocess.TimeoutExpired:
                show.update(*progress(log.read_text(errors='replace')))
    finally:
        if child.returncode is None:
            _end(child)


def _end(child: 'subprocess.Popen[bytes]') -> None:
    """End the command and all it started; they share a process group of their own."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(timeout=GRACE_S)


def _failure(code: int, log: Path) -> str:
    tail = log.read_text(errors='replace').splitlines()[-TAIL_LINES:]
    lines = [f'  | {line}' for line in tail]
    return '\n'.join([f"setup: '{log.stem}' failed (exit code {code}); its last lines:", *lines, f'whole log: {log}'])
