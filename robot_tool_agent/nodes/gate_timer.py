"""When the safety node turns: at the gate's period, and once more when a silence begins to count."""

from collections.abc import Callable
import math

from rclpy.clock import Clock
from rclpy.node import Node
from robot_tool_agent.nodes.clock import steady_now_s

# From a deadline to the look at it. Not zero: a timer that is due at once would come before the messages again.
HEAR_ALL_S = 0.001


class GateTimer:
    """
    Calls `turn`; whoever turns for another reason calls `turned` as well.

    `next_deadline_s(now_s)` says when silence will next mean something, in steady seconds, infinite for never. An
    executor calls timers before it takes messages, so what would break a silence may lie waiting when its time is up:
    the turn comes a moment later, after what had come in by then was taken.
    """

    def __init__(
        self,
        node: Node,
        clock: Clock,
        period_s: float,
        turn: Callable[[], None],
        next_deadline_s: Callable[[float], float],
    ) -> None:
        self._period_s = period_s
        self._turn = turn
        self._next_deadline_s = next_deadline_s
        self._silent_from_s = math.inf
        self._has_heard = False
        node.create_timer(period_s, self._at_period, clock=clock)
        self._deadline = node.create_timer(period_s, self._at_deadline, clock=clock, autostart=False)

    def turned(self, now_s: float) -> None:
        """Wait for the next silence; a turn that waited for an earlier one is off."""
        self._silent_from_s, self._has_heard = self._next_deadline_s(now_s), False
        self._deadline.cancel()
        if self._silent_from_s - now_s < self._period_s:
            self._wake_after(self._silent_from_s - now_s)

    def _at_period(self) -> None:
        if steady_now_s() > self._silent_from_s:
            self._at_deadline()
        else:
            self._turn()

    def _at_deadline(self) -> None:
        self._deadline.cancel()
        if self._has_heard:
            self._turn()
        else:
            self._has_heard = True
            self._wake_after(HEAR_ALL_S)

    def _wake_after(self, delay_s: float) -> None:
        self._deadline.timer_period_ns = int(delay_s * 1e9)
        self._deadline.reset()
