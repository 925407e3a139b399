"""The executive's way out, over rclpy: journal thread, motion commands, trip service, approval topic."""

from collections.abc import Callable
from concurrent.futures import Future as ThreadFuture
from concurrent.futures import ThreadPoolExecutor
import random
from typing import TypeVar

from rclpy.node import Node
from rclpy.task import Future
from robot_tool_agent.core.execution.ports import ApprovalAsk, TripRequest
from robot_tool_agent.core.motion import MotionRequest
from robot_tool_agent.nodes.clock import time_message
from robot_tool_agent.nodes.conversions import motion_message
from robot_tool_agent.nodes.qos import COMMAND, LATCHED
from robot_tool_agent_interfaces.msg import ApprovalRequest, MotionCommand
from robot_tool_agent_interfaces.srv import TripSafety

Result = TypeVar('Result')


class TripJob:
    """A trip_safety request on its way; done when answered, with True if the safety node took it."""

    def __init__(self, future: Future | None) -> None:
        self._future = future

    def done(self) -> bool:
        """Tell whether the answer is there; a safety node that is not there answers nothing."""
        return self._future is not None and self._future.done()

    def result(self) -> bool:
        """Return whether the safety node took the request."""
        assert self._future is not None
        return bool(self._future.result().success)


class NodePorts:
    """Ports of the executive. `on_work_done` is called from the worker thread and must only wake the node."""

    def __init__(self, node: Node, on_work_done: Callable[[], None]) -> None:
        self._node = node
        self._on_work_done = on_work_done
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix='journal')
        self._motion = node.create_publisher(MotionCommand, 'motion_command', COMMAND)
        self._approvals = node.create_publisher(ApprovalRequest, 'approval_requests', LATCHED)
        self._trip = node.create_client(TripSafety, 'trip_safety')

    def submit(self, work: Callable[[], Result]) -> 'ThreadFuture[Result]':
        """Run work on the journal thread, in order."""
        future = self._worker.submit(work)
        future.add_done_callback(self._work_done)
        return future

    def _work_done(self, future: 'ThreadFuture[Result]') -> None:
        error = future.exception()
        if error is not None:
            self.log(f'journal: {error!r}')
        self._on_work_done()

    def send_motion(self, request: MotionRequest) -> None:
        """Publish one motion command."""
        self._motion.publish(motion_message(request, self._now_s()))

    def trip(self, request: TripRequest) -> TripJob:
        """Ask the safety node to stop the robot. Its absence is a missing answer, which the caller's deadline ends."""
        if not self._trip.service_is_ready():
            return TripJob(None)
        fields = {name: getattr(request, name) for name in ('fault', 'detail', 'call_id', 'task_id', 'epoch')}
        return TripJob(self._trip.call_async(TripSafety.Request(**fields)))

    def ask_approval(self, ask: ApprovalAsk) -> None:
        """Publish one approval request."""
        fields = ('call_id', 'task_id', 'skill', 'arguments_json', 'requested_by', 'reason')
        message = ApprovalRequest(**{name: getattr(ask, name) for name in fields})
        now_s = self._now_s()
        message.header.stamp = time_message(now_s)
        message.deadline = time_message(now_s + ask.timeout_s)
        self._approvals.publish(message)

    def jitter(self) -> float:
        """Return a number from 0 to 1 by chance."""
        return random.random()

    def log(self, text: str) -> None:
        """Write full detail to the log."""
        self._node.get_logger().error(text)

    def close(self) -> None:
        """Finish the work on hand and end the journal thread."""
        self._worker.shutdown(wait=True)

    def _now_s(self) -> float:
        return float(self._node.get_clock().now().nanoseconds) * 1e-9
