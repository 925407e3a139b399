"""Waits until odometry shows that the base stands."""

from __future__ import annotations

import time

from nav_msgs.msg import Odometry
from robot_tool_agent.commands.session import Session
from robot_tool_agent.nodes.qos import SENSOR

STILL_MPS, STILL_RADPS = 0.02, 0.05
SETTLE_S = 0.3
TIMEOUT_S = 10.0
# Odometry that has said nothing for so long will not say that the base stands.
SILENCE_S = 2.0


class Standstill:
    """Subscribes `odom`. Only samples that came after the question count."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._still_since_s: float | None = None
        self._heard_s = 0.0
        session.node.create_subscription(Odometry, 'odom', self._on_odometry, SENSOR)

    def _on_odometry(self, message: Odometry) -> None:
        twist = message.twist.twist
        stands = abs(twist.linear.x) <= STILL_MPS and abs(twist.angular.z) <= STILL_RADPS
        if not stands:
            self._still_since_s = None
        elif self._still_since_s is None:
            self._still_since_s = time.monotonic()
        self._heard_s = time.monotonic()

    def seen(self, timeout_s: float = TIMEOUT_S) -> bool:
        """Return whether the base was seen to stand still for SETTLE_S within a time. NaN is no standstill."""
        now_s = time.monotonic()
        until_s = now_s + timeout_s
        self._still_since_s, self._heard_s = None, now_s
        while now_s < until_s and now_s - self._heard_s < SILENCE_S:
            self._session.spin()
            now_s = time.monotonic()
            if self._still_since_s is not None and self._heard_s - self._still_since_s >= SETTLE_S:
                return True
        return False
