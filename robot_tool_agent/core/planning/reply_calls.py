"""The calls of one reply, run in the order in which the model gave them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable
from typing import Any

from robot_tool_agent.core.outcomes import ErrorCode
from robot_tool_agent.core.planning.calls import PlannedCall, SkillResult
from robot_tool_agent.core.planning.endings import error_code

NOT_SENT = {'sent': False, 'message': 'not sent: an earlier call of the reply failed'}
Answer = Callable[[str, dict[str, Any]], None]


class ReplyCalls:
    """Hands out the calls in order, the next one only after the one before succeeded. `answer` tells the model."""

    def __init__(self, calls: Iterable[PlannedCall], answer: Answer) -> None:
        self.correction: tuple[ErrorCode, str] | None = None
        self._waiting = deque(calls)
        self._answer = answer

    def next_ready(self, running: Collection[PlannedCall]) -> list[PlannedCall]:
        """Return the call that may start now, if there is one."""
        return [] if running or not self._waiting else [self._waiting.popleft()]

    def ended(self, call: PlannedCall, result: SkillResult) -> None:
        """Tell the model how the call ended; after a failure the rest of the reply is not sent."""
        self._answer(call.ref, result.as_data())
        if result.succeeded:
            return
        while self._waiting:
            self._answer(self._waiting.popleft().ref, NOT_SENT)
        if result.asks_for_correction:
            self.correction = (error_code(result.error_code) or ErrorCode.EXECUTION_ERROR, result.message)

    def drop(self) -> None:
        """Give up what has not started."""
        self._waiting.clear()
