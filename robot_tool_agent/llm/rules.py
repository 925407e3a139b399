"""
The rule-based planner: a provider that needs no key and no network.

It behaves like a model: from the conversation so far it works out the next call, and it learns about the robot only
from the tools and the results in it. It keeps nothing between requests: the errand is replayed over those results.
"""

from __future__ import annotations

from collections.abc import Iterator
import json
from typing import Any

from robot_tool_agent.core.outcomes import Effect
from robot_tool_agent.core.planning.claims import ClaimKind
from robot_tool_agent.core.planning.conversation import Message, ModelReply, ModelRequest, Role, ToolCall
from robot_tool_agent.core.planning.planner_tools import OWN_NAMES
from robot_tool_agent.core.planning.untrusted import unfence
from robot_tool_agent.llm.errand import Errand, GaveUp, Json, Steps, Want
from robot_tool_agent.llm.instructions import is_chinese, understand
from robot_tool_agent.llm.phrases import say
from robot_tool_agent.llm.provider import UseAnotherProvider
from robot_tool_agent.llm.wishes import Wish


class RulesProvider:
    """Plain English and Chinese instructions, one call a turn."""

    name = 'rules'

    def complete(self, request: ModelRequest) -> ModelReply:
        """Return the next call, or a final text that begins with DONE, ANSWER, FAILED or QUESTION."""
        instruction = next((turn.text for turn in request.messages if turn.role is Role.USER), '')
        chinese = is_chinese(instruction)
        understood = understand(instruction)
        if understood.unclear or not understood.wishes:
            return _final(ClaimKind.QUESTION, say(chinese, 'unclear', clause=understood.unclear))
        errand = Errand({tool.name: tool for tool in request.tools}, chinese)
        question = next(filter(None, map(errand.question, understood.wishes)), '')
        if question:
            return _final(ClaimKind.QUESTION, question)
        return _next_turn(errand, understood.wishes, request.messages)


def _next_turn(errand: Errand, wishes: tuple[Wish, ...], messages: tuple[Message, ...]) -> ModelReply:
    past = _Past(messages, errand)
    number = 0
    try:
        for wish in wishes:
            steps = errand.run(wish)
            want = next(steps, None)
            while want is not None:
                result = past.result_of(want)
                if result is None:
                    return _call(number, want)
                number += 1
                want = _send(steps, result)
    except GaveUp as reason:
        return _final(ClaimKind.FAILED, str(reason))
    acted = any(not errand.tools[name].reads_only for name in _called(messages) if name in errand.tools)
    return _final(ClaimKind.DONE if acted else ClaimKind.ANSWER, '; '.join(errand.done))


def _send(steps: Steps, result: Json) -> Want | None:
    """Give a result to the steps of a wish and return the next call, None when the wish is done."""
    try:
        return steps.send(result)
    except StopIteration:
        return None


class _Past:
    """The calls made so far, each with its result. Some may be another model's, whose place this planner takes."""

    def __init__(self, messages: tuple[Message, ...], errand: Errand) -> None:
        answers = [turn for turn in messages if turn.role in (Role.ASSISTANT, Role.TOOL)]
        self._errand = errand
        self._left = list(_paired(answers))

    def result_of(self, want: Want) -> Json | None:
        """
        Return what came of a call, None if it was not made yet.

        Calls of another model are passed over where they changed nothing. Raise UseAnotherProvider after one that may
        have: what it left behind is not known here, and nothing must be done twice.
        """
        while self._left:
            call, result = self._left.pop(0)
            if (call.name, _parsed(call.arguments_json)) == want:
                return result
            if not self._changed_nothing(call, result):
                raise UseAnotherProvider(f'another model has begun with {call.name}; the rules cannot go on from there')
        return None

    def _changed_nothing(self, call: ToolCall, result: Json) -> bool:
        tool = self._errand.tools.get(call.name)
        reads = tool is not None and tool.reads_only and call.name not in OWN_NAMES
        return reads or result.get('sent') is False or result.get('effect') == Effect.NONE.name


def _paired(turns: list[Message]) -> Iterator[tuple[ToolCall, Json]]:
    """Pair calls and results; the result of a call is the next TOOL turn with its reference."""
    open_calls: dict[str, ToolCall] = {}
    for turn in turns:
        open_calls.update({call.ref: call for call in turn.calls})
        if turn.role is Role.TOOL and turn.ref in open_calls:
            yield open_calls.pop(turn.ref), unfence(turn.text)


def _parsed(arguments_json: str) -> Any:
    try:
        return json.loads(arguments_json)
    except ValueError:
        return None


def _called(messages: tuple[Message, ...]) -> Iterator[str]:
    return (call.name for turn in messages for call in turn.calls)


def _call(number: int, want: Want) -> ModelReply:
    name, arguments = want
    return ModelReply(calls=(ToolCall(f'call_{number}', name, json.dumps(arguments, ensure_ascii=False)),))


def _final(kind: ClaimKind, text: str) -> ModelReply:
    return ModelReply(f'{kind.value}: {text}')
