"""
Which idempotency key a tool call gets.

A client may choose it under `_meta`. Else it comes from the connection and the id of the JSON-RPC request, which a
client must not use twice (MCP, "Requests"): a frame that is sent again is the same call, and moves nothing twice.
"""

from __future__ import annotations

from collections.abc import Mapping
import hashlib
import re
from typing import Any

from robot_tool_agent.mcp_server.results import CALL_ID_KEY

# As in ExecuteSkill.action.
CALL_ID = re.compile(r'[A-Za-z0-9._:-]{1,128}')
SHORT = re.compile(r'[A-Za-z0-9._-]{1,40}')


def call_id_of(meta: Mapping[str, Any] | None, connection: str, request_id: int | str) -> str:
    """
    Return the key of a call. Raise ValueError for a chosen one that cannot be a key.

    `connection` names one connection of one server; `request_id` is the id of the JSON-RPC request on it.
    """
    chosen = (meta or {}).get(CALL_ID_KEY)
    if chosen is None:
        return f'{connection}:{_word(request_id)}'
    if not isinstance(chosen, str) or not CALL_ID.fullmatch(chosen):
        raise ValueError(f'_meta["{CALL_ID_KEY}"] must be 1 to 128 characters of letters, digits and . _ : -')
    return chosen


def _word(request_id: int | str) -> str:
    text = str(request_id)
    return text if SHORT.fullmatch(text) else hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:32]
