"""Liveness by content: a node lives while its heartbeat's sequence rises."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class _Pulse:
    boot_id: int
    sequence: int
    heard_s: float


class HeartbeatMonitor:
    """Remembers the last rising heartbeat of each node."""

    def __init__(self, limit_s: float) -> None:
        self.limit_s = limit_s
        self._pulses: dict[str, _Pulse] = {}

    def heard(self, node: str, boot_id: int, sequence: int, now_s: float) -> None:
        """
        Take one heartbeat. A sequence that did not rise within a boot, or an older boot, is no sign of life.

        Boots are numbered by the wall clock, which may have been set back: once the known boot is silent beyond the
        limit, any other boot is the new one.
        """
        pulse = self._pulses.get(node)
        if (
            pulse is None
            or (boot_id, sequence) > (pulse.boot_id, pulse.sequence)
            or self._succeeds(pulse, boot_id, now_s)
        ):
            self._pulses[node] = _Pulse(boot_id, sequence, now_s)

    def _succeeds(self, pulse: _Pulse, boot_id: int, now_s: float) -> bool:
        return boot_id != pulse.boot_id and now_s - pulse.heard_s > self.limit_s

    def known(self, node: str) -> bool:
        """Tell whether the node was ever heard."""
        return node in self._pulses

    def boot_id(self, node: str) -> int | None:
        """Return the boot the node was last heard in, None if never."""
        pulse = self._pulses.get(node)
        return None if pulse is None else pulse.boot_id

    def age_s(self, node: str, now_s: float) -> float:
        """Return the seconds since the last sign of life, infinite if there was none."""
        pulse = self._pulses.get(node)
        return float('inf') if pulse is None else now_s - pulse.heard_s

    def deadline_s(self, node: str) -> float:
        """Return the time beyond which the node counts as lost without another sign of life."""
        pulse = self._pulses.get(node)
        return -float('inf') if pulse is None else pulse.heard_s + self.limit_s

    def alive(self, node: str, now_s: float) -> bool:
        """Tell whether the node gave a sign of life within the limit."""
        return self.age_s(node, now_s) <= self.limit_s
