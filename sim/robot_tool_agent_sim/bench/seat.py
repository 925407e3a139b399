"""Nodes spun by the thread that measures, so that no other thread stands between an event and its time."""

from __future__ import annotations

from collections.abc import Callable
import os
import time
from types import TracebackType

import rclpy
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions
from robot_tool_agent.transport import choose_transport

TURN_S = 0.02


class Seat:
    """The nodes of the measuring process; use it as a context manager."""

    def __init__(self, name: str, domain_id: int) -> None:
        os.environ.setdefault('ROS_AUTOMATIC_DISCOVERY_RANGE', 'LOCALHOST')
        choose_transport()
        self._context = Context()
        rclpy.init(context=self._context, domain_id=domain_id, signal_handler_options=SignalHandlerOptions.NO)
        self._executor = SingleThreadedExecutor(context=self._context)
        self._nodes: list[Node] = []
        self.node = self.add_node(name)

    def add_node(self, name: str, namespace: str = '') -> Node:
        """Return one more node that is spun here."""
        node = rclpy.create_node(name, namespace=namespace, context=self._context, use_global_arguments=False)
        self._nodes.append(node)
        self._executor.add_node(node)
        return node

    def __enter__(self) -> Seat:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._executor.shutdown()
        for node in self._nodes:
            node.destroy_node()
        self._context.try_shutdown()

    def until(self, happened: Callable[[], object], timeout_s: float, what: str) -> None:
        """Spin until something is true. Raise TimeoutError at the deadline."""
        deadline_s = time.monotonic() + timeout_s
        while not happened():
            left_s = deadline_s - time.monotonic()
            if left_s <= 0.0:
                raise TimeoutError(f'not within {timeout_s:g} s: {what}')
            self._executor.spin_once(timeout_sec=min(TURN_S, left_s))

    def spin(self, duration_s: float) -> None:
        """Spin for a time."""
        end_s = time.monotonic() + duration_s
        while (left_s := end_s - time.monotonic()) > 0.0:
            self._executor.spin_once(timeout_sec=left_s)
