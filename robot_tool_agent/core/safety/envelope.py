"""Compares what the gate sent with what odometry measured, within what the robot's lag and deceleration explain."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
import math

from robot_tool_agent.core.geometry import Twist2D, ZERO_TWIST
from robot_tool_agent.core.robot import Limits

# Ticks and odometry are two more places where time is lost between command and measurement, s.
EXTRA_LAG_S = 0.1
OVERSHOOT = 0.2
SHORTFALL = 0.35
KEPT = 512


@dataclass(slots=True)
class _Band:
    """Bounds of one component: `high` and `low` for what lag and braking explain, `due` for what must be reached."""

    fall: float
    rise: float
    dead: float
    high: float = 0.0
    low: float = 0.0
    due: float = 0.0

    def update(self, most: float, least: float, dt_s: float) -> None:
        self.high = max(most, 0.0, self.high - self.fall * dt_s)
        self.low = min(least, 0.0, self.low + self.fall * dt_s)
        floor = least if least > 0.0 else min(most, 0.0)
        same_way = floor * self.due > 0.0
        grown = (abs(self.due) if same_way else 0.0) + self.rise * dt_s
        self.due = math.copysign(min(abs(floor), grown), floor)

    def exceeded(self, measured: float) -> bool:
        return not self.low * (1 + OVERSHOOT) - self.dead <= measured <= self.high * (1 + OVERSHOOT) + self.dead

    def missed(self, measured: float) -> bool:
        reached = measured * math.copysign(1.0, self.due)
        return reached < abs(self.due) * (1 - SHORTFALL) and reached < abs(self.due) - self.dead


class MotionWatch:
    """Follows outputs and measurements. The bands hold for as long a past as the robot's lag is."""

    def __init__(self, limits: Limits, band_mps: float, band_radps: float) -> None:
        self._lag_s = limits.latency_s + EXTRA_LAG_S
        self._sent: deque[tuple[float, Twist2D]] = deque(maxlen=KEPT)
        self._v = _Band(limits.max_decel_mps2, limits.max_accel_mps2, band_mps)
        self._w = _Band(limits.max_turn_decel_radps2, limits.max_turn_accel_radps2, band_radps)
        self._measured = ZERO_TWIST
        self._last_s: float | None = None

    def on_odom(self, twist: Twist2D) -> None:
        """Take a measured velocity."""
        self._measured = twist

    def on_output(self, twist: Twist2D, now_s: float) -> None:
        """Take the velocity that goes out now."""
        self._sent.append((now_s, twist))
        while len(self._sent) > 1 and self._sent[1][0] <= now_s - self._lag_s:
            self._sent.popleft()
        dt_s = 0.0 if self._last_s is None else now_s - self._last_s
        self._last_s = now_s
        forward, turning = [t.v_mps for _, t in self._sent], [t.w_radps for _, t in self._sent]
        self._v.update(max(forward), min(forward), dt_s)
        self._w.update(max(turning), min(turning), dt_s)

    def uncommanded(self) -> str:
        """Return what moves more, or another way, than the outputs explain; empty if nothing does."""
        return self._describe(self._v.exceeded(self._measured.v_mps), self._w.exceeded(self._measured.w_radps))

    def unfollowed(self) -> str:
        """Return what moves less than it should; empty if nothing does."""
        return self._describe(self._v.missed(self._measured.v_mps), self._w.missed(self._measured.w_radps))

    def _describe(self, forward: bool, turning: bool) -> str:
        if not (forward or turning):
            return ''
        sent, seen = self._sent[-1][1] if self._sent else ZERO_TWIST, self._measured
        return (
            f'sent {sent.v_mps:.2f} m/s {sent.w_radps:.2f} rad/s, '
            f'measured {seen.v_mps:.2f} m/s {seen.w_radps:.2f} rad/s'
        )
