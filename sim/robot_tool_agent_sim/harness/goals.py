"""Action goals and service requests, followed from another thread, each with a deadline."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
import time
from typing import Any

from action_msgs.msg import GoalStatus
from rclpy.action import ActionClient
from rclpy.client import Client
from rclpy.task import Future
from robot_tool_agent_sim.harness.recording import Recording
from robot_tool_agent_sim.harness.ros_loop import RosLoop
from unique_identifier_msgs.msg import UUID

# A request can be lost while the two ends discover each other; goals and requests here are all safe to repeat.
RESEND_S = 2.0
SERVER_TIMEOUT_S = 15.0

STATUS_SUCCEEDED = GoalStatus.STATUS_SUCCEEDED
STATUS_CANCELED = GoalStatus.STATUS_CANCELED
STATUS_ABORTED = GoalStatus.STATUS_ABORTED


@dataclass(frozen=True, slots=True)
class Ended:
    """The end of a goal: action status and result message."""

    status: int
    result: Any


class Goal:
    """A goal on its way to the node `server`."""

    def __init__(self, loop: RosLoop, recording: Recording, name: str, server: str) -> None:
        self._loop = loop
        self._recording = recording
        self._server = server
        self._boot_id: int | None = None
        self._handle: Any = None
        self._chosen: UUID | None = None
        self._end: Ended | None = None
        self.name = name
        self.message: Any = None
        self.feedback: list[Any] = []

    @property
    def done(self) -> bool:
        """Whether the end has arrived."""
        return self._end is not None

    @property
    def lost(self) -> bool:
        """Whether the end can never arrive, because the server was started anew since it took the goal."""
        pulse = self._recording.pulse(self._server)
        return not self.done and pulse is not None and self._boot_id is not None and pulse.boot_id != self._boot_id

    def cancel(self, on_answer: Callable[[Future], None] | None = None) -> None:
        """Ask for the end. `on_answer` is called in the node's thread when the request is answered."""

        def ask() -> None:
            answer = self._handle.cancel_goal_async()
            if on_answer is not None:
                answer.add_done_callback(on_answer)

        self._loop.call(ask)

    def result(self, timeout_s: float) -> Ended:
        """Return the end. Raise TimeoutError at the deadline or once the goal is lost."""
        self._recording.wait_until(lambda: self.done or self.lost, timeout_s, f'{self.name}: the end')
        if self._end is None:
            raise TimeoutError(f'{self.name}: {self._server} was started anew, the end cannot arrive')
        return self._end

    @property
    def goal_uuid(self) -> bytes:
        """Return the id of the goal in the action protocol, 16 bytes."""
        return bytes(self._handle.goal_id.uuid)

    def send(self, client: ActionClient, message: Any, goal_uuid: bytes | None = None) -> None:
        """Send the goal and wait until it is accepted. Raise TimeoutError if nobody takes it."""
        self.message = message
        self._chosen = None if goal_uuid is None else UUID(uuid=list(goal_uuid))
        self._recording.wait_until(
            lambda: self._loop.call(client.server_is_ready), SERVER_TIMEOUT_S, f'{self.name}: an action server'
        )
        deadline_s = time.monotonic() + SERVER_TIMEOUT_S
        while self._handle is None and time.monotonic() < deadline_s:
            self._loop.call(lambda: self._send(client, message))
            _wait(self._recording, lambda: self._handle is not None, RESEND_S)
        if self._handle is None:
            raise TimeoutError(f'{self.name}: the goal was not accepted within {SERVER_TIMEOUT_S:g} s')

    def _send(self, client: ActionClient, message: Any) -> None:
        sent = client.send_goal_async(message, feedback_callback=self._on_feedback, goal_uuid=self._chosen)
        sent.add_done_callback(self._on_accepted)

    def _on_feedback(self, message: Any) -> None:
        with self._recording.change():
            self.feedback.append(message.feedback)

    def _on_accepted(self, future: Future) -> None:
        handle = future.result()
        if self._handle is not None or handle is None or not handle.accepted:
            return
        pulse = self._recording.pulse(self._server)
        with self._recording.change():
            self._handle = handle
            self._boot_id = None if pulse is None else pulse.boot_id
        handle.get_result_async().add_done_callback(self._on_result)

    def _on_result(self, future: Future) -> None:
        answer = future.result()
        with self._recording.change():
            self._end = Ended(answer.status, answer.result)


def ask(loop: RosLoop, recording: Recording, client: Client, request: Any) -> Any:
    """Call a service and return its response. Raise TimeoutError if no answer comes, however often it is asked."""
    name = client.srv_name
    recording.wait_until(lambda: loop.call(client.service_is_ready), SERVER_TIMEOUT_S, f'{name}: a server')
    deadline_s = time.monotonic() + SERVER_TIMEOUT_S
    while time.monotonic() < deadline_s:
        future: Future = loop.call(lambda: client.call_async(request))
        if _wait(recording, future.done, RESEND_S):
            return future.result()
        loop.call(lambda waiting=future: client.remove_pending_request(waiting))
    raise TimeoutError(f'{name}: no answer within {SERVER_TIMEOUT_S:g} s')


def _wait(recording: Recording, happened: Callable[[], object], timeout_s: float) -> bool:
    try:
        recording.wait_until(happened, timeout_s, '')
    except TimeoutError:
        return False
    return True
