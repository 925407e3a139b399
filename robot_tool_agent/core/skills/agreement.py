"""Whether odometry and localization tell the same story while the base moves."""

from __future__ import annotations

from robot_tool_agent.core.sensors import SensorView
from robot_tool_agent.core.skills.base import Json
from robot_tool_agent.core.skills.travel import pose_facts, travel_since

WINDOW_S = 3.0
PERSISTENCE_S = 0.5


class Agreement:
    """
    Compares what both saw over the last seconds, so that slow drift of odometry over a long way is no contradiction.

    A jump of odometry breaks it at once: what was measured before cannot be compared with what is measured after.
    """

    def __init__(self, view: SensorView) -> None:
        self._jumps = view.jumps
        self._start: Json = pose_facts(view)
        self._started_s: float | None = None
        self._broken_since_s: float | None = None

    def broken(self, view: SensorView, now_s: float) -> str:
        """Return how the sensors disagree, an empty text while they do not. `now_s` is steady time."""
        if view.jumps != self._jumps:
            return 'odometry jumped'
        self._started_s = now_s if self._started_s is None else self._started_s
        travel = travel_since(view, self._start)
        text = '' if travel is None else travel.contradiction
        if not text:
            self._broken_since_s = None
            if travel is None or now_s - self._started_s >= WINDOW_S:
                self._start, self._started_s = pose_facts(view), now_s
            return ''
        self._broken_since_s = now_s if self._broken_since_s is None else self._broken_since_s
        return text if now_s - self._broken_since_s >= PERSISTENCE_S else ''
