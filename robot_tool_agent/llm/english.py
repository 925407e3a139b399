"""Plain English instructions: one clause, one wish."""

from __future__ import annotations

from collections.abc import Callable
import math
import re

from robot_tool_agent.llm.numbers_in_text import NUMBER, read_angle_rad, read_length_m, read_time_s
from robot_tool_agent.llm.wishes import (
    Fetch,
    GoHome,
    GoTo,
    LookAround,
    Move,
    PutDown,
    Square,
    TellState,
    Turn,
    Visit,
    Wait,
    Wish,
)

Match = re.Match[str]
Reading = Callable[[Match], Wish | None]

_POLITE = re.compile(r'^(?:please|now|robot|first|finally|also|can you|could you|would you|will you|kindly)[ ,]+')
_LENGTH = rf'(?:by |for )?(?P<n>{NUMBER}) ?(?P<unit>cm|centi(?:meter|metre)s?|m|(?:meter|metre)s?)'
_ANGLE = rf'(?P<n>{NUMBER}) ?(?P<unit>degrees?|deg|°|rad|radians?)?'
_DRIVE = r'(?:move|go|drive|roll)'
_FORWARD, _BACK = r'(?:forwards?|ahead|straight(?: ahead)?)', r'(?:back|backwards?)'
_TURN = r'(?:turn|rotate|spin)'
_CARRY = r'(?:bring|fetch|carry|take|move|get|deliver|put|place|set|transport|leave|drop)'
_PICK = r'(?:pick up|pick|grab|grasp|take|get|fetch|lift|collect)'
_ON = r'(?:over to|to|onto|on|into|in|at)'
_THING = r'(?:the |a |an |my |that |this |some )?(?P<thing>[\w-]+(?: [\w-]+){0,2}?)'
_NO_THING = frozenset(
    # Words that show that the pattern took more than a thing.
    re.findall(r'\w+', 'and at from in into it me of off on onto or that them then this to us you yourself')
)


def _move(sign: float) -> Reading:
    def read(match: Match) -> Wish | None:
        length_m = read_length_m(match['n'], match['unit'])
        return Move(sign * length_m) if length_m else None

    return read


def _square(match: Match) -> Wish | None:
    side_m = read_length_m(match['n'], match['unit']) if match['n'] else 1.0
    return Square(side_m) if side_m else None


def _turn(match: Match) -> Wish | None:
    found = match.groupdict()
    angle_rad = read_angle_rad(found['n'], found['unit'] or '') if found.get('n') else math.pi / 2
    return Turn(angle_rad if match['side'] == 'left' else -angle_rad) if angle_rad else None


def _wait(match: Match) -> Wish | None:
    time_s = read_time_s(match['n'], match['unit'])
    return Wait(time_s) if time_s else None


def _fetch(match: Match) -> Wish | None:
    found = match.groupdict()
    if _NO_THING & set(match['thing'].split()):
        return None
    return Fetch(match['thing'], found.get('source') or '', found.get('target') or '')


_RULES: tuple[tuple[str, Reading], ...] = (
    (rf'{_DRIVE}(?: {_FORWARD})? {_LENGTH}(?: {_FORWARD})?', _move(1.0)),
    (rf'(?:{_DRIVE} {_BACK}|back up|back|reverse) {_LENGTH}', _move(-1.0)),
    (rf'{_DRIVE} {_LENGTH} {_BACK}', _move(-1.0)),
    (rf'{_TURN}(?: to the)? (?P<side>left|right)(?:(?: by)? {_ANGLE})?', _turn),
    (rf'{_TURN}(?: by)? {_ANGLE}(?: to the)? (?P<side>left|right)', _turn),
    (rf'{_TURN} (?:around|round)|make a u-turn', lambda _: Turn(math.pi)),
    (rf'(?:wait|pause|stand still)(?: for)? (?P<n>{NUMBER}) ?(?P<unit>s|secs?|seconds?|mins?|minutes?)', _wait),
    (r'look|look around|scan(?: the room)?|what (?:do|can) you see|what is (?:here|there)', lambda _: LookAround()),
    (r'where are you(?: now)?|what is your (?:position|pose|state|status|location)|status', lambda _: TellState()),
    (r'(?:(?:go|come|drive|return|head)(?: back)? )?home|dock|return|come back|go back', lambda _: GoHome()),
    (
        r'(?:go|drive|navigate|move|head|walk|return|come|travel)(?: back| over)? (?:to|into) (?P<place>.+)',
        lambda match: GoTo(match['place']),
    ),
    (r'visit (?:all )?(?:of )?(?:the )?(?P<kind>\w+s)', lambda match: Visit(match['kind'])),
    (r'visit (?P<place>.+)', lambda match: GoTo(match['place'])),
    (rf'(?:draw|drive|trace|make|go in) a square(?: (?:of|with|with (?:a )?sides? of) {_LENGTH})?', _square),
    (r'(?:put|set|lay|place|drop|release) (?:(?:it|them)(?: down)?|down (?:it|the \w+))', lambda _: PutDown()),
    (rf'{_CARRY} (?:it|them)(?: down)?(?: back)? {_ON} (?P<place>.+)', lambda match: PutDown(match['place'])),
    (rf'{_CARRY} {_THING} from (?P<source>.+?) {_ON} (?P<target>.+)', _fetch),
    (rf'{_CARRY} {_THING} {_ON} (?P<target>.+?) from (?P<source>.+)', _fetch),
    (rf'{_PICK} {_THING}(?: up)? (?:from|off|in|at) (?P<source>.+)', _fetch),
    (rf'{_PICK} {_THING}(?: up)?', _fetch),
    (rf'{_CARRY} {_THING}(?: down)?(?: back)? {_ON} (?P<target>.+)', _fetch),
)
_COMPILED = tuple((re.compile(pattern), reading) for pattern, reading in _RULES)
_STRONG = re.compile(r'[;!\n]|\.(?=\s|$)|,?\s*\b(?:and then|then|after that|afterwards)\b,?')
_WEAK = re.compile(r',\s*(?:and\s+)?|\s+and\s+')


def split(text: str) -> list[str]:
    """Return the clauses of an instruction, in order."""
    clauses = [part.strip(' ,') for part in _STRONG.split(text.casefold())]
    return [finer for clause in clauses if clause for finer in _split_weakly(clause)]


def _split_weakly(clause: str) -> list[str]:
    """Split at `and` and commas only where every part is a wish of its own."""
    parts = [part.strip() for part in _WEAK.split(clause) if part.strip()]
    return parts if all(read(part) is not None for part in parts) else [clause]


def read(clause: str) -> Wish | None:
    """Return the wish of one clause, None if it is not understood."""
    text = ' '.join(clause.casefold().replace('’', "'").replace("what's", 'what is').split()).strip(' .,!?')
    while (shorter := _POLITE.sub('', text)) != text:
        text = shorter
    text = text.removesuffix(' please').strip(' ,')
    for pattern, reading in _COMPILED:
        match = pattern.fullmatch(text)
        wish = reading(match) if match else None
        if wish is not None:
            return wish
    return None
