"""When, where and on which commit figures were made."""

from __future__ import annotations

from datetime import datetime, timezone
import os
from pathlib import Path
import platform
import subprocess
from typing import Any


def circumstances(took_s: float) -> dict[str, Any]:
    """Return commit, date (UTC), machine and duration (s) as keys of recorded figures."""
    return {
        'commit': _commit(),
        'date': datetime.now(timezone.utc).strftime('%Y-%m-%d'),
        'machine': f'{os.cpu_count()} cores {platform.machine()}, Python {platform.python_version()}',
        'took_s': round(took_s, 1),
    }


def sentence(command: str, figures: dict[str, Any]) -> str:
    """Return one sentence that says how these figures came about."""
    return (
        f'Written by `{command}` on {figures["date"]} at {figures["commit"][:7] or "an unknown commit"}, '
        f'in {figures["took_s"] / 60.0:.1f} minutes on {figures["machine"]}.'
    )


def _commit() -> str:
    """Return the commit of the source tree, empty where there is none."""
    command = ['git', '-C', str(Path(__file__).resolve().parent), 'rev-parse', 'HEAD']
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=10.0, check=True).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ''
