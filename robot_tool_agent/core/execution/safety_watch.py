"""What the executor knows of the safety node. Silence is not permission."""

from __future__ import annotations

from robot_tool_agent.core.safety_state import SafetyMode, SafetyView

_HINTS = {
    SafetyMode.STARTING: 'wait until its inputs are fresh',
    SafetyMode.STOPPING: 'wait until it ends',
    SafetyMode.RETREATING: 'wait until it ends',
    SafetyMode.SAFE: 'wait for it to re-arm, or an operator must reset it',
    SafetyMode.HOLDING: 'an operator must reset it',
    SafetyMode.ESTOPPED: 'an operator must reset it',
}


class SafetyWatch:
    """Keeps the last safety_state and the steady time of its arrival."""

    def __init__(self, limit_s: float) -> None:
        self._limit_s = limit_s
        self._heard_s = -float('inf')
        self._retreat_epoch = -1
        self.view: SafetyView | None = None

    def on_view(self, view: SafetyView, now_s: float) -> bool:
        """Take a safety_state message. Return whether it comes from another boot of the safety node than the last."""
        restarted = self.view is not None and self.view.boot_id != view.boot_id
        self.view = view
        self._heard_s = now_s
        if view.mode is SafetyMode.RETREATING:
            self._retreat_epoch = view.epoch
        return restarted

    def forget(self) -> None:
        """Count as silent until the next message that can be read."""
        self._heard_s = -float('inf')

    def is_silent(self, now_s: float) -> bool:
        """Tell whether no safety_state came within the limit."""
        return now_s - self._heard_s > self._limit_s

    def allows(self, now_s: float) -> bool:
        """Tell whether the safety node is heard, READY and lets motion through."""
        ready = self.view is not None and self.view.mode is SafetyMode.READY and self.view.motion_allowed
        return ready and not self.is_silent(now_s)

    def allows_epoch(self, epoch: int, now_s: float) -> bool:
        """Tell whether motion is allowed and the epoch is still the one it was when the call started."""
        return self.allows(now_s) and self.view is not None and self.view.epoch == epoch

    def is_retreating(self) -> bool:
        """Tell whether the safety node is moving the robot by itself."""
        return self.view is not None and self.view.mode is SafetyMode.RETREATING

    def has_moved_it_since(self, epoch: int) -> bool:
        """
        Tell whether the safety node may have moved the robot by itself since the epoch in which a call ran.

        It may if it is in a later epoch than the one in which it left READY, if it retreats or retreated, or if it is
        SAFE, which is where a retreat ends.
        """
        view = self.view
        if view is None or view.epoch not in (epoch, epoch + 1):
            return True
        retreated = view.epoch == self._retreat_epoch or view.fault.startswith('RETREAT')
        return retreated or view.mode in (SafetyMode.RETREATING, SafetyMode.SAFE)

    def explain(self, now_s: float) -> str:
        """Return why motion is not allowed and what would change that."""
        if self.view is None or self.is_silent(now_s):
            return 'the safety node is silent; it must run before anything moves'
        fault = f' after {self.view.fault}' if self.view.fault else ''
        hint = _HINTS.get(self.view.mode, 'a new call may be sent')
        return f'safety is {self.view.mode.name}{fault}; {hint}'
