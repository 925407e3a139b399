"""Goals of `execute_skill` and their ends. Everything here happens on the ROS thread; every wait has its deadline."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol
from uuid import uuid4

from action_msgs.msg import GoalInfo
from rclpy.action import ActionClient
from rclpy.node import Node
from rclpy.task import Future
from robot_tool_agent.mcp_server.results import canceled_unsent, read_end, SkillEnd, unknown_end
from robot_tool_agent.mcp_server.ros_executor import ExecutorWatch
from robot_tool_agent.mcp_server.running import SkillCall
from robot_tool_agent.nodes.clock import steady_now_s
from robot_tool_agent.nodes.planner_cancels import GoalCancels
from robot_tool_agent_interfaces.action import ExecuteSkill

ACTION = 'execute_skill'
ACCEPT_TIMEOUT_S = 5.0
CANCEL_TIMEOUT_S = 30.0
# Longer than any skill may take, with its attempts and the wait for a person.
CALL_TIMEOUT_S = 7200.0
LOST = 'its end was not seen; ask for it again under this call_id, or see `rta journal show`'


class Listener(Protocol):
    """Who hears what becomes of a call."""

    def on_progress(self, text: str, progress: float) -> None:
        """Take note of how far it is, 0 to 1."""

    def on_end(self, end: SkillEnd) -> None:
        """Take its end."""

    def on_unsent(self, reason: str) -> None:
        """Take note that the executor never got it."""


def _new_goal_info() -> GoalInfo:
    info = GoalInfo()
    info.goal_id.uuid = list(uuid4().bytes)
    return info


@dataclass(eq=False)
class Flight:
    """One goal on its way. `boot` is the start of the executor that took it."""

    call: SkillCall
    listener: Listener
    accept_by_s: float
    end_by_s: float
    info: GoalInfo = field(default_factory=_new_goal_info)
    sent: bool = False
    accepted: bool = False
    boot: int | None = None
    canceled: bool = False


class SkillGoals:
    """Sends calls and follows each to its end."""

    def __init__(self, node: Node, watch: ExecutorWatch) -> None:
        self._client = ActionClient(node, ExecuteSkill, ACTION)
        self._requested_by = node.get_name()
        self._watch = watch
        self._cancels = GoalCancels(node, ACTION)
        self._flights: list[Flight] = []

    def send(self, call: SkillCall, listener: Listener) -> Flight:
        """Send a call as soon as the executor is there and hears this node's heartbeat."""
        now_s = steady_now_s()
        flight = Flight(call, listener, now_s + ACCEPT_TIMEOUT_S, now_s + CALL_TIMEOUT_S)
        self._flights.append(flight)
        self._check(flight, now_s)
        return flight

    def cancel(self, flight: Flight) -> None:
        """Ask for a call to be stopped; one that did not leave yet ends at once."""
        if flight.canceled or flight not in self._flights:
            return
        flight.canceled = True
        flight.end_by_s = min(flight.end_by_s, steady_now_s() + CANCEL_TIMEOUT_S)
        if flight.sent:
            self._cancels.ask(flight.info)
        else:
            self._end(flight, lambda: flight.listener.on_end(canceled_unsent()))

    def cancel_all(self) -> None:
        """Ask for every call to be stopped."""
        for flight in list(self._flights):
            self.cancel(flight)

    def check(self) -> None:
        """Send what waits and give up what is lost. Called at a fixed rate."""
        self._cancels.check()
        now_s = steady_now_s()
        for flight in list(self._flights):
            self._check(flight, now_s)

    def _check(self, flight: Flight, now_s: float) -> None:
        usable = self._watch.usable(now_s)
        if not flight.sent:
            if usable and self._watch.hears_us(now_s) and self._client.server_is_ready():
                self._send(flight)
            elif now_s >= flight.accept_by_s:
                self._end(flight, lambda: flight.listener.on_unsent('the executor is not there'))
        elif not flight.accepted and now_s >= flight.accept_by_s:
            self._lose(flight, 'the executor did not say that it took the call')
        elif flight.accepted and not (usable and flight.boot == self._watch.boot()):
            self._lose(flight, 'the executor was lost while the call ran')
        elif now_s >= flight.end_by_s:
            self._lose(flight, 'the executor did not end the call in time')

    def _send(self, flight: Flight) -> None:
        flight.sent = True
        call = flight.call
        goal = ExecuteSkill.Goal(
            call_id=call.call_id,
            task_id=call.task_id,
            skill=call.skill,
            arguments_json=call.arguments_json,
            requested_by=self._requested_by,
        )
        future = self._client.send_goal_async(goal, self._on_feedback(flight), flight.info.goal_id)
        future.add_done_callback(lambda done: self._on_response(flight, done))

    def _on_response(self, flight: Flight, future: Future) -> None:
        goal = future.result()
        followed = flight in self._flights
        if not goal.accepted:
            if followed:
                self._end(flight, lambda: flight.listener.on_unsent('the executor refused the goal'))
            return
        if flight.canceled or not followed:
            self._cancels.ask(flight.info)  # a cancel that came before the goal stopped nothing
        flight.accepted, flight.boot = True, self._watch.boot()
        goal.get_result_async().add_done_callback(lambda done: self._on_result(flight, done))

    def _on_result(self, flight: Flight, future: Future) -> None:
        message = future.result().result
        fields = ('outcome', 'effect', 'error_code', 'message', 'result_json', 'evidence_json', 'replayed', 'attempts')
        end = read_end(**{name: getattr(message, name) for name in fields})
        self._end(flight, lambda: flight.listener.on_end(end))

    def _on_feedback(self, flight: Flight) -> Callable[[Any], None]:
        def take(message: Any) -> None:
            feedback = message.feedback
            if flight in self._flights:
                flight.listener.on_progress(f'{feedback.phase} {feedback.detail}'.strip(), feedback.progress)

        return take

    def _lose(self, flight: Flight, reason: str) -> None:
        self._cancels.ask(flight.info)  # a lost executor may live on, and then only this goal stops the call
        self._end(flight, lambda: flight.listener.on_end(unknown_end(f'{reason}; {LOST}')))

    def _end(self, flight: Flight, tell: Callable[[], None]) -> None:
        if flight in self._flights:
            self._flights.remove(flight)
            tell()
