"""The command timeout of a base driver, for simulators that have none or a long one."""

from __future__ import annotations

from robot_tool_agent.core.geometry import Twist2D


class CommandTimeout:
    """Tells when zero must be sent because commands fell silent."""

    def __init__(self, timeout_s: float) -> None:
        self._timeout_s = timeout_s
        self._commanded_s: float | None = None

    def on_command(self, twist: Twist2D, now_s: float) -> None:
        """Take note of a velocity that goes to the robot."""
        self._commanded_s = None if twist.is_zero() else now_s

    def due_zero(self, now_s: float) -> bool:
        """Tell once that zero has to be sent: a velocity other than zero is older than the timeout."""
        if self._commanded_s is None or now_s - self._commanded_s <= self._timeout_s:
            return False
        self._commanded_s = None
        return True
