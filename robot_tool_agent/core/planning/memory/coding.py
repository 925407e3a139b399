"""Events and turns as JSON text, without loss: lone surrogates and NaN come back as they were."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
import json
from typing import Any

from robot_tool_agent.core.outcomes import Effect, ErrorCode, Outcome, TaskStatus
from robot_tool_agent.core.planning.calls import SkillResult
from robot_tool_agent.core.planning.conversation import Message, ModelReply, Role, ToolCall, Usage
from robot_tool_agent.core.planning.memory.events import CallDone, Event, ReplyTaken, Resumed, StopAsked, ToolsRead
from robot_tool_agent.core.planning.record import TaskEnd

Json = dict[str, Any]
Redact = Callable[[str], str]
KINDS: dict[type[Any], str] = {
    ToolsRead: 'tools',
    ReplyTaken: 'reply',
    CallDone: 'result',
    StopAsked: 'stop',
    Resumed: 'resumed',
}
TURN = 'turn'


def map_texts(value: Any, change: Redact) -> Any:
    """Return a JSON value with every text in it changed, names of fields too."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {change(str(key)): map_texts(item, change) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [map_texts(item, change) for item in value]
    return value


def encode(item: Event | Message, redact: Redact) -> str:
    """Return an event or a turn as text, secrets removed."""
    return json.dumps(map_texts(asdict(item), redact))


def decode(kind: str, text: str) -> Event:
    """Return the event of a kind. Raise ValueError if the text is not what `encode` writes."""
    try:
        data = json.loads(text)
        return _READERS[kind](data)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f'{kind}: {type(error).__name__} {error}') from None


def decode_turn(text: str) -> Message:
    """Return a turn. Raise ValueError if the text is not what `encode` writes."""
    try:
        data = json.loads(text)
        return Message(Role(data['role']), data['text'], _calls(data['calls']), data['ref'])
    except (KeyError, TypeError) as error:
        raise ValueError(f'turn: {type(error).__name__} {error}') from None


def _calls(rows: list[Json]) -> tuple[ToolCall, ...]:
    return tuple(ToolCall(**row) for row in rows)


def _reply(data: Json) -> ReplyTaken:
    reply: Json = data['reply']
    return ReplyTaken(ModelReply(**reply | {'calls': _calls(reply['calls']), 'usage': Usage(**reply['usage'])}))


def _result(data: Json) -> CallDone:
    row: Json = data['result']
    row |= {'outcome': Outcome(row['outcome']), 'effect': Effect(row['effect'])}
    return CallDone(data['call_id'], SkillResult(**row))


def _stop(data: Json) -> StopAsked:
    row: Json = data['end']
    row |= {'status': TaskStatus(row['status']), 'error': ErrorCode(row['error']) if row['error'] else None}
    return StopAsked(TaskEnd(**row))


_READERS: dict[str, Callable[[Json], Event]] = {
    'tools': lambda data: ToolsRead(**data),
    'reply': _reply,
    'result': _result,
    'stop': _stop,
    'resumed': lambda data: Resumed(),
}
