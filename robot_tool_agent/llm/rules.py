"""The rule-based planner: a provider that needs no key and no network.

It behaves like a model: from the conversation so far it works out the next call, and it learns about the robot only
from the tools and the results in it. It keeps nothing between requests: the errand is replayed over those results.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from robot_tool_agent.core.planning.claims import ClaimKind
from robot_tool_agent.core.planning.conversation import Message, ModelReply, ModelRequest, Role, ToolCall
from robot_tool_agent.core.planning.untrusted import unfence
from robot_tool_agent.llm.errand import Errand, GaveUp, Json, Steps, Want
from robot_tool_agent.llm.instructions import is_chinese, understand
from robot_tool_agent.llm.phrases import say
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
    results = _results(messages)
    number = 0
    try:
        for wish in wishes:
            steps = errand.run(wish)
            want = next(steps, None)
            while want is not None:
                result = next(results, None)
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


def _results(messages: tuple[Message, ...]) -> Iterator[Json]:
    return (unfence(turn.text) for turn in messages if turn.role is Role.TOOL)


def _called(messages: tuple[Message, ...]) -> Iterator[str]:
    return (call.name for turn in messages for call in turn.calls)


def _call(number: int, want: Want) -> ModelReply:
    name, arguments = want
    return ModelReply(calls=(ToolCall(f'call_{number}', name, json.dumps(arguments, ensure_ascii=False)),))


def _final(kind: ClaimKind, text: str) -> ModelReply:
    return ModelReply(f'{kind.value}: {text}')
