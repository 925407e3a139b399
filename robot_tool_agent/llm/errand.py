"""How the rule-based planner carries out wishes: generators that yield calls and are sent their results."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
import math
from typing import Any

from robot_tool_agent.core.outcomes import Advice
from robot_tool_agent.core.planning.conversation import ToolSpec
from robot_tool_agent.llm.phrases import say
from robot_tool_agent.llm.vocabulary import matching, Places
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

Json = dict[str, Any]
Want = tuple[str, Json]
Steps = Generator[Want, Json, None]
Found = Generator[Want, Json, Json]
NEAR_M = 1.3
TRIES = 2
_HOME_WORDS = ('dock', 'home', 'safe place', 'safe pose', 'safe position', 'safe spot', 'charger', '充电座', '家')


class GaveUp(Exception):
    """An errand ends here. The text says why, for the one who asked."""


@dataclass
class Errand:
    """Carries out wishes for one instruction. `done` collects what was reached, in words."""

    tools: Mapping[str, ToolSpec]
    chinese: bool
    done: list[str] = field(default_factory=list)
    at: str = ''
    holding: str = ''

    def __post_init__(self) -> None:
        self.places = Places(self.tools.get('navigate_to'))
        self.surfaces = Places(self.tools.get('place'))

    def run(self, wish: Wish) -> Steps:
        """Return the steps of one wish."""
        if isinstance(wish, GoTo):
            return self._go_to(wish.place)
        if isinstance(wish, Visit):
            return self._visit(wish.kind)
        if isinstance(wish, Square):
            return self._square(wish.side_m)
        if isinstance(wish, Fetch):
            return self._fetch(wish)
        if isinstance(wish, PutDown):
            return self._put_down(wish.place)
        return self._simple(wish)

    def question(self, wish: Wish) -> str:
        """Return what must be asked before anything is done for a wish, empty if nothing."""
        target = wish.target if isinstance(wish, Fetch) else wish.place if isinstance(wish, PutDown) else ''
        if isinstance(wish, Visit) and not self.places.of_kind(wish.kind):
            return self._say('no_place', place=wish.kind, names=', '.join(self.places.names))
        source = wish.source if isinstance(wish, Fetch) else wish.place if isinstance(wish, GoTo) else ''
        if source and self.places.find(source) is None and not (isinstance(wish, GoTo) and means_home(source)):
            return self._say('no_place', place=source, names=', '.join(self.places.names))
        if target and self.surfaces.find(target) is None:
            key = 'no_surface' if self.places.find(target) else 'no_place'
            return self._say(key, place=target, names=', '.join(self.surfaces.names))
        return ''

    def _say(self, key: str, **values: object) -> str:
        return say(self.chinese, key, **values)

    def _done(self) -> str:
        return '; '.join(self.done) or self._say('nothing')

    def _call(self, tool: str, arguments: Json) -> Found:
        """Yield a call until it succeeded; once more where that is harmless and may help."""
        if tool not in self.tools:
            raise GaveUp(self._say('no_tool', tool=tool, done=self._done()))
        result: Json = {}
        for _ in range(TRIES):
            result = yield tool, arguments
            if result.get('outcome') == 'SUCCEEDED':
                return result
            if not self._may_repeat(tool, result):
                break
        code, message = result.get('error_code', ''), result.get('message', '')
        raise GaveUp(self._say('call_failed', tool=tool, code=code, message=message, done=self._done()))

    def _may_repeat(self, tool: str, result: Json) -> bool:
        harmless = self.tools[tool].idempotent or result.get('effect') == 'NONE'
        return harmless and result.get('advice') in (Advice.RETRY.value, Advice.WAIT.value)

    def _go_to(self, words: str) -> Steps:
        place = self.places.find(words)
        if place is None and means_home(words):
            yield from self._go_home()
            return
        yield from self._call('navigate_to', {'place': place or words})
        self.at = place or words
        self.done.append(self._say('at', place=self.at))

    def _visit(self, kind: str) -> Steps:
        for place in self.places.of_kind(kind):
            yield from self._go_to(place)

    def _square(self, side_m: float) -> Steps:
        for _ in range(4):
            yield from self._simple(Move(side_m))
            yield from self._simple(Turn(math.pi / 2))

    def _go_home(self) -> Steps:
        yield from self._call('go_to_safe_pose', {})
        self.at = ''
        self.done.append(self._say('home'))

    def _fetch(self, wish: Fetch) -> Steps:
        if self.holding != wish.object:
            found = yield from self._find(wish)
            yield from self._call('pick', {'object': str(found['id'])})
            self.holding = wish.object
            self.done.append(self._say('picked', thing=wish.object))
        if wish.target:
            yield from self._put_down(wish.target)

    def _find(self, wish: Fetch) -> Found:
        """Look where the object should be, else here, then at every surface, until it is seen near enough to pick."""
        looked: list[str] = []
        source = self.places.find(wish.source) if wish.source else None
        if source is not None:
            yield from self._go_to(source)
        found = yield from self._look_for(wish.object, looked)
        settled = source in self.surfaces.names
        for place in () if settled else self.surfaces.names:
            if found is not None and _near(found):
                break
            if place in looked:
                continue
            yield from self._go_to(place)
            found = (yield from self._look_for(wish.object, looked)) or None
        if found is None or not (settled or _near(found)):
            places = ', '.join(looked)
            raise GaveUp(self._say('not_found', thing=wish.object, places=places, done=self._done()))
        return found

    def _look_for(self, thing: str, looked: list[str]) -> Generator[Want, Json, Json | None]:
        result = yield from self._call('look', {})
        looked.append(self.at or self._say('here'))
        seen = matching(result.get('result', {}).get('objects'), thing)
        return seen[0] if seen else None

    def _put_down(self, words: str) -> Steps:
        place = self.surfaces.find(words or self.at)
        if place is None:
            raise GaveUp(self._say('where_to', names=', '.join(self.surfaces.names), done=self._done()))
        if self.at != place:
            yield from self._go_to(place)
        yield from self._call('place', {'place': place})
        thing, self.holding = self.holding or self._say('it'), ''
        self.done.append(self._say('placed', thing=thing, place=place))

    def _simple(self, wish: Wish) -> Steps:
        if isinstance(wish, GoHome):
            yield from self._go_home()
        elif isinstance(wish, Move):
            self.at = ''
            yield from self._measured('move_relative', 'distance_m', wish.distance_m, 'moved', 1.0)
        elif isinstance(wish, Turn):
            self.at = ''
            yield from self._measured('rotate_relative', 'angle_rad', wish.angle_rad, 'turned', 180.0 / math.pi)
        elif isinstance(wish, Wait):
            yield from self._measured('wait', 'duration_s', wish.duration_s, 'waited', 1.0)
        elif isinstance(wish, LookAround):
            result = yield from self._call('look', {})
            self.done.append(self._sight(result.get('result', {}).get('objects')))
        elif isinstance(wish, TellState):
            result = yield from self._call('get_robot_state', {})
            self.done.append(self._say('state', text=_state_text(result)))

    def _measured(self, tool: str, key: str, value: float, phrase: str, scale: float) -> Steps:
        yield from self._call(tool, {key: value})
        self.done.append(self._say(phrase, value=round(value * scale, 3)))

    def _sight(self, objects: Any) -> str:
        rows = [item for item in objects if isinstance(item, dict)] if isinstance(objects, list) else []
        things = ', '.join(f'{item.get("id")} ({item.get("label")})' for item in rows)
        return self._say('sees', things=things) if things else self._say('sees_nothing')


def means_home(words: str) -> bool:
    """Tell whether the words mean a safe pose rather than a named place."""
    text = ' '.join(words.casefold().split())
    return text in _HOME_WORDS or any(text == f'{article} {word}' for article in ('a', 'the') for word in _HOME_WORDS)


def _near(found: Json) -> bool:
    distance_m = found.get('distance_m')
    return not isinstance(distance_m, int | float) or distance_m <= NEAR_M


def _state_text(result: Json) -> str:
    pose = result.get('result', {}).get('pose')
    text = str(result.get('message', ''))
    if not isinstance(pose, dict):
        return text
    return f'{text}; x {pose.get("x_m")} m, y {pose.get("y_m")} m, yaw {pose.get("yaw_rad")} rad'
