"""What an instruction can ask for, as the rule-based planner understands it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GoTo:
    """Drive to a place, named as in the instruction."""

    place: str


@dataclass(frozen=True, slots=True)
class Visit:
    """Drive to every place of a kind, one after another: `corners` are corner_1, corner_2 and so on."""

    kind: str


@dataclass(frozen=True, slots=True)
class GoHome:
    """Drive to a safe pose."""


@dataclass(frozen=True, slots=True)
class Fetch:
    """Take an object and, where `target` is given, put it there. `source` is where it should be, empty if not said."""

    object: str
    source: str = ''
    target: str = ''


@dataclass(frozen=True, slots=True)
class PutDown:
    """Put what is held at a place; empty: where the robot is."""

    place: str = ''


@dataclass(frozen=True, slots=True)
class Move:
    """Drive straight, metres, negative is backwards."""

    distance_m: float


@dataclass(frozen=True, slots=True)
class Turn:
    """Turn in place, radians, positive is to the left."""

    angle_rad: float


@dataclass(frozen=True, slots=True)
class Square:
    """Drive along the four sides of a square, to the left, and end as it began."""

    side_m: float


@dataclass(frozen=True, slots=True)
class Wait:
    """Stand still for so many seconds."""

    duration_s: float


@dataclass(frozen=True, slots=True)
class LookAround:
    """Say what is seen."""


@dataclass(frozen=True, slots=True)
class TellState:
    """Say where the robot is and how it is."""


Wish = GoTo | Visit | GoHome | Fetch | PutDown | Move | Turn | Square | Wait | LookAround | TellState
