"""A model's call checked against its tool, and a call's end as the executor reports it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
import difflib
import json
from typing import Any

from robot_tool_agent.core.outcomes import Advice, Effect, ErrorCode, Outcome
from robot_tool_agent.core.planning.conversation import ToolCall, ToolSpec
from robot_tool_agent.core.planning.repair import read_object
from robot_tool_agent.core.planning.schema_check import ArgumentFault, check

Json = dict[str, Any]
ARGUMENTS_FORM = 'one JSON object, e.g. {"name": "value"}'


@dataclass(frozen=True, slots=True)
class PlannedCall:
    """A checked call: `call_id` is its idempotency key, `ref` the model's name for it, `repairs` what was mended."""

    call_id: str
    ref: str
    tool: ToolSpec
    arguments_json: str
    repairs: tuple[str, ...] = ()

    @property
    def fingerprint(self) -> str:
        """Equal for calls of one skill with the same arguments."""
        return f'{self.tool.name} {self.arguments_json}'


@dataclass(frozen=True, slots=True)
class CallFault:
    """Why a call is not sent, in words a model can act on."""

    error: ErrorCode
    message: str
    faults: tuple[ArgumentFault, ...] = ()
    valid: tuple[str, ...] = ()

    def as_data(self) -> Json:
        """Return code, reason, expected form, valid values and offending value as JSON."""
        rows = [fault.as_data() for fault in self.faults]
        data: Json = {'sent': False, 'error_code': self.error.value, 'advice': self.error.advice.value}
        data['message'] = self.message
        return data | ({'faults': rows} if rows else {}) | ({'valid_values': self.valid} if self.valid else {})


@dataclass(frozen=True, slots=True)
class SkillResult:
    """Content of one ExecuteSkill result."""

    outcome: Outcome
    effect: Effect = Effect.NONE
    error_code: str = ''
    message: str = ''
    advice: str = ''
    result: Json = field(default_factory=dict)
    evidence: Json = field(default_factory=dict)
    replayed: bool = False

    @property
    def succeeded(self) -> bool:
        """Tell whether sensors showed the goal state."""
        return self.outcome is Outcome.SUCCEEDED

    @property
    def asks_for_correction(self) -> bool:
        """Tell whether the executor refused the call for its arguments."""
        return self.outcome is Outcome.REJECTED and self.advice == Advice.FIX_ARGUMENTS.value

    @property
    def may_be_sent_again(self) -> bool:
        """Tell whether the call never started and only has to wait: the same call_id may be used again."""
        return self.outcome is Outcome.REJECTED and self.advice == Advice.WAIT.value

    @property
    def needs_person(self) -> bool:
        """Tell whether what happened is unknown, or the executor asks for an operator."""
        unknown = self.outcome is Outcome.UNKNOWN or self.effect is Effect.UNKNOWN
        return unknown or self.advice == Advice.ASK_OPERATOR.value

    def as_data(self) -> Json:
        """Return the result as JSON for a model."""
        data: Json = {'outcome': self.outcome.name, 'effect': self.effect.name, 'message': self.message}
        data |= {'error_code': self.error_code, 'advice': self.advice} if self.error_code else {}
        data |= {'replayed': True} if self.replayed else {}
        return data | {'result': self.result, 'evidence': self.evidence}


def check_call(call: ToolCall, call_id: str, tools: Mapping[str, ToolSpec]) -> PlannedCall | CallFault:
    """Return the call ready to be sent, or everything that is wrong with it."""
    tool = tools.get(call.name)
    if tool is None:
        close = difflib.get_close_matches(call.name[:100], tools, n=1)
        hint = f'; did you mean {close[0]}?' if close else ''
        fault = ArgumentFault('(name of the tool)', call.name[:64], 'name of a tool', tuple(tools))
        return CallFault(ErrorCode.UNKNOWN_SKILL, f'no tool {call.name[:64]!r}{hint}', (fault,), tuple(tools))
    try:
        arguments, repairs = read_object(call.arguments_json)
    except ValueError as error:
        fault = ArgumentFault('(whole text)', call.arguments_json[:80], ARGUMENTS_FORM)
        return CallFault(ErrorCode.INVALID_JSON, f'{tool.name}: {error}', (fault,))
    faults = tuple(check(arguments, tool.parameters) or check(arguments, tool.rules))
    if faults:
        text = '; '.join(f'{f.field or "arguments"}: {f.expected}' for f in faults)
        unseen = not check(arguments, tool.later_parameters) and not check(arguments, tool.rules)
        if unseen:
            text += '. What is not listed is not seen from here: go to where it is and look'
        code = ErrorCode.UNKNOWN_ENTITY if unseen else ErrorCode.INVALID_ARGUMENT
        return CallFault(code, f'{tool.name}: {text}', faults)
    return PlannedCall(call_id, call.ref, tool, canonical(arguments), repairs)


def canonical(arguments: Json) -> str:
    """Return arguments as the one text that equal arguments share."""
    return json.dumps(arguments, sort_keys=True, ensure_ascii=False)
