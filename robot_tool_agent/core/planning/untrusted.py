"""Text from models, labels and results: bounded, without control characters, fenced as data."""

from __future__ import annotations

import json
from typing import Any
import unicodedata

MAX_TEXT = 400
MAX_ITEMS = 40
MAX_DEPTH = 6
MAX_DATA = 6000
MAX_TURN = 20_000
# Default_Ignorable_Code_Point of the Unicode Character Database outside category C, and the blank Braille pattern.
_INVISIBLE = (
    (0x034F, 0x034F),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x2800, 0x2800),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFFA0, 0xFFA0),
    (0xE0100, 0xE01EF),
)
FENCE_OPEN = '<data>'
FENCE_CLOSE = '</data>'


def clean_text(text: str, limit: int = MAX_TEXT) -> str:
    """
    Return `text` on one line, without control, format or surrogate characters, at most `limit` characters.

    Categories are those of the Unicode Character Database: all of C are dropped, and with them marks of direction and
    of zero width; so are letters that show nothing. White space becomes a blank.
    """
    kept = ''.join(' ' if c.isspace() else c for c in text[: 4 * limit] if c.isspace() or not _hidden(c))
    line = ' '.join(kept.split())
    return line if len(line) <= limit else line[: limit - 1] + '…'


def storable(text: str) -> str:
    """
    Return `text` as one that any store and any wire takes, at most MAX_TURN characters.

    Control characters but line feed and tab, and lone surrogates, become U+FFFD, Unicode's replacement character.
    """
    return ''.join('\ufffd' if _unfit(c) else c for c in text[:MAX_TURN])


def _unfit(character: str) -> bool:
    return character not in '\n\t' and unicodedata.category(character) in ('Cc', 'Cs')


def _hidden(character: str) -> bool:
    code = ord(character)
    if unicodedata.category(character).startswith('C'):
        return True
    return code > 0x7F and any(first <= code <= last for first, last in _INVISIBLE)


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
