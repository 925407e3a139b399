"""The end of a skill call as the result of an MCP tool call."""

from __future__ import annotations

from dataclasses import dataclass, field
import json
from typing import Any

from robot_tool_agent.core.outcomes import Advice, Effect, ErrorCode, Outcome
from robot_tool_agent.core.planning.untrusted import clean_text, clean_value

Json = dict[str, Any]
CALL_ID_KEY = 'robot-tool-agent/call_id'
MAX_DATA_CHARS = 8000
MAX_MESSAGE_CHARS = 1000

OUTPUT_SCHEMA: Json = {
    'type': 'object',
    'properties': {
        'call_id': {'type': 'string', 'description': 'idempotency key of the call; the same key never moves it twice'},
        'outcome': {'type': 'string', 'enum': [item.name for item in Outcome], 'description': 'why the call ended'},
        'effect': {'type': 'string', 'enum': [item.name for item in Effect], 'description': 'what it did to the world'},
        'error_code': {'type': 'string', 'enum': ['', *(item.value for item in ErrorCode)]},
        'message': {'type': 'string'},
        'advice': {'type': 'string', 'enum': ['', *(item.value for item in Advice)], 'description': 'what to do next'},
        'replayed': {'type': 'boolean', 'description': 'the stored end of an earlier call: nothing moved for this one'},
        'attempts': {'type': 'integer', 'minimum': 0},
        'result': {'type': 'object', 'description': 'what the skill returns'},
        'evidence': {'type': 'object', 'description': 'what the sensors showed'},
    },
    'required': ['call_id', 'outcome', 'effect', 'error_code', 'message', 'advice', 'replayed'],
}


@dataclass(frozen=True, slots=True)
class SkillEnd:
    """Content of one ExecuteSkill result."""

    outcome: Outcome
    effect: Effect
    error: ErrorCode | None = None
    message: str = ''
    result: Json = field(default_factory=dict)
    evidence: Json = field(default_factory=dict)
    replayed: bool = False
    attempts: int = 0


def unknown_end(message: str) -> SkillEnd:
    """Return the end of a call that may have moved something and whose end will not be told."""
    return SkillEnd(Outcome.UNKNOWN, Effect.UNKNOWN, ErrorCode.RESTARTED, message)


def canceled_unsent() -> SkillEnd:
    """Return the end of a call that was cancelled before the executor had it."""
    return SkillEnd(Outcome.CANCELED, Effect.NONE, ErrorCode.CANCELED, 'canceled before the executor had it')


def refusal(error: ErrorCode, message: str) -> SkillEnd:
    """Return the end of a call that is not sent at all."""
    return SkillEnd(Outcome.REJECTED, Effect.NONE, error, message)


def read_end(  # the fields of the action's result
    outcome: int, effect: int, error_code: str, message: str, result_json: str, evidence_json: str, **flags: Any
) -> SkillEnd:
    """Return an action's result as a value; one that breaks the contract is an unknown end. Never raises."""
    try:
        error = ErrorCode(error_code) if error_code else None
        texts = (_object(result_json), _object(evidence_json))
        return SkillEnd(Outcome(outcome), Effect(effect), error, message, *texts, **flags)
    except (ValueError, RecursionError) as fault:
        return unknown_end(f'unreadable result of the executor: {fault}')


def _object(text: str) -> Json:
    value = json.loads(text, parse_constant=str) if text else {}
    if not isinstance(value, dict):
        raise ValueError('not a JSON object')
    return value


def structured(call_id: str, end: SkillEnd) -> Json:
    """Return the structured content, as OUTPUT_SCHEMA has it. Texts are bounded and without control characters."""
    return {
        'call_id': clean_text(call_id, 128),
        'outcome': end.outcome.name,
        'effect': end.effect.name,
        'error_code': end.error.value if end.error else '',
        'message': clean_text(end.message, MAX_MESSAGE_CHARS),
        'advice': end.error.advice.value if end.error else '',
        'replayed': end.replayed,
        'attempts': end.attempts,
        'result': bounded(end.result),
        'evidence': bounded(end.evidence),
    }


def bounded(value: Json) -> Json:
    """Return an object with clean strings and of at most MAX_DATA_CHARS characters; a longer one is cut off as text."""
    clean: Json = clean_value(value)
    text = json.dumps(clean, ensure_ascii=False)
    return clean if len(text) <= MAX_DATA_CHARS else {'cut_off': text[: MAX_DATA_CHARS - 200]}


def tool_result(call_id: str, end: SkillEnd, hint: str = '') -> Json:
    """
    Return the result in the form of the wire (MCP `CallToolResult`). It is an error unless the call SUCCEEDED.

    `hint` is one more sentence for the reader of the text.
    """
    content = structured(call_id, end)
    lines = [sentence(content), *([hint] if hint else []), json.dumps(content, ensure_ascii=False)]
    return {
        'content': [{'type': 'text', 'text': '\n'.join(lines)}],
        'structuredContent': content,
        'isError': end.outcome is not Outcome.SUCCEEDED,
        '_meta': {CALL_ID_KEY: content['call_id']},
    }


def sentence(content: Json) -> str:
    """Return the end of a call in one line."""
    code = f' {content["error_code"]}, advice {content["advice"]}' if content['error_code'] else ''
    replayed = ' (replayed: nothing moved for this call)' if content['replayed'] else ''
    return f'{content["outcome"]}, effect {content["effect"]}{code}{replayed}. {content["message"]}'.rstrip()
