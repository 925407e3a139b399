"""Saboteurs of what a driver writes round a good reading: the frame it names, the rotation it forgets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from robot_tool_agent_sim.fault import Fault

ELSEWHERE = 'elsewhere'


class Reworded(Fault):
    """Every message of one topic is changed in the same way."""

    def __init__(self, topic: str, change: Callable[[Any], None]) -> None:
        self._topic = topic
        self._change = change

    def worded(self, topic: str, message: Any) -> Any:
        """Change the message."""
        if topic == self._topic:
            self._change(message)
        return message


def in_another_frame(message: Any) -> None:
    """Name a frame that nobody asked for, as a driver with a wrong parameter does."""
    message.header.frame_id = ELSEWHERE


def without_rotation(message: Any) -> None:
    """Leave the quaternion as it is made: all zero, which is no rotation."""
    rotation = message.pose.pose.orientation
    rotation.x = rotation.y = rotation.z = rotation.w = 0.0
