"""A process under test: its output line by line, its exit code, deadlines everywhere, ended by pid."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
import os
from pathlib import Path
import re
import signal
import subprocess
import sys
import threading
import time
from types import TracebackType

RTA = (sys.executable, '-m', 'robot_tool_agent.cli')


def wait_for(happened: Callable[[], object], timeout_s: float, what: str, said: Sequence[str] = ()) -> None:
    """Wait until something is true; fail at the deadline with `what` and the last lines that were said."""
    deadline_s = time.monotonic() + timeout_s
    while not happened():
        assert time.monotonic() < deadline_s, '\n'.join([f'not within {timeout_s} s: {what}', *said[-40:]])
        threading.Event().wait(0.01)


def gone(pid: int) -> bool:
    """Tell whether a process has ended; one that only waits to be reaped has."""
    try:
        return Path(f'/proc/{pid}/stat').read_text(encoding='utf-8').rpartition(')')[2].split()[0] == 'Z'
    except (FileNotFoundError, ProcessLookupError):
        return True


class RtaProcess:
    """A running command. As a context manager it ends the process, and every child it announced, whatever happens."""

    def __init__(self, command: Sequence[str], domain_id: int, environment: Mapping[str, str] | None = None) -> None:
        self._process = subprocess.Popen(
            list(command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={
                **os.environ,
                'PYTHONUNBUFFERED': '1',
                'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST',
                'ROS_DOMAIN_ID': str(domain_id),
                **(environment or {}),
            },
        )
        self.lines: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as stream:
            self.lines.extend(line.rstrip('\n') for line in stream)

    def __enter__(self) -> RtaProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process.poll() is None:
            self._process.terminate()
        try:
            self._process.wait(timeout=15.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(timeout=5.0)
        for pid in self.children().values():
            if not gone(pid):
                os.kill(pid, signal.SIGKILL)

    @property
    def pid(self) -> int:
        """Process id."""
        return self._process.pid

    def children(self) -> dict[str, int]:
        """Return the newest pid of each node that `rta up` announced."""
        found = (re.fullmatch(r'\[rta\] (\w+) started, pid (\d+)', line) for line in list(self.lines))
        return {match[1]: int(match[2]) for match in found if match}

    def send(self, number: signal.Signals) -> None:
        """Send a signal to the process itself."""
        self._process.send_signal(number)

    def wait_line(self, pattern: str, timeout_s: float = 30.0, count: int = 1) -> None:
        """Wait until `count` lines match a pattern as a whole."""

        def seen() -> bool:
            return sum(re.fullmatch(pattern, line) is not None for line in list(self.lines)) >= count

        wait_for(seen, timeout_s, f'{count} lines {pattern!r}', self.lines)

    def exit_code(self, timeout_s: float = 20.0) -> int:
        """Wait for the end and return the exit code; all output has been read then."""
        code = self._process.wait(timeout=timeout_s)
        self._reader.join(timeout=5.0)
        return code
