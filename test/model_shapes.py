"""The shapes in which the services answer: a tool call, a text, a refusal, an error, each in the words of its API."""

from __future__ import annotations

import json
from typing import Any, Protocol

Call = tuple[str, str, dict[str, Any]]  # reference, name, arguments


class Shape(Protocol):
    """One API."""

    service: str
    path: str

    def reply(self, text: str = '', calls: tuple[Call, ...] = (), end: str = '') -> dict[str, Any]:
        """Return a reply of 7 input and 5 output tokens. `end`: cut (output limit), refused, or empty."""

    def error(self, status: int, message: str, code: str) -> dict[str, Any]:
        """Return the body of an error."""


class OpenAI:
    service, path = 'openai', '/v1/responses'

    def reply(self, text: str = '', calls: tuple[Call, ...] = (), end: str = '') -> dict[str, Any]:
        items: list[dict[str, Any]] = [
            {'type': 'function_call', 'id': f'fc_{ref}', 'call_id': ref, 'name': name, 'status': 'completed',
             'arguments': json.dumps(arguments)}
            for ref, name, arguments in calls
        ]
        part = {'type': 'refusal', 'refusal': text} if end == 'refused' else {
            'type': 'output_text', 'text': text, 'annotations': [], 'logprobs': []}
        if text:
            items.insert(0, {'type': 'message', 'id': 'msg_1', 'role': 'assistant', 'status': 'completed',
                             'content': [part]})
        usage = {'input_tokens': 7, 'input_tokens_details': {'cached_tokens': 0}, 'output_tokens': 5,
                 'output_tokens_details': {'reasoning_tokens': 0}, 'total_tokens': 12}
        cut = {'reason': 'max_output_tokens'} if end == 'cut' else None
        return {'id': 'resp_1', 'object': 'response', 'created_at': 1, 'model': 'm', 'output': items,
                'status': 'incomplete' if cut else 'completed', 'incomplete_details': cut, 'error': None,
                'parallel_tool_calls': True, 'tool_choice': 'auto', 'tools': [], 'usage': usage}

    def error(self, status: int, message: str, code: str) -> dict[str, Any]:
        return {'error': {'message': message, 'type': 'some_error', 'param': None, 'code': code}}


class Chat(OpenAI):
    service, path = 'compatible', '/v1/chat/completions'

    def reply(self, text: str = '', calls: tuple[Call, ...] = (), end: str = '') -> dict[str, Any]:
        message: dict[str, Any] = {'role': 'assistant', 'content': text or None}
        if end == 'refused':
            message |= {'content': None, 'refusal': text}
        if calls:
            message['tool_calls'] = [
                {'id': ref, 'type': 'function', 'function': {'name': name, 'arguments': json.dumps(arguments)}}
                for ref, name, arguments in calls
            ]
        reason = 'length' if end == 'cut' else 'tool_calls' if calls else 'stop'
        return {'id': 'c1', 'object': 'chat.completion', 'created': 1, 'model': 'm',
                'choices': [{'index': 0, 'message': message, 'finish_reason': reason}],
                'usage': {'prompt_tokens': 7, 'completion_tokens': 5, 'total_tokens': 12}}


class Anthropic:
    service, path = 'anthropic', '/v1/messages?beta=true'

    def reply(self, text: str = '', calls: tuple[Call, ...] = (), end: str = '') -> dict[str, Any]:
        content: list[dict[str, Any]] = [{'type': 'text', 'text': text}] if text else []
        content += [{'type': 'tool_use', 'id': ref, 'name': name, 'input': arguments} for ref, name, arguments in calls]
        reason = {'cut': 'max_tokens', 'refused': 'refusal'}.get(end, 'tool_use' if calls else 'end_turn')
        return {'id': 'msg_1', 'type': 'message', 'role': 'assistant', 'model': 'm', 'content': content,
                'stop_reason': reason, 'stop_sequence': None, 'usage': {'input_tokens': 7, 'output_tokens': 5}}

    def error(self, status: int, message: str, code: str) -> dict[str, Any]:
        return {'type': 'error', 'error': {'type': code, 'message': message}}


class Google:
    service, path = 'google', '/v1beta/models/m:generateContent'

    def reply(self, text: str = '', calls: tuple[Call, ...] = (), end: str = '') -> dict[str, Any]:
        parts: list[dict[str, Any]] = [{'text': text}] if text else []
        parts += [{'functionCall': {'id': ref, 'name': name, 'args': arguments}} for ref, name, arguments in calls]
        reason = {'cut': 'MAX_TOKENS', 'refused': 'SAFETY'}.get(end, 'STOP')
        return {'candidates': [{'content': {'role': 'model', 'parts': parts}, 'finishReason': reason, 'index': 0}],
                'usageMetadata': {'promptTokenCount': 7, 'candidatesTokenCount': 5, 'totalTokenCount': 12},
                'modelVersion': 'm', 'responseId': 'r1'}

    def error(self, status: int, message: str, code: str) -> dict[str, Any]:
        return {'error': {'code': status, 'message': message, 'status': code}}


SHAPES: tuple[Shape, ...] = (OpenAI(), Chat(), Anthropic(), Google())
