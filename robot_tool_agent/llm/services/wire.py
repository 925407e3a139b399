"""Our conversation in the words of pydantic-ai and back. Arguments stay the text that the model wrote, unchecked."""

from __future__ import annotations

from collections.abc import Iterator
import json
import re
from typing import Any

from pydantic_ai.messages import (
    ModelMessage,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.messages import ModelRequest as RequestTurn
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.tools import ToolDefinition
from robot_tool_agent.core.planning.conversation import (
    Message,
    ModelReply,
    ModelRequest,
    Role,
    ToolCall,
    ToolSpec,
    Usage,
)

# What every provider takes as the name of a tool; a model may have called one that never existed.
_NOT_IN_A_NAME = re.compile(r'[^A-Za-z0-9_-]')
MAX_NAME = 64
_COMBINATORS = ('oneOf', 'anyOf', 'allOf')


def turns(messages: tuple[Message, ...], earlier: EarlierReplies) -> list[ModelMessage]:
    """Return the conversation; what is said between two replies of the model becomes one turn."""
    history: list[ModelMessage] = []
    names: dict[str, str] = {}
    for message in messages:
        if message.role is Role.ASSISTANT and not message.text and not message.calls:
            continue  # an empty turn is one that services refuse to hear again
        if message.role is Role.ASSISTANT:
            names = {call.ref: _name(call.name) for call in message.calls}
            history.append(earlier.find(message) or _reply_turn(message))
            continue
        part = _part(message, names)
        if history and isinstance(history[-1], RequestTurn):
            history[-1] = RequestTurn(parts=[*history[-1].parts, part])
        else:
            history.append(RequestTurn(parts=[part]))
    return history


def _part(message: Message, names: dict[str, str]) -> SystemPromptPart | UserPromptPart | ToolReturnPart:
    if message.role is Role.SYSTEM:
        return SystemPromptPart(message.text)
    if message.role is Role.TOOL:
        return ToolReturnPart(names.get(message.ref, 'unknown'), message.text, message.ref)
    return UserPromptPart(message.text)


def _reply_turn(message: Message) -> ModelResponse:
    calls = [ToolCallPart(_name(call.name), call.arguments_json, call.ref) for call in message.calls]
    text = [TextPart(message.text)] if message.text else []
    return ModelResponse(parts=[*text, *calls])


def _name(name: str) -> str:
    return _NOT_IN_A_NAME.sub('_', name)[:MAX_NAME] or 'unknown'


def parameters(request: ModelRequest, strict: bool) -> ModelRequestParameters:
    """
    Return the tools of a request.

    `strict` asks for calls that fit the schema where the schema is plain enough for that; without it each provider's
    own rule holds. A reply that has to be a call is forced where the model can be forced.
    """
    tools = [_tool(tool, strict) for tool in request.tools]
    return ModelRequestParameters(function_tools=tools, allow_text_output=not (request.must_call and tools))


def _tool(tool: ToolSpec, strict: bool) -> ToolDefinition:
    schema = dict(tool.parameters)
    plain = strict and not any(key in schema for key in _COMBINATORS)
    return ToolDefinition(
        name=tool.name, parameters_json_schema=schema, description=tool.description, strict=True if plain else None
    )


def reply(response: ModelResponse) -> ModelReply:
    """Return a response as our reply. Calls without a reference of their own, or with one used twice, get a new one."""
    text = '\n'.join(part.content for part in response.parts if isinstance(part, TextPart))
    calls = tuple(_calls(response))
    usage = Usage(response.usage.input_tokens, response.usage.output_tokens)
    return ModelReply(text, calls, usage, truncated=response.finish_reason == 'length')


def _calls(response: ModelResponse) -> Iterator[ToolCall]:
    used: set[str] = set()
    for place, part in enumerate(item for item in response.parts if isinstance(item, ToolCallPart)):
        ref = part.tool_call_id
        if not ref or ref in used:
            ref = f'call_{place}'
        used.add(ref)
        yield ToolCall(ref, part.tool_name, _text(part.args))


def _text(arguments: Any) -> str:
    if arguments is None:
        return '{}'
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)


class EarlierReplies:
    """
    The last responses as they came, so that a provider gets its own marks in them back (signatures of thoughts).

    In memory only: after a restart a conversation goes on without those marks.
    """

    def __init__(self, capacity: int = 64) -> None:
        self._capacity = capacity
        self._kept: dict[Message, ModelResponse] = {}

    def keep(self, said: ModelReply, response: ModelResponse) -> None:
        """Keep a response under what we took from it."""
        self._kept[said.message()] = response
        while len(self._kept) > self._capacity:
            del self._kept[next(iter(self._kept))]

    def find(self, message: Message) -> ModelResponse | None:
        """Return the response that this very turn came from, None if it is not known."""
        return self._kept.get(message)
