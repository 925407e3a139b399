"""A node of its own in a background thread. All ROS work happens in that thread."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
import os
import threading
from typing import TypeVar

import rclpy
from rclpy.context import Context
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.signals import SignalHandlerOptions
from robot_tool_agent.transport import choose_transport

Result = TypeVar('Result')
SPIN_SLICE_S = 0.05
CALL_TIMEOUT_S = 5.0
JOIN_TIMEOUT_S = 5.0


class RosLoop:
    """Spins one node; `call` runs a function in the node's thread."""

    def __init__(self, name: str, domain_id: int, namespace: str) -> None:
        os.environ.setdefault('ROS_AUTOMATIC_DISCOVERY_RANGE', 'LOCALHOST')
        choose_transport()
        self._context = Context()
        rclpy.init(context=self._context, domain_id=domain_id, signal_handler_options=SignalHandlerOptions.NO)
        self.node = rclpy.create_node(name, namespace=namespace, context=self._context, use_global_arguments=False)
        self._jobs: deque[Callable[[], None]] = deque()
        self._wake = self.node.create_guard_condition(self._work)
        self._executor = SingleThreadedExecutor(context=self._context)
        self._executor.add_node(self.node)
        self._ending = False
        self._thread = threading.Thread(target=self._spin, name=name, daemon=True)

    def start(self) -> None:
        """Begin to spin. Entities made before this need no care about threads."""
        self._thread.start()

    def call(self, function: Callable[[], Result]) -> Result:
        """Run a function in the node's thread and return what it returns. Raise TimeoutError if it has no turn."""
        done: Future[Result] = Future()

        def job() -> None:
            try:
                done.set_result(function())
            except BaseException as error:
                done.set_exception(error)

        self._jobs.append(job)
        self._wake.trigger()
        return done.result(CALL_TIMEOUT_S)

    def close(self) -> None:
        """Leave the ROS graph."""
        self._ending = True
        self._thread.join(JOIN_TIMEOUT_S)
        self._executor.shutdown()
        self.node.destroy_node()
        self._context.try_shutdown()

    def _work(self) -> None:
        while self._jobs:
            self._jobs.popleft()()

    def _spin(self) -> None:
        try:
            while not self._ending:
                self._executor.spin_once(timeout_sec=SPIN_SLICE_S)
        except ExternalShutdownException:
            return
