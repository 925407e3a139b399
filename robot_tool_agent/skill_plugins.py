"""Skills of other packages, found through the entry-point group `robot_tool_agent.skills`."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import Any

from robot_tool_agent.core.skills.base import Skill

GROUP = 'robot_tool_agent.skills'


class PluginError(Exception):
    """An entry point that gives no skill class. One line for every fault."""


def plugin_skills() -> list[type[Skill[Any]]]:
    """Return the skill classes that installed packages offer. Raise PluginError with each that cannot be loaded."""
    classes: list[type[Skill[Any]]] = []
    faults: list[str] = []
    for point in entry_points(group=GROUP):
        try:
            loaded = point.load()
        except Exception as error:  # whatever a foreign module raises at import is a fault of that module
            faults.append(f'{GROUP}: {point.name} = {point.value}: {type(error).__name__}: {error}')
            continue
        if isinstance(loaded, type) and issubclass(loaded, Skill):
            classes.append(loaded)
        else:
            faults.append(f'{GROUP}: {point.name} = {point.value}: is no subclass of Skill')
    if faults:
        raise PluginError('\n'.join(faults))
    return classes
