"""Messages that no driver should send: every field of any ROS message filled with what a field of its kind can hold."""

from __future__ import annotations

from importlib import import_module
from random import Random
import re
from typing import Any

HUGE = 1.7e308
FLOAT32_MAX = 3.4e38
TEXTS = ('', '', '', 'odom', 'map', 'base_scan', 'normal', 'approach', 'gripper_joint', 'cup_1', 'safety', 'planner')
TEXTS += ('/', ' ', '\n\x1b[2J', 'ä漢\u202e', '{"a": 1}', '../../etc', '%s%n', 'x' * 100_000)
LENGTHS = (0, 0, 1, 1, 2, 3, 36, 360, 5000)
_ARRAY = re.compile(r'^(.+)\[(\d+)\]$')
_SEQUENCE = re.compile(r'^sequence<(.+?)(?:, \d+)?>$')
_INTEGER = re.compile(r'^(u?)int(\d+)$')


def hostile(kind: type, random: Random) -> Any:
    """Return a message of a class with hostile values in all of its fields."""
    fields = kind.get_fields_and_field_types()  # type: ignore[attr-defined]
    return kind(**{name: value_of(type_name, random) for name, type_name in fields.items()})


def value_of(type_name: str, random: Random) -> Any:
    """Return a value for a field, by the name of its type (`double`, `sequence<float>`, `std_msgs/Header`)."""
    array, sequence = _ARRAY.match(type_name), _SEQUENCE.match(type_name)
    if array:
        return _many(array[1], int(array[2]), random)
    if sequence:
        simple = '/' not in sequence[1] and sequence[1] != 'string'
        return _many(sequence[1], random.choice(LENGTHS if simple else LENGTHS[:6]), random)
    if '/' in type_name:
        package, name = type_name.split('/')
        return hostile(getattr(import_module(f'{package}.msg'), name), random)
    return _scalar(type_name, random)


def _many(type_name: str, length: int, random: Random) -> list[Any]:
    # A few values repeated: drawing thousands would take the time of many messages.
    some = [value_of(type_name, random) for _ in range(min(length, 6))]
    return [some[place % len(some)] for place in range(length)]


def _scalar(type_name: str, random: Random) -> Any:
    if type_name in ('double', 'float'):
        huge = HUGE if type_name == 'double' else FLOAT32_MAX
        odd = (float('nan'), float('inf'), -float('inf'), huge, -huge, 0.0, -0.0, 1e-30, 1.0, -1.0, 0.5)
        return random.choice(odd)
    if type_name == 'boolean':
        return random.choice((False, True))
    if type_name == 'string':
        return random.choice(TEXTS)
    return _integer(type_name, random)


def _integer(type_name: str, random: Random) -> Any:
    match = _INTEGER.match(type_name)
    if match is None:  # octet, char
        return bytes([random.randrange(256)]) if type_name == 'octet' else random.randrange(128)
    bits = int(match[2])
    low, high = (0, 2**bits - 1) if match[1] else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    return random.choice((low, high, 0, 1, 2, 99, high // 2, max(low, -1)))
