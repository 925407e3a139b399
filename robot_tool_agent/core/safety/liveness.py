"""Whether the executor lives, and whether it lived before this safety process."""

from __future__ import annotations

from enum import Enum

from robot_tool_agent.core.heartbeats import HeartbeatMonitor

EXECUTOR = 'executor'
HEARTBEAT_PERIOD_S = 0.1


class Finding(Enum):
    """What one heartbeat can reveal beside life; the value is the detail to tell."""

    OLDER = 'the executor was running before this safety node'
    REPLACED = 'the executor was replaced by a new one'


class ExecutorWatch:
    """Follows the executor's heartbeat. Other nodes' heartbeats are none of its business."""

    def __init__(self, own_boot_id: int, timeout_s: float, restart_margin_s: float) -> None:
        self._own_boot_id = own_boot_id
        self._margin_s = restart_margin_s
        self._monitor = HeartbeatMonitor(timeout_s)

    def heard(self, node: str, boot_id: int, sequence: int, now_s: float) -> Finding | None:
        """Take a heartbeat and return what it reveals.

        An executor that booted before this process and had beaten for longer than the margin when first heard was
        running under an earlier safety process: in a common start the two come up within the margin.
        """
        if node != EXECUTOR:
            return None
        known = self._monitor.boot_id(EXECUTOR)
        self._monitor.heard(node, boot_id, sequence, now_s)
        if known is not None:
            return Finding.REPLACED if boot_id > known else None
        older = boot_id < self._own_boot_id and sequence * HEARTBEAT_PERIOD_S > self._margin_s
        return Finding.OLDER if older else None

    def alive(self, now_s: float) -> bool:
        """Tell whether the executor gave a sign of life within the limit."""
        return self._monitor.alive(EXECUTOR, now_s)
