"""Who else publishes to the actuators."""

from collections.abc import Iterable

from rclpy.node import Node


def other_publishers(node: Node, topics: Iterable[str]) -> tuple[str, ...]:
    """
    Return `node on topic` for every publisher of the topics that is not of this node's name.

    An earlier process of the same name stays in the graph for some seconds after it was killed and is not meant here.
    """
    own = node.get_fully_qualified_name()
    found = {
        f'{_full_name(info.node_namespace, info.node_name)} on {topic}'
        for topic in topics
        for info in node.get_publishers_info_by_topic(topic)
        if _full_name(info.node_namespace, info.node_name) != own
    }
    return tuple(sorted(found))


def _full_name(namespace: str, name: str) -> str:
    return f'{namespace.rstrip("/")}/{name}'
