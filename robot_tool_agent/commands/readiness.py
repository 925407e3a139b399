"""Finds out whether a starting system can take calls."""

from __future__ import annotations

import time

import rclpy
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from rclpy.signals import SignalHandlerOptions
from rclpy.task import Future
from robot_tool_agent.commands.text import plain
from robot_tool_agent.core.safety_state import mode_name, SafetyMode
from robot_tool_agent.nodes.qos import LATCHED
from robot_tool_agent.transport import choose_transport
from robot_tool_agent_interfaces.msg import SafetyState
from robot_tool_agent_interfaces.srv import DescribeSkills

# A request to a server that is still being discovered can be lost: it is sent anew, never waited for without end.
ANSWER_TIMEOUT_S = 1.0


class ReadinessProbe:
    """Ready means: safety_state is READY and describe_skills answers with at least one skill."""

    def __init__(self, namespace: str) -> None:
        choose_transport()
        self._context = Context()
        rclpy.init(context=self._context, signal_handler_options=SignalHandlerOptions.NO)
        self._node = rclpy.create_node(
            'rta_up', namespace=namespace, context=self._context, start_parameter_services=False
        )
        self._executor = SingleThreadedExecutor(context=self._context)
        self._executor.add_node(self._node)
        self._node.create_subscription(SafetyState, 'safety_state', self._on_state, LATCHED)
        self._skills = self._node.create_client(DescribeSkills, 'describe_skills')
        self._state: SafetyState | None = None
        self._request: Future | None = None
        self._request_until_s = 0.0
        self._served = False

    def _on_state(self, message: SafetyState) -> None:
        self._state = message

    def ready(self, timeout_s: float) -> bool:
        """Handle what arrives within a time and tell whether the system is ready."""
        self._executor.spin_once(timeout_sec=timeout_s)
        if not self._served:
            self._ask(time.monotonic())
        return self._served and self._state is not None and self._state.state == SafetyMode.READY

    def _ask(self, now_s: float) -> None:
        if self._request is not None and self._request.done():
            answer = self._request.result()
            self._served = answer is not None and answer.skills_json not in ('', '[]')
            self._request = None
        elif self._request is not None and now_s > self._request_until_s:
            self._skills.remove_pending_request(self._request)
            self._request = None
        elif self._request is None and self._skills.service_is_ready():
            self._request = self._skills.call_async(DescribeSkills.Request())
            self._request_until_s = now_s + ANSWER_TIMEOUT_S

    def missing(self) -> str:
        """Return what is still missing, for a person."""
        parts = [] if self._served else ['describe_skills does not answer']
        if self._state is None:
            parts.append('no safety_state was received')
        elif self._state.state != SafetyMode.READY:
            why = ' '.join(text for text in (self._state.fault, self._state.detail) if text)
            parts.append(f'safety_state is {mode_name(self._state.state)}{": " if why else ""}{why}')
        return plain('; '.join(parts))

    def close(self) -> None:
        """Leave the ROS graph."""
        self._executor.shutdown()
        self._node.destroy_node()
        self._context.try_shutdown()
