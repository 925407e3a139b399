"""Numbers and units as people write them, English and Chinese."""

from __future__ import annotations

import math
import re

NUMBER = r'(?:\d+(?:\.\d+)?|half an?|an?|[a-z]+(?:-[a-z]+)?|[零一二两三四五六七八九十百半]+)'

_WORDS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve']
_TENS = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety']
_ENGLISH = {word: float(value) for value, word in enumerate(_WORDS)}
_ENGLISH |= {word: 10.0 * (place + 2) for place, word in enumerate(_TENS)}
_ENGLISH |= {'a': 1.0, 'an': 1.0, 'half a': 0.5, 'half an': 0.5, 'half': 0.5}
_DIGITS = {character: value for value, character in enumerate('零一二三四五六七八九')} | {'两': 2}

_METRES = {'': 1.0, 'm': 1.0, 'meter': 1.0, 'metre': 1.0, '米': 1.0, '公尺': 1.0}
_METRES |= {'cm': 0.01, 'centimeter': 0.01, 'centimetre': 0.01, '厘米': 0.01, '公分': 0.01}
_RADIANS = {'': math.pi / 180.0, 'degree': math.pi / 180.0, 'deg': math.pi / 180.0, '°': math.pi / 180.0}
_RADIANS |= {'度': math.pi / 180.0, 'radian': 1.0, 'rad': 1.0, '弧度': 1.0}
_SECONDS = {'second': 1.0, 'sec': 1.0, 's': 1.0, '秒': 1.0, '秒钟': 1.0, 'minute': 60.0, 'min': 60.0, '分钟': 60.0}


def read_number(text: str) -> float | None:
    """Return the value of a number in digits or words, None if it is none."""
    stripped = text.strip()
    if re.fullmatch(r'\d+(\.\d+)?', stripped):
        return float(stripped)
    if stripped in _ENGLISH:
        return _ENGLISH[stripped]
    tens, dash, ones = stripped.partition('-')
    if dash and tens in _TENS and ones in _WORDS[1:10]:
        return _ENGLISH[tens] + _ENGLISH[ones]
    return _read_chinese(stripped)


def _read_chinese(text: str) -> float | None:
    """Read Chinese numerals below 1000, and 半 for a half."""
    if text == '半':
        return 0.5
    if not text or any(c not in _DIGITS and c not in '十百' for c in text):
        return None
    total, digit = 0, 0
    for character in text:
        if character in _DIGITS:
            digit = _DIGITS[character]
        else:
            total += (digit or 1) * (10 if character == '十' else 100)
            digit = 0
    return float(total + digit)


def read_length_m(number: str, unit: str) -> float | None:
    """Return metres."""
    return _scaled(number, unit, _METRES)


def read_angle_rad(number: str, unit: str) -> float | None:
    """Return radians; a bare number is in degrees."""
    return _scaled(number, unit, _RADIANS)


def read_time_s(number: str, unit: str) -> float | None:
    """Return seconds."""
    return _scaled(number, unit, _SECONDS)


def _scaled(number: str, unit: str, units: dict[str, float]) -> float | None:
    value = read_number(number)
    name = unit.strip()
    factor = units.get(name, units.get(name.removesuffix('s')))
    return None if value is None or factor is None else value * factor
