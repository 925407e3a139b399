"""Commands of other packages, found through the entry-point group `robot_tool_agent.commands`."""

from __future__ import annotations

from importlib.metadata import entry_points
import sys
from typing import Any

GROUP = 'robot_tool_agent.commands'


def add_plugin_parsers(commands: Any) -> None:
    """Declare what installed packages offer; one that cannot be loaded is told and left out."""
    for point in sorted(entry_points(group=GROUP), key=lambda item: item.name):
        try:
            point.load().add_parser(commands)
        except Exception as error:  # whatever a foreign module raises, the other commands must work
            print(f'rta: command {point.name} = {point.value}: {type(error).__name__}: {error}', file=sys.stderr)
