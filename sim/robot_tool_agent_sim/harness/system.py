"""A running `rta up`: its lines, its processes, its end. Ends everything it started, by process id."""

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

from robot_tool_agent_sim.harness.processes import processes_of, wait_gone

READY_LINE = 'RTA READY'
UP = (sys.executable, '-m', 'robot_tool_agent.cli', 'up')
STOP_TIMEOUT_S = 20.0
KILL_TIMEOUT_S = 5.0
SHOWN_LINES = 50
_STARTED = re.compile(r'\[rta\] (\w+) started, pid (\d+)')


class RunningSystem:
    """
    One `rta up` in a session of its own, as a context manager.

    `home` becomes ROS_HOME, so the journal is private; it must belong to this system alone, because it is also the mark
    by which the system's processes are told from all others. `command` takes the place of
    `rta up`; what `extra` holds goes into the environment, paths of Python before those that are there. Waits raise
    TimeoutError with the last lines of output.
    """

    def __init__(
        self,
        domain_id: int,
        home: Path,
        options: Sequence[str] = (),
        command: Sequence[str] = UP,
        extra: Mapping[str, str] | None = None,
    ) -> None:
        self.domain_id = domain_id
        self.home = home.absolute()
        self.lines: list[str] = []
        self._changed = threading.Condition()
        self._process = subprocess.Popen(
            [*command, *options],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors='replace',
            start_new_session=True,
            env=self._environment(extra or {}),
        )
        self._reader = threading.Thread(target=self._read, name='system-output', daemon=True)
        self._reader.start()

    def _environment(self, extra: Mapping[str, str]) -> dict[str, str]:
        paths = [extra.get('PYTHONPATH', ''), os.environ.get('PYTHONPATH', '')]
        return {
            **os.environ,
            **extra,
            'PYTHONPATH': os.pathsep.join(filter(None, paths)),
            'PYTHONUNBUFFERED': '1',
            'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST',
            'ROS_DOMAIN_ID': str(self.domain_id),
            'ROS_HOME': str(self.home),
        }

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as stream:
            for line in stream:
                with self._changed:
                    self.lines.append(line.rstrip('\n'))
                    self._changed.notify_all()
        with self._changed:
            self._changed.notify_all()

    def __enter__(self) -> RunningSystem:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if self.exit_code is None:
                self.stop()
        finally:
            for pid in self.orphans():
                _signal(pid, signal.SIGKILL)

    @property
    def pid(self) -> int:
        """Process id of `rta up` itself."""
        return self._process.pid

    @property
    def exit_code(self) -> int | None:
        """Exit code, negative signal number, or None while it runs."""
        return self._process.poll()

    @property
    def journal_path(self) -> Path:
        """Where the executor keeps its journal."""
        return self.home / 'robot_tool_agent' / 'journal.sqlite3'

    def tail(self, count: int = SHOWN_LINES) -> str:
        """Return the last lines of output."""
        with self._changed:
            return '\n'.join(self.lines[-count:])

    def wait_ready(self, timeout_s: float = 45.0) -> None:
        """Wait until the system can take calls."""
        self.wait_lines(lambda lines: READY_LINE in lines, timeout_s, READY_LINE)

    def wait_lines(self, seen: Callable[[list[str]], bool], timeout_s: float, what: str) -> None:
        """Wait until the output satisfies a test; TimeoutError at the deadline or when the output ends before."""
        deadline_s = time.monotonic() + timeout_s
        with self._changed:
            while not seen(self.lines):
                left_s = deadline_s - time.monotonic()
                if left_s <= 0.0 or not self._reader.is_alive():
                    break
                self._changed.wait(min(left_s, 0.5))
            else:
                return
        ended = '' if self.exit_code is None else f' (ended with {self.exit_code})'
        raise TimeoutError(f'{what}: not within {timeout_s:g} s{ended}. Last lines:\n{self.tail()}')

    @property
    def launches(self) -> int:
        """How many processes were launched so far: `rta up`, and each node as often as it was started."""
        with self._changed:
            return 1 + sum(_STARTED.fullmatch(line) is not None for line in self.lines)

    def pids(self) -> dict[str, int]:
        """Return the newest process id of each node."""
        with self._changed:
            found = [_STARTED.fullmatch(line) for line in self.lines]
        return {match[1]: int(match[2]) for match in found if match}

    def pid_of(self, name: str) -> int:
        """Return the newest process id of a node. Raise KeyError if it was never started."""
        return self.pids()[name]

    def kill(self, name: str, number: signal.Signals = signal.SIGKILL) -> int:
        """Send a signal to a node and return the process id it had."""
        pid = self.pid_of(name)
        os.kill(pid, number)
        return pid

    def wait_restarted(self, name: str, old_pid: int, timeout_s: float = 15.0) -> int:
        """Wait until a node runs under another process id and return that."""
        self.wait_lines(lambda lines: self.pids().get(name, old_pid) != old_pid, timeout_s, f'restart of {name}')
        return self.pid_of(name)

    def stop(self, number: signal.Signals = signal.SIGINT, timeout_s: float = STOP_TIMEOUT_S) -> int:
        """Ask the system to end and return its exit code; one that does not end in time is killed."""
        _signal(self.pid, number)
        return self.wait_end(timeout_s)

    def wait_end(self, timeout_s: float = STOP_TIMEOUT_S) -> int:
        """Wait for the end and return the exit code; a system that does not end in time is killed."""
        try:
            code = self._process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            self._process.kill()
            code = self._process.wait(KILL_TIMEOUT_S)
        self._reader.join(KILL_TIMEOUT_S)
        return code

    def orphans(self) -> list[int]:
        """Return the processes of this system, `rta up` apart, that are alive."""
        return [pid for pid in processes_of(self.home) if pid != self.pid]

    def wait_no_orphans(self, timeout_s: float = 8.0) -> list[int]:
        """Wait until no process of this system is left, `rta up` included; return those that are at the deadline."""
        return list(wait_gone(self.home, timeout_s))


def _signal(pid: int, number: signal.Signals) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return
