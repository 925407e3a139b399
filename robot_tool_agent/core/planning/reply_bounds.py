"""A model may write a megabyte: what of a reply is read, and kept, is bounded."""

from __future__ import annotations

from dataclasses import replace

from robot_tool_agent.core.planning.conversation import ModelReply, ToolCall
from robot_tool_agent.core.planning.untrusted import MAX_TURN


def bounded(reply: ModelReply, max_calls: int) -> ModelReply:
    """
    Return the reply with at most `max_calls` calls and every text cut to MAX_TURN characters.

    A longer text is not valid as arguments either, and stays invalid when it is cut.
    """
    calls = tuple(_bounded(call) for call in reply.calls[:max_calls])
    return replace(reply, text=reply.text[:MAX_TURN], calls=calls)


def _bounded(call: ToolCall) -> ToolCall:
    return ToolCall(call.ref[:MAX_TURN], call.name[:MAX_TURN], call.arguments_json[:MAX_TURN])
