"""
From the bytes of one line to a JSON-RPC frame, stricter than a JSON parser need be.

What JSON leaves undefined (a key given twice, NaN, numbers too large) is refused: a robot must not act on the one of
two meanings that a parser happened to choose.
"""

from __future__ import annotations

from dataclasses import dataclass
import json
import math
from typing import Any

from robot_tool_agent.core.skills.arguments import nesting_depth

Json = dict[str, Any]
MAX_FRAME_BYTES = 1_000_000
MAX_DEPTH = 32
# Codes of JSON-RPC 2.0, section 5.1.
PARSE_ERROR, INVALID_REQUEST = -32700, -32600


@dataclass(frozen=True, slots=True)
class FrameFault:
    """A line that is no frame. `request_id` is that of the request it may have meant."""

    code: int
    message: str
    request_id: int | str | None = None

    def as_reply(self) -> Json:
        """Return the error response, JSON-RPC 2.0 section 5: the id is null where it could not be read."""
        return {'jsonrpc': '2.0', 'id': self.request_id, 'error': {'code': self.code, 'message': self.message}}


def parse_frame(line: bytes) -> Json | FrameFault:
    """Return the JSON object in a line, or why it is none. Never raises."""
    if len(line) > MAX_FRAME_BYTES:
        return too_long()
    try:
        text = line.decode('utf-8')
        if text.count('{') + text.count('[') > MAX_DEPTH and nesting_depth(text) > MAX_DEPTH:
            return FrameFault(INVALID_REQUEST, f'nested deeper than {MAX_DEPTH} levels')
        data = json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse, parse_float=_finite)
        json.dumps(data, ensure_ascii=False).encode('utf-8')  # a lone surrogate stands for no character
    except (ValueError, RecursionError) as error:
        return FrameFault(PARSE_ERROR, f'not a JSON frame: {type(error).__name__}')
    if not isinstance(data, dict):
        return FrameFault(INVALID_REQUEST, 'a frame is one JSON object; batches are not served')
    return data


def too_long() -> FrameFault:
    """Return the fault of a line that is longer than MAX_FRAME_BYTES."""
    return FrameFault(INVALID_REQUEST, f'longer than {MAX_FRAME_BYTES} bytes')


def not_a_message(data: Json) -> FrameFault:
    """Return the fault of an object that is no JSON-RPC message; it names the request where that can be read."""
    request_id = data.get('id')
    usable = isinstance(request_id, str | int) and not isinstance(request_id, bool)
    return FrameFault(INVALID_REQUEST, 'not a JSON-RPC 2.0 message', request_id if usable else None)


def _unique(pairs: list[tuple[str, Any]]) -> Json:
    data = dict(pairs)
    if len(data) != len(pairs):
        raise ValueError('a key is given twice')
    return data


def _refuse(name: str) -> Any:
    raise ValueError(f'{name} is not a JSON number')


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError('a number is too large')
    return value
