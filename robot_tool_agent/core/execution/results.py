"""Results stay small: bounded JSON with a mark where something was left out."""

from __future__ import annotations

import json
from typing import Any

MAX_JSON_CHARS = 8000
MAX_TEXT_CHARS = 400


def bounded_json(value: dict[str, Any], limit: int = MAX_JSON_CHARS) -> str:
    """Return compact JSON of at most `limit` characters; keys that did not fit are named under `truncated`."""
    text = _dump(value)
    if len(text) <= limit:
        return text
    kept: dict[str, Any] = {}
    dropped: list[str] = []
    for key, item in value.items():
        if len(_dump({**kept, key: item, 'truncated': [*dropped, *value]})) <= limit:
            kept[key] = item
        else:
            dropped.append(key)
    return _dump({**kept, 'truncated': dropped})


def bounded_text(text: str, limit: int = MAX_TEXT_CHARS) -> str:
    """Return printable text of at most `limit` characters, marked where it was cut."""
    clean = ''.join(char if char.isprintable() else ' ' for char in text)
    return clean if len(clean) <= limit else clean[: limit - 1] + '…'


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(',', ':'), allow_nan=False, default=str)
