"""A conversation for a small model that knows no tool calls: one JSON object a turn, in a form the server enforces."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
import json
from typing import Any

from robot_tool_agent.core.planning.conversation import Message, ModelReply, ModelRequest, Role, ToolCall, ToolSpec

Schema = dict[str, Any]
MAX_ANSWER = 300
MAX_RESULT = 700
EXAMPLE_MARK = 'Example:'
# Keywords that servers turn into a grammar; what else a schema says is checked after the reply.
_KEPT = ('type', 'enum', 'const', 'required', 'additionalProperties', 'minLength', 'maxLength', 'minItems', 'maxItems')
_NESTED = ('items',)
_LISTS = ('anyOf', 'oneOf', 'allOf')
_MAPS = ('properties', '$defs')


def reply_schema(tools: Iterable[ToolSpec], must_call: bool) -> Schema:
    """Return the schema of one turn: a call of one of the tools, or an answer unless a call is wanted."""
    forms: list[Schema] = []
    shared: Schema = {}
    for tool in tools:
        arguments = _plain(tool.parameters)
        shared |= arguments.pop('$defs', {})
        forms.append(_closed({'tool': {'const': tool.name}, 'arguments': arguments}))
    if not (must_call and forms):
        forms.append(_closed({'answer': {'type': 'string', 'minLength': 1, 'maxLength': MAX_ANSWER}}))
    return {'anyOf': forms} | ({'$defs': shared} if shared else {})


def _closed(properties: Schema) -> Schema:
    return {'type': 'object', 'properties': properties, 'required': list(properties), 'additionalProperties': False}


def _plain(schema: Any) -> Any:
    """Return a schema with only what a grammar can hold a model to."""
    if not isinstance(schema, Mapping):
        return schema
    plain = {key: schema[key] for key in (*_KEPT, '$ref') if key in schema}
    plain |= {key: _plain(schema[key]) for key in _NESTED if key in schema}
    plain |= {key: [_plain(item) for item in schema[key]] for key in _LISTS if key in schema}
    plain |= {key: {name: _plain(item) for name, item in schema[key].items()} for key in _MAPS if key in schema}
    return plain


def dialogue(request: ModelRequest) -> tuple[Message, ...]:
    """Return the conversation as plain turns: the tools in the system turn, calls and results as JSON text."""
    turns = [_plain_turn(message) for message in request.messages]
    form = _form(request.tools)
    if turns and turns[0].role is Role.SYSTEM:
        return (replace(turns[0], text=f'{turns[0].text}\n{form}'), *turns[1:])
    return (Message(Role.SYSTEM, form), *turns)


def _plain_turn(message: Message) -> Message:
    if message.role is Role.TOOL:
        return Message(Role.USER, f'Result: {message.text[:MAX_RESULT]}')
    if message.role is not Role.ASSISTANT:
        return message
    calls = [f'{{"tool": {json.dumps(call.name)}, "arguments": {call.arguments_json}}}' for call in message.calls]
    return Message(Role.ASSISTANT, '\n'.join(calls) or json.dumps({'answer': message.text}, ensure_ascii=False))


def _form(tools: Iterable[ToolSpec]) -> str:
    lines = ['Reply with one JSON object: {"tool": name, "arguments": {...}} or {"answer": text}. The tools:']
    return '\n'.join([*lines, *(_tool_line(tool) for tool in tools)])


def _tool_line(tool: ToolSpec) -> str:
    """Return what a tool does, its valid values, and an example call; small models copy examples, not types."""
    summary = next((line.strip() for line in tool.description.splitlines() if line.strip()), '')
    fields = tool.parameters.get('properties', {})
    values = [f'{name}: {"|".join(map(str, field["enum"]))}' for name, field in fields.items() if 'enum' in field]
    example = f'{{"tool": "{tool.name}", "arguments": {_example(tool)}}}'
    return f'{tool.name}: {" ".join([summary, *values])} Example: {example}'


def _example(tool: ToolSpec) -> str:
    """Return the arguments that the description gives as an example, an empty object if it gives none."""
    for line in tool.description.splitlines():
        _, mark, text = line.partition(EXAMPLE_MARK)
        if mark:
            try:
                return json.dumps(json.JSONDecoder().raw_decode(text.strip())[0], ensure_ascii=False)
            except ValueError:
                continue
    return '{}'


def read(said: ModelReply) -> ModelReply:
    """Return the reply with its JSON text read as a call or an answer. Text of another form stays text."""
    try:
        data = json.loads(said.text)
    except ValueError:
        return said
    if isinstance(data, dict) and isinstance(data.get('tool'), str):
        arguments = json.dumps(data.get('arguments'), ensure_ascii=False)
        return replace(said, text='', calls=(ToolCall('call_0', data['tool'], arguments),))
    if isinstance(data, dict) and isinstance(data.get('answer'), str):
        return replace(said, text=data['answer'])
    return said
