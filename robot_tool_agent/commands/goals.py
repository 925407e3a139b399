"""Sends one action goal and follows it to its end: feedback, Ctrl-C, a server that dies."""

from __future__ import annotations

from collections.abc import Callable
import time
from typing import Any

from rclpy.action import ActionClient
from robot_tool_agent.commands.errors import NoAnswer
from robot_tool_agent.commands.session import SERVER_TIMEOUT_S, Session
from robot_tool_agent.core.heartbeats import HeartbeatMonitor
from robot_tool_agent.nodes.qos import COMMAND
from robot_tool_agent_interfaces.msg import Heartbeat

LOST_S = 2.0
CANCEL_TIMEOUT_S = 20.0


class GoalRun:
    """
    One goal on its way.

    `server_node` is the node that serves the action: once its heartbeat stops or starts anew, the goal's end will never
    come, and waiting for it is over.
    """

    def __init__(self, session: Session, kind: Any, name: str, server_node: str) -> None:
        self._session = session
        self._name = name
        self._server_node = server_node
        self._pulse = HeartbeatMonitor(LOST_S)
        self._boot_id: int | None = None
        self._poll: Callable[[], None] = lambda: None
        self.sent = self.cancelled = False
        session.node.create_subscription(Heartbeat, 'heartbeat', self._on_heartbeat, COMMAND)
        self._client = ActionClient(session.node, kind, name)

    def _on_heartbeat(self, message: Heartbeat) -> None:
        self._pulse.heard(message.node, message.boot_id, message.sequence, time.monotonic())

    def run(
        self,
        goal: Any,
        on_feedback: Callable[[Any], None],
        on_cancel: Callable[[], None],
        timeout_s: float,
        poll: Callable[[], None] = lambda: None,
    ) -> Any:
        """
        Return the goal's result message. `poll` is called again and again while the goal runs.

        Ctrl-C, SIGTERM or `timeout_s` cancel the goal; its result is still awaited. Raise NoAnswer if nobody serves the
        action, if the server dies, or if a cancelled goal does not end.
        """
        session = self._session
        session.wait_for_server(self._name, self._client.server_is_ready)
        self._boot_id, self._poll = self._first_pulse(), poll
        handle = self._send(goal, on_feedback)
        result = handle.get_result_async()
        if not self._follow(result, timeout_s):
            self.cancelled = True
            on_cancel()
            handle.cancel_goal_async()
            self._await_cancelled(result)
        return result.result().result

    def _send(self, goal: Any, on_feedback: Callable[[Any], None]) -> Any:
        """Send the goal and return its handle. Ctrl-C meanwhile is kept: a goal on its way has to be cancelled."""
        self.sent = True
        sent = self._client.send_goal_async(goal, feedback_callback=lambda message: on_feedback(message.feedback))
        deadline_s = time.monotonic() + SERVER_TIMEOUT_S
        while not sent.done():
            if time.monotonic() >= deadline_s:
                raise NoAnswer(f'{self._name}: the goal was not taken within {SERVER_TIMEOUT_S:g} s')
            self._session.spin()
        handle = sent.result()
        if not handle.accepted:
            raise NoAnswer(f'{self._name}: the goal was refused')
        return handle

    def _first_pulse(self) -> int | None:
        node = self._server_node
        if not self._session.spin_until(lambda: self._pulse.known(node), SERVER_TIMEOUT_S):
            raise NoAnswer(f'{self._name}: the {node} node gives no sign of life')
        return self._pulse.boot_id(node)

    def _follow(self, result: Any, timeout_s: float) -> bool:
        """Wait for the result; False when it is to be cancelled."""
        deadline_s = time.monotonic() + timeout_s
        while not result.done():
            if self._session.interrupted or time.monotonic() >= deadline_s:
                return False
            self._session.spin()
            self._check_server()
            self._poll()
        return True

    def _await_cancelled(self, result: Any) -> None:
        deadline_s = time.monotonic() + CANCEL_TIMEOUT_S
        while not result.done():
            if time.monotonic() >= deadline_s:
                raise NoAnswer(f'{self._name}: cancelled, but it did not end within {CANCEL_TIMEOUT_S:g} s')
            self._session.spin()
            self._check_server()

    def _check_server(self) -> None:
        node = self._server_node
        if self._pulse.boot_id(node) != self._boot_id or not self._pulse.alive(node, time.monotonic()):
            raise NoAnswer(f'{self._name}: the {node} node was lost, the end was not seen')
