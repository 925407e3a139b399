"""A person is asked through the client: the form, and what its answer means."""

from __future__ import annotations

import json
from typing import Any

import mcp_types as types
from robot_tool_agent.core.planning.untrusted import clean_text, clean_value
from robot_tool_agent.mcp_server.running import Question

MAX_ARGUMENTS_CHARS = 600
MAX_NAME_CHARS = 60
APPROVE = {'type': 'boolean', 'title': 'Approve', 'description': 'true: the robot may do it; false: it may not'}
SCHEMA: dict[str, Any] = {'type': 'object', 'properties': {'approve': APPROVE}, 'required': ['approve']}


def form(question: Question) -> types.ElicitRequest:
    """Return the request that puts a question to the person at the client."""
    return types.ElicitRequest(params=types.ElicitRequestFormParams(message=text(question), requested_schema=SCHEMA))


def text(question: Question) -> str:
    """Return the question in words; what came from a caller is bounded and stands in quotes."""
    arguments = clean_text(json.dumps(clean_value(_object(question)), ensure_ascii=False), MAX_ARGUMENTS_CHARS)
    return (
        f'The robot is asked to run {clean_text(question.skill, 64)} with {arguments}. '
        f'It needs approval: {clean_text(question.reason, 200)}. '
        f'No answer within {question.timeout_s:.0f} s is a no. Call {question.call_id}.'
    )


def _object(question: Question) -> Any:
    try:
        return json.loads(question.arguments_json)
    except (ValueError, RecursionError):
        return question.arguments_json


def verdict(answer: types.ElicitResult | None) -> bool | None:
    """Return what the person decided: yes, no, or None for a form that was dismissed. Only a clear yes is a yes."""
    if answer is None or answer.action == 'cancel':
        return None
    return answer.action == 'accept' and (answer.content or {}).get('approve') is True


def how_to_approve(question: Question) -> str:
    """Return what to do where the client cannot ask."""
    return f'waiting for approval ({clean_text(question.reason, 200)}): rta approve {question.call_id}, or rta deny'


def operator_name(client: types.Implementation | None) -> str:
    """Return the name under which an answer through a client is kept."""
    name = clean_text(client.name, MAX_NAME_CHARS) if client is not None else ''
    return f'person at MCP client {name or "without a name"}'
