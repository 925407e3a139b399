"""The end of a process that a test started."""

from __future__ import annotations

from contextlib import suppress
import os
import signal
import subprocess

MEASURED = 'COVERAGE_PROCESS_CONFIG'
ASKED_S = 10.0


def end(process: subprocess.Popen[str]) -> None:
    """Kill a process by its pid. Where coverage is measured it is asked to end first: killed, it leaves no data."""
    if process.poll() is None:
        process.send_signal(signal.SIGCONT)
        if MEASURED in os.environ:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.communicate(timeout=ASKED_S)
        process.kill()
    process.communicate(timeout=10.0)
