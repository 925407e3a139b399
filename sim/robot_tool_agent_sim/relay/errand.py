"""One goal on its way through the relay."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from rclpy.action.client import ClientGoalHandle
from rclpy.action.server import ServerGoalHandle
from rclpy.task import Future
from robot_tool_agent_sim.relay.saboteurs import Saboteur


@dataclass(eq=False, slots=True)
class Errand:
    """What the caller asked, how it is treated, and both ends of it. `reply` is what the caller is told."""

    goal: Any
    saboteur: Saboteur
    caller: ServerGoalHandle | None = None
    sent: list[ClientGoalHandle] = field(default_factory=list)
    reply: Future = field(default_factory=Future)
    canceled: bool = False

    def tell(self, status: int, result: Any) -> None:
        """Tell the caller an end; only the first one counts."""
        if not self.reply.done():
            self.reply.set_result((status, result))

    def cancel(self) -> None:
        """Pass the caller's wish on to the executor, to every copy that it took."""
        self.canceled = True
        if self.saboteur.passes_cancel:
            for handle in self.sent:
                handle.cancel_goal_async()

    def taken(self, handle: ClientGoalHandle) -> None:
        """Take note of a copy that the executor took; one that is already unwanted is cancelled."""
        self.sent.append(handle)
        if self.canceled and self.saboteur.passes_cancel:
            handle.cancel_goal_async()

    def progress(self, feedback: Any) -> None:
        """Pass feedback on to a caller that still waits."""
        if self.caller is not None and not self.reply.done():
            self.caller.publish_feedback(feedback)
