"""A node spun by the thread that measures, so that no other thread stands between an event and its time."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any

import rclpy
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from rclpy.signals import SignalHandlerOptions

TURN_S = 0.02


class Seat:
    """One node of the measuring process; use it as a context manager."""

    def __init__(self, name: str, domain_id: int) -> None:
        os.environ.setdefault('ROS_AUTOMATIC_DISCOVERY_RANGE', 'LOCALHOST')
        self._context = Context()
        rclpy.init(context=self._context, domain_id=domain_id, signal_handler_options=SignalHandlerOptions.NO)
        self.node = rclpy.create_node(name, context=self._context, use_global_arguments=False)
        self._executor = SingleThreadedExecutor(context=self._context)
        self._executor.add_node(self.node)

    def __enter__(self) -> Seat:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._executor.shutdown()
        self.node.destroy_node()
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

    def ask(self, client: Any, request: Any, timeout_s: float = 5.0) -> Any:
        """Call a service and return its response."""
        self.until(client.service_is_ready, timeout_s, f'{client.srv_name}: a server')
        future = client.call_async(request)
        self.until(future.done, timeout_s, f'{client.srv_name}: an answer')
        return future.result()
