"""One supervised process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
import os
import signal
import subprocess
import sys

from robot_tool_agent.processes.output import LinePrinter


@dataclass(frozen=True, slots=True)
class ProcessPlan:
    """What to run: a Python module with `main() -> int`, its arguments, and whether it may come back."""

    name: str
    module: str
    arguments: tuple[str, ...]
    respawn: bool


class SupervisedProcess:
    """A started plan."""

    def __init__(self, plan: ProcessPlan, printer: LinePrinter, environment: Mapping[str, str]) -> None:
        command = [sys.executable, '-m', 'robot_tool_agent.processes.child', str(os.getpid()), plan.module]
        self.plan = plan
        # A session of its own: Ctrl-C reaches only the parent, which stops its children in order.
        self._process = subprocess.Popen(
            [*command, *plan.arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=dict(environment),
            text=True,
            errors='replace',
            start_new_session=True,
        )
        assert self._process.stdout is not None
        self._output = printer.follow(plan.name, self._process.stdout)

    @property
    def pid(self) -> int:
        """Process id."""
        return self._process.pid

    @property
    def exit_code(self) -> int | None:
        """Exit code, negative signal number, or None while it runs."""
        return self._process.poll()

    def send(self, number: signal.Signals) -> None:
        """Send a signal; a process that has ended gets none."""
        if self._process.poll() is None:
            self._process.send_signal(number)

    def finish_output(self, timeout_s: float) -> None:
        """Wait until the last lines were taken."""
        self._output.join(timeout_s)


def how_it_ended(exit_code: int) -> str:
    """Return an exit code as text for a person."""
    if exit_code >= 0:
        return f'exit code {exit_code}'
    return f'killed by {signal.Signals(-exit_code).name}'
