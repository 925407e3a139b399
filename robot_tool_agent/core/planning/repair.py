"""
Mends the two slips in a model's JSON that can be mended in one way only: a code fence around it, a trailing comma.

Everything else is an error that goes back to the model: a guess could change what the robot does.
"""

from __future__ import annotations

import re
from typing import Any

from robot_tool_agent.core.skills.arguments import MAX_ARGUMENT_BYTES, parse_object

FENCE = 'code fence'
COMMA = 'trailing comma'
_FENCED = re.compile(r'\s*```[A-Za-z]*[ \t]*\n(?P<inside>.*?)\n?[ \t]*```\s*', re.DOTALL)
_BLANKS = ' \t\r\n'


def read_object(text: str) -> tuple[dict[str, Any], tuple[str, ...]]:
    """
    Return the JSON object in a text and what had to be mended to read it.

    Raise ValueError as `parse_object` does, with the fault of the text as it came, if mending does not make it sound.
    """
    try:
        return parse_object(text), ()
    except ValueError:
        if len(text) > MAX_ARGUMENT_BYTES:
            raise
        mended, repairs = _mend(text)
        if not repairs:
            raise
        try:
            return parse_object(mended), repairs
        except ValueError:
            pass
        raise


def _mend(text: str) -> tuple[str, tuple[str, ...]]:
    repairs = []
    fenced = _FENCED.fullmatch(text)
    if fenced is not None and '```' not in fenced['inside']:
        text = fenced['inside']
        repairs.append(FENCE)
    shorter = _without_trailing_commas(text)
    if shorter != text:
        repairs.append(COMMA)
    return shorter, tuple(repairs)


def _without_trailing_commas(text: str) -> str:
    """Drop each comma outside strings that follows a value and is followed by a closing bracket."""
    kept: list[str] = []
    in_string = escaped = False
    for char in text:
        if not in_string and char in '}]':
            _drop_comma(kept)
        kept.append(char)
        if in_string:
            in_string = escaped or char != '"'
            escaped = char == '\\' and not escaped
        else:
            in_string = char == '"'
    return ''.join(kept)


def _drop_comma(kept: list[str]) -> None:
    place = _last(kept, len(kept))
    if place < 0 or kept[place] != ',':
        return
    before = _last(kept, place)
    if before >= 0 and kept[before] not in ',:[{':
        del kept[place]


def _last(kept: list[str], end: int) -> int:
    """Return the place of the last character before `end` that is no blank, -1 if there is none."""
    place = end - 1
    while place >= 0 and kept[place] in _BLANKS:
        place -= 1
    return place
