"""Reads the lines of a scripted model from a JSON file, so that a planner process can be given a model's mistakes."""

from __future__ import annotations

from collections.abc import Callable
import json
from pathlib import Path
import threading
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from robot_tool_agent.core.planning.conversation import ModelReply, ModelRequest
from robot_tool_agent.llm.provider import RetryLater, UseAnotherProvider
from robot_tool_agent.llm.scripted import calls, Line, ScriptedProvider


class _ScriptCall(BaseModel):
    model_config = ConfigDict(extra='forbid', strict=True)

    name: str
    arguments: dict[str, Any] | str = Field(default_factory=dict)


class _ScriptLine(BaseModel):
    """One turn: calls and text, or a failure, after a silence of `silent_s` seconds."""

    model_config = ConfigDict(extra='forbid', strict=True)

    text: str = ''
    calls: list[_ScriptCall] = Field(default_factory=list)
    truncated: bool = False
    fails: Annotated[str, Field(pattern='^(retry|stop)?$')] = ''
    silent_s: float = Field(default=0.0, ge=0.0, le=3600.0)


_LINES = TypeAdapter(list[_ScriptLine])


def read_script(path: str) -> ScriptedProvider:
    """Return a provider that speaks the lines of a JSON file. Raise ValueError with the fault if it cannot be used."""
    try:
        lines = _LINES.validate_python(json.loads(Path(path).read_text(encoding='utf-8')))
    except OSError as error:
        raise ValueError(f'{path}: cannot be read: {error.strerror or error}') from None
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        place = '.'.join(str(part) for part in fault['loc'])
        raise ValueError(f'{path}: {place}: {fault["msg"]}') from None
    except ValueError as error:
        raise ValueError(f'{path}: not valid JSON: {error}') from None
    return ScriptedProvider([_speak(line) for line in lines])


def _speak(line: _ScriptLine) -> Line:
    reply = calls(*((call.name, call.arguments) for call in line.calls))
    reply = ModelReply(line.text, reply.calls, truncated=line.truncated)
    failure = {'retry': RetryLater('told to fail'), 'stop': UseAnotherProvider('told to fail')}.get(line.fails)
    if not line.silent_s:
        return failure or reply
    return _after_silence(line.silent_s, failure, reply)


def _after_silence(
    silent_s: float, failure: Exception | None, reply: ModelReply
) -> Callable[[ModelRequest], ModelReply]:
    def speak(request: ModelRequest) -> ModelReply:
        threading.Event().wait(silent_s)
        if failure is not None:
            raise failure
        return reply

    return speak
