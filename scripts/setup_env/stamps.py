"""Remember which steps are done, and for which input."""

from collections.abc import Iterable
import hashlib
import json
from pathlib import Path

UNFINISHED = 'unfinished'


def digest_of(words: Iterable[str], files: Iterable[Path] = ()) -> str:
    """SHA-256 over `words` and over name and content of `files`."""
    total = hashlib.sha256()
    for word in words:
        total.update(word.encode() + b'\0')
    for path in files:
        total.update(str(path).encode() + b'\0' + path.read_bytes() + b'\0')
    return total.hexdigest()


class Stamps:
    """One small JSON file; a step that was begun and not completed stays marked as unfinished."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def _read(self) -> dict[str, str]:
        try:
            marks = json.loads(self._path.read_text())
        except (OSError, ValueError):
            return {}
        return marks if isinstance(marks, dict) else {}

    def _write(self, step: str, mark: str) -> None:
        marks = {**self._read(), step: mark}
        self._path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self._path.with_suffix('.new')
        fresh.write_text(json.dumps(marks, indent=1))
        fresh.replace(self._path)

    def mark_of(self, step: str) -> str:
        """Digest under which `step` was completed, `UNFINISHED`, or empty when it never began."""
        return self._read().get(step, '')

    def begin(self, step: str) -> None:
        """Say that `step` runs now."""
        self._write(step, UNFINISHED)

    def complete(self, step: str, digest: str) -> None:
        """Say that `step` is done for the input `digest`."""
        self._write(step, digest)
