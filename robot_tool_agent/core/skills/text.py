"""Text that came from outside, made safe to quote."""

from __future__ import annotations

MAX_CHARS = 64


def clean(text: str, max_chars: int = MAX_CHARS) -> str:
    """Return printable characters only, of bounded length: labels are data from sensors."""
    printable = ''.join(char if char.isprintable() else ' ' for char in text[: 4 * max_chars])
    return ' '.join(printable.split())[:max_chars]
