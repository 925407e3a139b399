"""Keeps a node alive that is told a time no clock can show."""

from collections.abc import Callable
from functools import partial

from rclpy.node import Node
from rosgraph_msgs.msg import Clock


def guard_clock(node: Node) -> None:
    """
    Let a node on simulated time take no notice of a negative time on `/clock`.

    rclpy raises on one, which would end the node; a time that cannot be is no news, and a clock that says nothing else
    counts as one that stands still. Call it once the node is made; without simulated time it changes nothing.
    """
    for subscription in node.subscriptions:
        if subscription.msg_type is Clock:
            subscription.callback = partial(_take_possible, subscription.callback)


def _take_possible(take: Callable[[Clock], None], message: Clock) -> None:
    if message.clock.sec >= 0:
        take(message)
