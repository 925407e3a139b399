"""Finds the processes of one system among all others, by the setting that only they were started with."""

from __future__ import annotations

import os
from pathlib import Path
import time

POLL_S = 0.02


def processes_of(home: Path) -> dict[int, str]:
    """Return process id and command line of every living process that was started with ROS_HOME at `home`."""
    mark = b'ROS_HOME=' + os.fsencode(home)
    numbers = (int(path.name) for path in Path('/proc').iterdir() if path.name.isdigit())
    return {
        pid: b' '.join(_read(pid, 'cmdline')).decode(errors='replace')
        for pid in numbers
        if pid != os.getpid() and mark in _read(pid, 'environ')
    }


def wait_gone(home: Path, timeout_s: float) -> dict[int, str]:
    """Wait until no process of a system is left; return those that are at the deadline."""
    deadline_s = time.monotonic() + timeout_s
    while (left := processes_of(home)) and time.monotonic() < deadline_s:
        time.sleep(POLL_S)
    return left


def _read(pid: int, name: str) -> list[bytes]:
    """Return a list the kernel keeps of a process; empty for one that has ended or is another user's."""
    try:
        return Path(f'/proc/{pid}/{name}').read_bytes().split(b'\0')
    except OSError:
        return []
