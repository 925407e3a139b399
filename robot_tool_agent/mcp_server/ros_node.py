"""
The node of an MCP server: its subscriptions, clients and heartbeat.

Calls: action `execute_skill`, services `describe_skills`, `decide_approval`.
Subscribes: `safety_state`, `approval_requests` (transient local), `heartbeat`.
Publishes: `heartbeat` (10 Hz): the executor cancels the calls of this process when it falls silent.
"""

from __future__ import annotations

import os
import secrets
from typing import Any, Protocol

from rclpy.clock import Clock, ClockType
from rclpy.context import Context
from rclpy.node import Node
from robot_tool_agent.core.safety_state import mode_name
from robot_tool_agent.mcp_server.ros_executor import ExecutorWatch
from robot_tool_agent.mcp_server.ros_goals import SkillGoals
from robot_tool_agent.mcp_server.ros_requests import ServiceRequests
from robot_tool_agent.mcp_server.running import Question
from robot_tool_agent.nodes.clock import seconds, steady_now_s
from robot_tool_agent.nodes.heartbeat import HeartbeatPublisher
from robot_tool_agent.nodes.qos import ALL_LATCHED, LATCHED
from robot_tool_agent_interfaces.msg import ApprovalRequest, SafetyState
from robot_tool_agent_interfaces.srv import DecideApproval, DescribeSkills

CHECK_PERIOD_S = 0.05
SAFETY_FIELDS = ('motion_allowed', 'resettable', 'fault', 'detail', 'limit_reason')


class Listener(Protocol):
    """Who hears of the robot."""

    def on_question(self, question: Question) -> None:
        """Take note that a call waits for a person."""

    def on_safety(self, state: dict[str, Any], heard_s: float) -> None:
        """Take a safety state; `heard_s` is steady time."""

    def on_tick(self) -> None:
        """Take a turn, CHECK_PERIOD_S after the last."""


class McpNode(Node):
    """Its name is its own on every machine: several servers can serve one robot, and each has a lease."""

    def __init__(self, context: Context, namespace: str, listener: Listener) -> None:
        name = f'mcp_server_{os.getpid()}_{secrets.token_hex(3)}'
        super().__init__(name, context=context, namespace=namespace, start_parameter_services=False)
        self._listener = listener
        self.requests = ServiceRequests()
        self.goals = SkillGoals(self, ExecutorWatch(self))
        self.skills = self.create_client(DescribeSkills, 'describe_skills')
        self.decisions = self.create_client(DecideApproval, 'decide_approval')
        self.create_subscription(ApprovalRequest, 'approval_requests', self._on_request, ALL_LATCHED)
        self.create_subscription(SafetyState, 'safety_state', self._on_safety, LATCHED)
        self.create_timer(CHECK_PERIOD_S, self._tick, clock=Clock(clock_type=ClockType.STEADY_TIME))
        self._heartbeat = HeartbeatPublisher(self)

    def _tick(self) -> None:
        self.goals.check()
        self.requests.check()
        self._listener.on_tick()

    def _on_request(self, message: ApprovalRequest) -> None:
        left_s = seconds(message.deadline) - seconds(message.header.stamp)
        question = Question(message.call_id, message.skill, message.arguments_json, message.reason, max(left_s, 0.0))
        self._listener.on_question(question)

    def _on_safety(self, message: SafetyState) -> None:
        state: dict[str, Any] = {'state': mode_name(message.state)}
        state |= {name: getattr(message, name) for name in SAFETY_FIELDS}
        self._listener.on_safety(state, steady_now_s())
