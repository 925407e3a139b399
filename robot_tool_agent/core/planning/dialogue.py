"""The conversation of one task and its budgets: steps, tokens, corrections in a row."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from robot_tool_agent.core.planning.context_budget import fit, tokens_of_tools
from robot_tool_agent.core.planning.conversation import Message, ModelReply, ModelRequest, Role, ToolCall, ToolSpec
from robot_tool_agent.core.planning.limits import PlannerLimits
from robot_tool_agent.core.planning.prompt import opening
from robot_tool_agent.core.planning.record import TaskStore
from robot_tool_agent.core.planning.untrusted import fence, storable


class Dialogue:
    """Turns so far, each stored as it comes."""

    def __init__(self, task_id: str, instruction: str, limits: PlannerLimits, store: TaskStore) -> None:
        self.task_id = task_id
        self.step = 0
        self.tokens = 0
        self.corrections = 0
        self.llm_calls = 0
        self._limits = limits
        self._store = store
        self._turns = opening(instruction)
        store.begin(task_id, instruction)

    def spent(self) -> str:
        """Return which budget allows no further step, empty if there is none."""
        if self.step >= self._limits.max_steps:
            return f'max_steps = {self._limits.max_steps}'
        if self.tokens >= self._limits.max_task_tokens:
            return f'max_task_tokens = {self._limits.max_task_tokens}'
        return ''

    def request(self, tools: tuple[ToolSpec, ...]) -> ModelRequest:
        """Return the next request to the model."""
        self.llm_calls += 1
        limits = self._limits
        turns = self._fitting(tools)
        return ModelRequest(turns, tools, limits.llm_timeout_s, limits.max_output_tokens, must_call=True)

    def take_reply(self, reply: ModelReply) -> None:
        """Keep a reply as the next step."""
        self.step += 1
        self.tokens += reply.usage.total
        self._add(reply.message())

    def answer(self, ref: str, data: dict[str, Any]) -> None:
        """Keep what came of a call."""
        self._add(Message(Role.TOOL, fence(data), ref=ref))

    def correct(self, text: str) -> None:
        """Keep a remark on a reply that has no call to answer to."""
        self._add(Message(Role.USER, text))

    def count_correction(self) -> bool:
        """Count one faulty reply and tell whether the model may try again."""
        self.corrections += 1
        return self.corrections <= self._limits.max_corrections

    def _fitting(self, tools: tuple[ToolSpec, ...]) -> tuple[Message, ...]:
        """Return the turns within what the tools and the reply leave of the context."""
        limits = self._limits
        return fit(self._turns, limits.max_context_tokens - tokens_of_tools(tools) - limits.max_output_tokens)

    def _add(self, turn: Message) -> None:
        turn = _storable_turn(turn)
        self._turns.append(turn)
        self._store.add_turn(self.task_id, turn)


def _storable_turn(turn: Message) -> Message:
    """Return the turn with every text of it fit to be kept and to be sent to a model again."""
    calls = tuple(
        ToolCall(storable(call.ref), storable(call.name), storable(call.arguments_json)) for call in turn.calls
    )
    return replace(turn, text=storable(turn.text), calls=calls, ref=storable(turn.ref))
