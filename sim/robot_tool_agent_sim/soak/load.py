"""What a process holds, as the kernel tells it (proc(5)): memory, file descriptors, threads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

# What may be added in a run without being called a leak: allocators and interpreters settle late.
MEMORY_SLACK_MB, MEMORY_SLACK_SHARE = 12.0, 0.10
FILE_SLACK, THREAD_SLACK = 4, 3


@dataclass(frozen=True, slots=True)
class Load:
    """Resident memory in MB (2**20 bytes), open file descriptors, threads."""

    memory_mb: float
    files: int
    threads: int


def load_of(pid: int, proc: Path = Path('/proc')) -> Load:
    """Return the load of a process. Raise OSError if it is gone."""
    lines = (line.split(':', 1) for line in (proc / str(pid) / 'status').read_text().splitlines() if ':' in line)
    fields = {name: value.split() for name, value in lines}
    files = sum(1 for _ in (proc / str(pid) / 'fd').iterdir())
    return Load(float(fields['VmRSS'][0]) / 1024.0, files, int(fields['Threads'][0]))


def growth(before: Mapping[str, Load], after: Mapping[str, Load]) -> list[str]:
    """Return a line for everything that grew by more than the slack, by process."""
    found = []
    for name, last in after.items():
        first = before[name]
        if last.memory_mb > first.memory_mb * (1.0 + MEMORY_SLACK_SHARE) + MEMORY_SLACK_MB:
            found.append(f'{name}: memory {first.memory_mb:.0f} to {last.memory_mb:.0f} MB')
        if last.files > first.files + FILE_SLACK:
            found.append(f'{name}: file descriptors {first.files} to {last.files}')
        if last.threads > first.threads + THREAD_SLACK:
            found.append(f'{name}: threads {first.threads} to {last.threads}')
    return found
