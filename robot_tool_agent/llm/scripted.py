"""A model that says what it was told to say, for tests and rehearsals of failures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
import json
from typing import Any

from robot_tool_agent.core.planning.conversation import ModelReply, ModelRequest, ToolCall
from robot_tool_agent.llm.provider import UseAnotherProvider

Line = ModelReply | Exception | Callable[[ModelRequest], ModelReply]


class ScriptedProvider:
    """
    Answers request after request with the lines of a script and keeps what it was asked.

    A line is a reply, an exception to raise, or a function of the request. After the last line it raises.
    """

    name = 'scripted'

    def __init__(self, lines: Iterable[Line]) -> None:
        self._lines = list(lines)
        self.requests: list[ModelRequest] = []

    def complete(self, request: ModelRequest) -> ModelReply:
        """Return the next line of the script."""
        self.requests.append(request)
        if not self._lines:
            raise UseAnotherProvider('the script is over')
        line = self._lines.pop(0)
        if isinstance(line, Exception):
            raise line
        return line if isinstance(line, ModelReply) else line(request)


def says(text: str) -> ModelReply:
    """Return a reply of text alone."""
    return ModelReply(text)


def calls(*named: tuple[str, Mapping[str, Any] | str]) -> ModelReply:
    """Return a reply of calls: pairs of a name and arguments, as an object or as raw text."""
    made = (
        ToolCall(f'c{place}', name, given if isinstance(given, str) else json.dumps(dict(given)))
        for place, (name, given) in enumerate(named)
    )
    return ModelReply(calls=tuple(made))
