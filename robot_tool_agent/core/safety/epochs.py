"""The epoch: commands of one READY period can never act in another."""

from __future__ import annotations

from robot_tool_agent.core.safety_state import SafetyMode

SPAN = 1_000_000


class Epoch:
    """
    Counts entries to and exits from READY.

    The count starts at the boot number, wall-clock nanoseconds, so every epoch of a boot lies above all of earlier
    boots: transitions are far rarer than one a nanosecond.
    """

    def __init__(self, boot_id: int) -> None:
        self._first = boot_id
        self.value = boot_id

    def on_change(self, old: SafetyMode, new: SafetyMode) -> None:
        """Take a change of mode."""
        if (old is SafetyMode.READY) != (new is SafetyMode.READY):
            self.value += 1

    def is_of_another_boot(self, epoch: int) -> bool:
        """
        Tell whether an epoch was announced by another safety process.

        It may lie above this one's: the wall clock may have been set back. Boots are a millisecond apart at least, and
        no boot enters or leaves READY a million times.
        """
        return epoch != 0 and not self._first <= epoch < self._first + SPAN
