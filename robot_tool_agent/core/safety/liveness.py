"""Which other nodes live, and whether the executor lived before this safety process."""

from __future__ import annotations

from enum import Enum
import math

from robot_tool_agent.core.heartbeats import HeartbeatMonitor
from robot_tool_agent.core.safety.config import SafetyConfig

EXECUTOR, PLANNER, SAFETY = 'executor', 'planner', 'safety'
HEARTBEAT_PERIOD_S = 0.1
RIVAL_MEMORY_S = 0.5


class Finding(Enum):
    """What one heartbeat can reveal beside life; the value is the detail to tell."""

    OLDER = 'the executor was running before this safety node'
    REPLACED = 'the executor was replaced by a new one'


class ExecutorWatch:
    """Follows the executor's heartbeat. Other nodes' heartbeats are none of its business."""

    def __init__(self, began_s: float, timeout_s: float, restart_margin_s: float) -> None:
        self.limit_s = timeout_s
        self._began_s = began_s
        self._margin_s = restart_margin_s
        self._monitor = HeartbeatMonitor(timeout_s)

    def heard(self, node: str, boot_id: int, sequence: int, now_s: float) -> Finding | None:
        """
        Take a heartbeat and return what it reveals.

        An executor that had beaten for longer than this process runs, plus the margin, when first heard was running
        under an earlier safety process: in a common start the two come up within the margin. Boot numbers are no
        measure of age, since the wall clock they come from may have been set.
        """
        if node != EXECUTOR:
            return None
        known = self._monitor.boot_id(EXECUTOR)
        self._monitor.heard(node, boot_id, sequence, now_s)
        if known is not None:
            return Finding.REPLACED if self._monitor.boot_id(EXECUTOR) != known else None
        older_s = sequence * HEARTBEAT_PERIOD_S - (now_s - self._began_s)
        return Finding.OLDER if older_s > self._margin_s else None

    def alive(self, now_s: float) -> bool:
        """Tell whether the executor gave a sign of life within the limit."""
        return self._monitor.alive(EXECUTOR, now_s)

    @property
    def deadline_s(self) -> float:
        """Return the time beyond which the executor counts as lost without another sign of life."""
        return self._monitor.deadline_s(EXECUTOR)

    def age_s(self, now_s: float) -> float:
        """Return the seconds since the executor's last sign of life, infinite if there was none."""
        return self._monitor.age_s(EXECUTOR, now_s)


class Peers:
    """Follows executor, planner and, if there should be one, a second safety node."""

    def __init__(self, config: SafetyConfig, boot_id: int, now_s: float) -> None:
        self._boot_id = boot_id
        self.executor = ExecutorWatch(now_s, config.executor_timeout_s, config.restart_margin_s)
        self._planner = HeartbeatMonitor(config.planner_timeout_s)
        self._rival_s = -math.inf

    def heard(self, node: str, boot_id: int, sequence: int, now_s: float) -> Finding | None:
        """Take a heartbeat and return what it reveals of the executor."""
        if node == PLANNER:
            self._planner.heard(node, boot_id, sequence, now_s)
        elif node == SAFETY and boot_id != self._boot_id:
            self._rival_s = now_s
        return self.executor.heard(node, boot_id, sequence, now_s)

    def planner_lost(self, now_s: float) -> bool:
        """Tell whether there was a planner and it is silent. A system without one has lost nothing."""
        return self._planner.known(PLANNER) and not self._planner.alive(PLANNER, now_s)

    def rival_safety(self, now_s: float) -> bool:
        """Tell whether another safety node is alive right now."""
        return now_s - self._rival_s <= RIVAL_MEMORY_S
