"""The calls of one reply, run in the order in which the model gave them, side by side where that changes nothing."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable
from typing import Any

from robot_tool_agent.core.outcomes import ErrorCode
from robot_tool_agent.core.planning.calls import PlannedCall, SkillResult
from robot_tool_agent.core.planning.endings import error_code
from robot_tool_agent.core.planning.side_by_side import fits, room

NOT_SENT = {'sent': False, 'message': 'not sent: an earlier call of the reply failed'}
Answer = Callable[[str, dict[str, Any]], None]


class ReplyCalls:
    """Hands out the calls in order; none overtakes another. `answer` tells the model what came of each."""

    def __init__(self, calls: Iterable[PlannedCall], answer: Answer, max_parallel: int) -> None:
        self.correction: tuple[ErrorCode, str] | None = None
        self._waiting = deque(calls)
        self._answer = answer
        self._max_parallel = max_parallel

    def next_ready(self, running: Collection[PlannedCall]) -> list[PlannedCall]:
        """Return the calls that may start now beside those that run."""
        started: list[PlannedCall] = []
        while self._waiting and room([*running, *started], self._max_parallel):
            if not fits(self._waiting[0], [*running, *started]):
                break
            started.append(self._waiting.popleft())
        return started

    def ended(self, call: PlannedCall, result: SkillResult) -> bool:
        """Tell the model how the call ended; after a failure the rest of the reply is not sent."""
        self._answer(call.ref, result.as_data())
        if result.succeeded:
            return False
        while self._waiting:
            self._answer(self._waiting.popleft().ref, NOT_SENT)
        if result.asks_for_correction:
            self.correction = (error_code(result.error_code) or ErrorCode.EXECUTION_ERROR, result.message)
        return False

    def drop(self) -> None:
        """Give up what has not started."""
        self._waiting.clear()

    def close(self) -> None:
        """Do nothing: every call was answered when it ended."""
