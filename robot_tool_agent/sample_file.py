"""A file of JSON lines that never grows beyond a size: the older half is forgotten."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

MAX_LINE_BYTES = 60_000


class SampleFile:
    """Lines go to `path`; once that holds half of `max_bytes` it becomes `path.1`, in place of the one before."""

    def __init__(self, path: Path, max_bytes: int) -> None:
        self.path = path
        self.older = path.with_name(f'{path.name}.1')
        self._half = max_bytes // 2

    def append(self, *samples: dict[str, Any]) -> None:
        """Write samples, each one line; one that is too long keeps its plain fields only. Raise OSError."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        for sample in samples:
            line = _line(sample)
            if self._size() + len(line) > self._half and self.path.exists():
                os.replace(self.path, self.older)
            with self.path.open('ab') as file:
                file.write(line)

    def _size(self) -> int:
        try:
            return self.path.stat().st_size
        except FileNotFoundError:
            return 0


def _line(sample: dict[str, Any]) -> bytes:
    text = json.dumps(sample)
    if len(text) > MAX_LINE_BYTES:
        plain = {key: value for key, value in sample.items() if not isinstance(value, dict | list)}
        short = {key: value[:1000] if isinstance(value, str) else value for key, value in plain.items()}
        text = json.dumps({**short, 'cut_off': text[: MAX_LINE_BYTES // 2]})
    return text.encode('ascii') + b'\n'
