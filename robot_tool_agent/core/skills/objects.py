"""Finds the object a caller means among those that are seen."""

from __future__ import annotations

from collections import Counter
import re

from robot_tool_agent.core.geometry import Point
from robot_tool_agent.core.outcomes import ErrorCode
from robot_tool_agent.core.samples import SeenObject
from robot_tool_agent.core.sensors import SensorView
from robot_tool_agent.core.skills.arguments import shorten
from robot_tool_agent.core.skills.base import Json, Refusal
from robot_tool_agent.core.skills.text import clean, MAX_CHARS

MAX_NAMED = 60
NAME = re.compile(r'[\w.:-]+( [\w.:-]+){0,2}')


def find_object(view: SensorView, wanted: str) -> SeenObject | Refusal:
    """Return the object with this id, or the only one with this label; else a refusal that lists what is seen."""
    seen = () if view.objects is None else view.objects.objects
    by_id = [item for item in seen if item.id == wanted]
    found = by_id or [item for item in seen if item.label.casefold() == wanted.strip().casefold()]
    if len(found) == 1:
        return found[0]
    expected = 'id of a seen object, or a label that only one has'
    details: Json = {'field': 'object', 'value': shorten(wanted), 'expected': expected}
    if found:
        ids = sorted(clean(item.id) for item in found)
        message = f'{len(found)} seen objects are called {shorten(wanted)}; send one id of: {", ".join(ids)}'
        return Refusal(ErrorCode.INVALID_ARGUMENT, message, {**details, 'valid_values': ids})
    valid = sorted({clean(name) for item in seen for name in (item.id, item.label)})
    names = ', '.join(valid) or 'nothing'
    message = f'no object {shorten(wanted)} is seen from here; seen: {names}. Go to where it is and look'
    return Refusal(ErrorCode.UNKNOWN_ENTITY, message, {**details, 'valid_values': valid})


def seen_names(view: SensorView, now_s: float) -> tuple[str, ...]:
    """
    Return the names by which `find_object` finds what is seen now: ids, and labels that only one object has.

    Empty if no recent detection is there, or if it shows more than MAX_NAMED. Names are text from a sensor and go into
    a schema that a model trusts: only what looks like a name, at most three words, is taken.
    """
    if view.objects is None or not view.is_fresh('detected_objects', now_s):
        return ()
    seen = view.objects.objects
    labels = Counter(item.label for item in seen)
    names = {item.id for item in seen} | {label for label, count in labels.items() if count == 1}
    usable = sorted(name for name in names if len(name) <= MAX_CHARS and NAME.fullmatch(name))
    return tuple(usable) if len(usable) <= MAX_NAMED else ()


def position_of(view: SensorView, object_id: str) -> Point | None:
    """Return where an object is seen in the map by the last detection, None if that does not show it."""
    for item in () if view.objects is None else view.objects.objects:
        if item.id == object_id:
            return item.position
    return None
