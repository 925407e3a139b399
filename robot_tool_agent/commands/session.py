"""A short-lived node through which a command talks to a running system. Nothing in it waits without a deadline."""

from __future__ import annotations

from collections.abc import Callable
import os
import signal
import time
from types import FrameType, TracebackType
from typing import Any

import rclpy
from rclpy.client import Client
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from rclpy.parameter import Parameter
from rclpy.signals import SignalHandlerOptions
from rclpy.task import Future
from robot_tool_agent.commands.errors import NoAnswer
from robot_tool_agent.nodes.clock_guard import guard_clock
from robot_tool_agent.transport import choose_transport

SERVER_TIMEOUT_S = 5.0
# A request can be lost while the two ends are still discovering each other, so what may be asked twice is.
RESEND_S = 1.5
SLICE_S = 0.05


class Session:
    """A node, its executor, and whether Ctrl-C was pressed. Use it as a context manager."""

    def __init__(self, namespace: str, use_sim_time: bool = False) -> None:
        self.interrupted = False
        choose_transport()
        self._context = Context()
        rclpy.init(context=self._context, signal_handler_options=SignalHandlerOptions.NO)
        self.node = rclpy.create_node(
            f'rta_{os.getpid()}',
            namespace=namespace,
            context=self._context,
            parameter_overrides=[Parameter('use_sim_time', value=use_sim_time)],
            start_parameter_services=False,
        )
        guard_clock(self.node)
        self._executor = SingleThreadedExecutor(context=self._context)
        self._executor.add_node(self.node)

    def __enter__(self) -> Session:
        """Take over SIGINT, SIGTERM and, unless it is ignored (`nohup`), the SIGHUP of a terminal that is closed."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if number != signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._interrupt)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the ROS graph."""
        self._executor.shutdown()
        self.node.destroy_node()
        self._context.try_shutdown()

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        if self.interrupted:
            raise KeyboardInterrupt
        self.interrupted = True

    def spin(self) -> None:
        """Handle what arrives within a moment."""
        self._executor.spin_once(timeout_sec=SLICE_S)

    def spin_until(self, happened: Callable[[], bool], timeout_s: float) -> bool:
        """Spin until something happened; False at the deadline. Raise KeyboardInterrupt after Ctrl-C."""
        deadline_s = time.monotonic() + timeout_s
        while not happened():
            if self.interrupted:
                raise KeyboardInterrupt
            if time.monotonic() >= deadline_s:
                return False
            self.spin()
        return True

    def ask(self, kind: Any, name: str, request: Any, repeatable: bool = True) -> Any:
        """
        Call a service and return its response. Raise NoAnswer at the deadline.

        A repeatable request, one that does no harm if it is carried out twice, is sent again when no answer comes.
        """
        client = self.node.create_client(kind, name)
        self.wait_for_server(name, client.service_is_ready)
        wait_s = RESEND_S if repeatable else SERVER_TIMEOUT_S
        for _ in range(round(SERVER_TIMEOUT_S / wait_s) or 1):
            answer = self._ask_once(client, request, wait_s)
            if answer is not None:
                return answer
        raise NoAnswer(f'{name}: no answer within {SERVER_TIMEOUT_S:g} s')

    def _ask_once(self, client: Client, request: Any, timeout_s: float) -> Any:
        future: Future = client.call_async(request)
        if self.spin_until(future.done, timeout_s):
            return future.result()
        client.remove_pending_request(future)
        return None

    def wait_for_server(self, name: str, ready: Callable[[], bool]) -> None:
        """Wait until a server is found. Raise NoAnswer at the deadline."""
        if not self.spin_until(ready, SERVER_TIMEOUT_S):
            raise NoAnswer(
                f'{name}: nobody serves it. Is the system up (`rta up`), in ROS_DOMAIN_ID '
                f'{os.environ.get("ROS_DOMAIN_ID", "0")} and namespace {self.node.get_namespace()}?'
            )
