"""Service requests with deadlines, on the ROS thread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rclpy.client import Client
from rclpy.task import Future
from robot_tool_agent.nodes.clock import steady_now_s

TIMEOUT_S = 5.0
# A request can be lost while the two ends still discover each other, so what may be asked twice is.
RESEND_S = 1.0


@dataclass(eq=False)
class _Asked:
    client: Client
    request: Any
    on_answer: Callable[[Any], None]
    until_s: float
    repeatable: bool
    future: Future | None = None
    sent_s: float = 0.0


class ServiceRequests:
    """Requests under way. `on_answer` gets the response, None at the deadline."""

    def __init__(self) -> None:
        self._asked: list[_Asked] = []

    def ask(self, client: Client, request: Any, on_answer: Callable[[Any], None], repeatable: bool) -> None:
        """Ask as soon as the service is there; again after RESEND_S if carrying it out twice does no harm."""
        self._asked.append(_Asked(client, request, on_answer, steady_now_s() + TIMEOUT_S, repeatable))
        self.check()

    def check(self) -> None:
        """Ask what waits and give up what is late. Called at a fixed rate."""
        now_s = steady_now_s()
        for item in list(self._asked):
            if now_s >= item.until_s:
                self._drop(item)
                self._finish(item, None)
            elif item.future is None and item.client.service_is_ready():
                self._send(item, now_s)
            elif item.future is not None and item.repeatable and now_s - item.sent_s >= RESEND_S:
                self._drop(item)

    def _send(self, item: _Asked, now_s: float) -> None:
        item.sent_s = now_s
        item.future = item.client.call_async(item.request)
        item.future.add_done_callback(lambda done: self._finish(item, done.result()))

    def _drop(self, item: _Asked) -> None:
        if item.future is not None:
            item.client.remove_pending_request(item.future)
            item.future = None

    def _finish(self, item: _Asked, answer: Any) -> None:
        if item in self._asked:
            self._asked.remove(item)
            item.on_answer(answer)
