"""Carries topics between the executor and the others, message by message as bytes, or does not."""

from collections.abc import Callable
from functools import partial
from typing import Any

from nav_msgs.msg import Odometry
from rclpy.node import Node
from robot_tool_agent.nodes.qos import COMMAND, LATCHED
from robot_tool_agent_interfaces.msg import MotionCommand, SafetyState
from robot_tool_agent_sim.relay.saboteurs import Chance, RELAYED_TOPICS, Span, TopicSaboteur

EXECUTOR_SIDE = '_at_executor'
_KINDS = {
    # Type, quality of service, and whether the executor is the one that publishes.
    'motion_command': (MotionCommand, COMMAND, True),
    'safety_state': (SafetyState, LATCHED, False),
    'odom': (Odometry, COMMAND, False),
}
Later = Callable[[Span, Callable[[], None]], None]


def remaps() -> dict[str, str]:
    """Return the topic names that the executor must use instead of its own."""
    return {topic: f'{topic}{EXECUTOR_SIDE}' for topic in RELAYED_TOPICS}


class TopicRelay:
    """Passes every message on; one saboteur at a time strikes all messages of its topic."""

    def __init__(self, node: Node, chance: Chance, later: Later) -> None:
        self.saboteur: TopicSaboteur | None = None
        self._chance = chance
        self._later = later
        for topic, (kind, quality, from_executor) in _KINDS.items():
            ends = (topic, remaps()[topic])
            heard, said = reversed(ends) if from_executor else ends
            publisher = node.create_publisher(kind, said, quality)
            node.create_subscription(kind, heard, partial(self._pass, topic, publisher), quality, raw=True)

    def _pass(self, topic: str, publisher: Any, message: bytes) -> None:
        saboteur = self.saboteur
        if saboteur is None or saboteur.topic != topic:
            publisher.publish(message)
            return
        for span in () if self._chance.strikes(saboteur.lost_share) else saboteur.copies:
            self._later(span, partial(publisher.publish, message))
