"""Text from models, labels and results: bounded, without control characters, fenced as data."""

from __future__ import annotations

import json
import unicodedata
from typing import Any

MAX_TEXT = 400
MAX_ITEMS = 40
MAX_DEPTH = 6
MAX_DATA = 6000
MAX_TURN = 20_000
FENCE_OPEN = '<data>'
FENCE_CLOSE = '</data>'


def clean_text(text: str, limit: int = MAX_TEXT) -> str:
    """Return `text` on one line, without control, format or surrogate characters, at most `limit` characters.

    Categories are those of the Unicode Character Database: all of C are dropped; white space becomes a blank.
    """
    kept = ''.join(' ' if c.isspace() else c for c in text[: 4 * limit] if c.isspace() or not _hidden(c))
    line = ' '.join(kept.split())
    return line if len(line) <= limit else line[: limit - 1] + '…'


def storable(text: str) -> str:
    """Return `text` as one that any store and any wire takes, at most MAX_TURN characters.

    Control characters but line feed and tab, and lone surrogates, become U+FFFD, Unicode's replacement character.
    """
    return ''.join('\ufffd' if _unfit(c) else c for c in text[:MAX_TURN])


def _unfit(character: str) -> bool:
    return character not in '\n\t' and unicodedata.category(character) in ('Cc', 'Cs')


def _hidden(character: str) -> bool:
    return unicodedata.category(character).startswith('C')


def clean_value(value: Any, depth: int = 0) -> Any:
    """Return a JSON value with every string cleaned, lists and objects cut to MAX_ITEMS, nesting cut at MAX_DEPTH."""
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, dict | list) and depth >= MAX_DEPTH:
        return '(nested too deep)'
    if isinstance(value, dict):
        items = list(value.items())[:MAX_ITEMS]
        return {clean_text(str(key), 64): clean_value(item, depth + 1) for key, item in items}
    if isinstance(value, list | tuple):
        return [clean_value(item, depth + 1) for item in value[:MAX_ITEMS]]
    return value


def fence(value: Any) -> str:
    """Return a JSON value as text between data marks. Nothing inside can close the marks: `<` is escaped."""
    text = json.dumps(clean_value(value), ensure_ascii=False)
    if len(text) > MAX_DATA:
        text = json.dumps({'cut_off': text[: MAX_DATA - 200]}, ensure_ascii=False)
    return FENCE_OPEN + text.replace('<', '\\u003c') + FENCE_CLOSE


def unfence(text: str) -> dict[str, Any]:
    """Return the JSON object between data marks, empty if there is none."""
    inner = text.removeprefix(FENCE_OPEN).removesuffix(FENCE_CLOSE)
    try:
        value = json.loads(inner)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
