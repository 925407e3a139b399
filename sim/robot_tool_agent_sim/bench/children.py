"""Processes that a measurement starts, each ended by its process id."""

from __future__ import annotations

from collections.abc import Sequence
import os
from pathlib import Path
import signal
import subprocess
import sys
from types import TracebackType

from robot_tool_agent_sim.bench.signals import held

END_TIMEOUT_S = 3.0
SHOWN_LINES = 20
_STARTED: list[Child] = []


class Child:
    """One Python module run as a node. Use it as a context manager; its output goes to a log file."""

    def __init__(self, module: str, domain_id: int, log: Path, arguments: Sequence[str] = ()) -> None:
        self._log = log
        environment = {
            **os.environ,
            'PYTHONUNBUFFERED': '1',
            'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST',
            'ROS_DOMAIN_ID': str(domain_id),
        }
        with held(), log.open('ab') as output:
            self._process = subprocess.Popen(
                [sys.executable, '-m', module, '--ros-args', *arguments],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=environment,
            )
            _STARTED.append(self)

    def __enter__(self) -> Child:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    def runs(self) -> bool:
        """Tell whether it has not ended."""
        return self._process.poll() is None

    def check(self) -> None:
        """Raise RuntimeError with the last lines of its log if it has ended."""
        if self._process.poll() is not None:
            lines = self._log.read_text(errors='replace').splitlines()[-SHOWN_LINES:]
            raise RuntimeError('\n'.join([f'{self._log.name}: ended with {self._process.returncode}', *lines]))

    def signal(self, number: signal.Signals) -> None:
        """Send a signal; nothing if it has ended."""
        if self._process.poll() is None:
            self._process.send_signal(number)

    def kill(self) -> None:
        """End it with SIGKILL and wait for that."""
        self.signal(signal.SIGKILL)
        self._process.wait(END_TIMEOUT_S)

    def end(self) -> None:
        """Ask it to end, so that it leaves the ROS graph; kill it if it does not."""
        self.signal(signal.SIGCONT)
        self.signal(signal.SIGTERM)
        try:
            self._process.wait(END_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self.kill()

    def cpu_s(self) -> float:
        """Return the processor time it has used so far, seconds (user and system, from /proc)."""
        fields = Path(f'/proc/{self.pid}/stat').read_text(encoding='utf-8').rpartition(')')[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')


def end_all() -> None:
    """End every process that was started and still runs."""
    for child in _STARTED:
        if child.runs():
            child.end()
    _STARTED.clear()


def parameters(**values: object) -> list[str]:
    """Return ROS arguments that set parameters."""
    return [part for name, value in values.items() for part in ('-p', f'{name}:={value}')]


def namespace(name: str) -> list[str]:
    """Return ROS arguments that put a node into a namespace."""
    return ['-r', f'__ns:=/{name}']
