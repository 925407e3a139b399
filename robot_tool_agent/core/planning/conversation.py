"""What the planner and a model say to each other, independent of any provider's wire format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

# An argument of this name says that the skill lasts as long as its caller wants.
DURATION = 'duration_s'


class Role(str, Enum):
    """Who speaks."""

    SYSTEM = 'system'
    USER = 'user'
    ASSISTANT = 'assistant'
    TOOL = 'tool'


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call as the model wrote it, unchecked. `ref` pairs it with its result, as chat protocols want."""

    ref: str
    name: str
    arguments_json: str


@dataclass(frozen=True, slots=True)
class Message:
    """One turn. `calls` only in ASSISTANT turns, `ref` only in TOOL turns."""

    role: Role
    text: str
    calls: tuple[ToolCall, ...] = ()
    ref: str = ''


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """
    One tool: a skill as described by the executor, or a tool of the planner's own.

    `parameters` is the JSON schema of its arguments; `rules` is a schema that no provider is given and that every call
    must fit as well. `sensed` names arguments whose enum holds what sensors have shown so far: the world may show more
    later.
    """

    name: str
    description: str
    parameters: Mapping[str, Any]
    reads_only: bool
    idempotent: bool
    resources: frozenset[str]
    timeout_s: float
    sensed: frozenset[str] = frozenset()
    rules: Mapping[str, Any] = field(default_factory=dict)

    @property
    def lets_time_pass(self) -> bool:
        """Tell whether the skill lasts as long as its caller wants."""
        return DURATION in self.parameters.get('properties', {})

    @property
    def later_parameters(self) -> Mapping[str, Any]:
        """Return the schema for a later call: arguments of `sensed` may name what no sensor has shown yet."""
        properties = dict(self.parameters.get('properties', {}))
        for name in self.sensed & properties.keys():
            properties[name] = {key: item for key, item in properties[name].items() if key != 'enum'}
        return {**self.parameters, 'properties': properties} if self.sensed else self.parameters


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """
    Everything a provider needs for one reply. The provider must answer or fail within `timeout_s` seconds.

    `must_call`: the reply has to hold a tool call; a provider that can force that does so, others may ignore it.
    """

    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...]
    timeout_s: float
    max_output_tokens: int
    must_call: bool = False


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one request; zero where a provider does not count."""

    input_tokens: int = 0
    output_tokens: int = 0

    @property
    def total(self) -> int:
        """Both together."""
        return self.input_tokens + self.output_tokens


@dataclass(frozen=True, slots=True)
class ModelReply:
    """A model's turn: calls, or a final text, or both. `truncated`: the output hit its limit, so it is not whole."""

    text: str = ''
    calls: tuple[ToolCall, ...] = ()
    usage: Usage = field(default_factory=Usage)
    truncated: bool = False

    def message(self) -> Message:
        """Return the reply as a turn of the conversation."""
        return Message(Role.ASSISTANT, self.text, self.calls)


class FailureKind(str, Enum):
    """Why no reply came."""

    RATE_LIMITED = 'rate_limited'
    TIMEOUT = 'timeout'
    UNREACHABLE = 'unreachable'
    SERVER_ERROR = 'server_error'
    UNREADABLE = 'unreadable'
    NOT_ALLOWED = 'not_allowed'
    NOT_FOUND = 'not_found'
    QUOTA = 'quota'
    REFUSED = 'refused'
    TOO_LONG = 'too_long'
    BAD_REQUEST = 'bad_request'
    INTERNAL = 'internal'


@dataclass(frozen=True, slots=True)
class ModelFailure:
    """No reply came. `retry`: the same request may be sent again, after `retry_after_s` seconds at the earliest."""

    reason: str
    retry: bool
    retry_after_s: float = 0.0
    kind: FailureKind = FailureKind.INTERNAL
