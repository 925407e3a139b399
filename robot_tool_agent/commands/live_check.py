"""Looks at a running ROS graph for `rta check`: who publishes and takes what, and what comes."""

from __future__ import annotations

from collections.abc import Sequence
import time
from typing import Any

from rclpy.qos import DurabilityPolicy, qos_check_compatible, QoSCompatibility, QoSProfile, ReliabilityPolicy
from robot_tool_agent.commands.session import Session
from robot_tool_agent.core.live_graph import Endpoint, Finding, judge_inputs, judge_output, Listened, TopicFacts
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.nodes.clock import seconds
from robot_tool_agent.nodes.qos import COMMAND, SENSOR
from robot_tool_agent.nodes.topic_types import input_type, output_types, type_name

DISCOVERY_S = 4.0
MIN_WINDOW_S, PERIODS = 3.0, 5.0


class Listener:
    """Keeps when messages came, how old they were and of which frame."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.arrivals_s: list[float] = []
        self.ages_s: list[float] = []
        self.frames: set[str] = set()

    def take(self, message: Any) -> None:
        """Take one message."""
        self.arrivals_s.append(time.monotonic())
        header = getattr(message, 'header', None)
        if header is not None:
            now_s = float(self._session.node.get_clock().now().nanoseconds) * 1e-9
            self.ages_s.append(now_s - seconds(header.stamp))
            self.frames.add(header.frame_id.lstrip('/'))

    def listened(self) -> Listened:
        """Return what came; the first arrivals belong to discovery and are left out where there are more."""
        arrivals_s = self.arrivals_s[1:] if len(self.arrivals_s) > 3 else self.arrivals_s
        return Listened(tuple(arrivals_s), tuple(self.ages_s), frozenset(self.frames))


def somebody_is_there(session: Session, robot: RobotDescription) -> bool:
    """Tell whether any topic of the robot has a publisher, after a time for discovery."""
    names = [robot.topics.resolved(name) for name in robot.topics.inputs()]
    return session.spin_until(lambda: any(session.node.count_publishers(name) for name in names), DISCOVERY_S)


def look(session: Session, robot: RobotDescription) -> list[Finding]:
    """Listen to every topic of the robot and return a row for each. Takes some seconds."""
    inputs = robot.topics.inputs()
    names = [robot.topics.resolved(name) for name in inputs]
    session.spin_until(lambda: all(session.node.count_publishers(name) for name in names), DISCOVERY_S)
    listeners = {name: _listen(session, robot, name) for name in inputs}
    window_s = max(MIN_WINDOW_S, *(PERIODS / topic.rate_hz for topic in inputs.values()))
    end_s = time.monotonic() + window_s
    session.spin_until(lambda: time.monotonic() >= end_s, window_s + 1.0)
    facts = {name: _facts(session, robot, name, listener) for name, listener in listeners.items()}
    owner = f'{session.node.get_namespace().rstrip("/")}/safety'
    outputs = [
        judge_output(name, _ends(session, robot.topics.resolved(name), type_name(kind), COMMAND), owner)
        for name, kind in output_types(robot).items()
    ]
    return [*judge_inputs(robot, facts, window_s), *outputs]


def _listen(session: Session, robot: RobotDescription, name: str) -> Listener:
    listener, kind = Listener(session), input_type(robot, name)
    topic = robot.topics.resolved(name)
    if all(info.topic_type == type_name(kind) for info in session.node.get_publishers_info_by_topic(topic)):
        session.node.create_subscription(kind, topic, listener.take, SENSOR)
    return listener


def _facts(session: Session, robot: RobotDescription, name: str, listener: Listener) -> TopicFacts:
    expected, topic = type_name(input_type(robot, name)), robot.topics.resolved(name)
    facts = _ends(session, topic, expected, SENSOR)
    elsewhere = [other for other, types in session.node.get_topic_names_and_types() if expected in types]
    elsewhere = [other for other in elsewhere if other != facts.name and session.node.count_publishers(other)]
    return TopicFacts(
        facts.name, expected, facts.publishers, facts.subscriptions, listener.listened(), tuple(sorted(elsewhere))
    )


def _ends(session: Session, topic: str, expected: str, own: QoSProfile) -> TopicFacts:
    node = session.node
    full = node.resolve_topic_name(topic)
    publishers = [_end(info, info.qos_profile, own) for info in node.get_publishers_info_by_topic(topic)]
    takers = [info for info in node.get_subscriptions_info_by_topic(topic) if info.node_name != node.get_name()]
    return TopicFacts(full, expected, publishers, [_end(info, own, info.qos_profile) for info in takers])


def _end(info: Any, publisher: QoSProfile, subscription: QoSProfile) -> Endpoint:
    fits = qos_check_compatible(publisher, subscription)[0] is not QoSCompatibility.ERROR
    name = f'{info.node_namespace.rstrip("/")}/{info.node_name}'
    return Endpoint(name, info.topic_type, fits, _words(info.qos_profile))


def _words(profile: QoSProfile) -> str:
    policies: Sequence[ReliabilityPolicy | DurabilityPolicy] = (profile.reliability, profile.durability)
    return ', '.join(policy.name.lower().replace('_', ' ') for policy in policies)
