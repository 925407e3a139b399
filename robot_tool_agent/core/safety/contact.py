"""What a pressed bumper means for the motion that may follow."""

from __future__ import annotations


class Contact:
    """Remembers which way the robot drove into a contact, and whether a person has let it drive out of it again."""

    def __init__(self) -> None:
        self._pressed = False
        self._acknowledged = False
        self._heading = 1
        self._hit_heading = 1

    def on_output(self, v_mps: float) -> None:
        """Take the speed that goes out; a standing robot keeps its last direction."""
        if v_mps != 0.0:
            self._heading = 1 if v_mps > 0.0 else -1

    def on_bumper(self, pressed: bool) -> None:
        """Take the bumper's state."""
        if pressed and not self._pressed:
            self._hit_heading = self._heading
        self._pressed = pressed
        self._acknowledged = self._acknowledged and pressed

    def acknowledge(self) -> None:
        """Let motion away from a contact that still stands pass: a person reset the robot."""
        self._acknowledged = self._pressed

    @property
    def alarming(self) -> bool:
        """Tell whether there is a contact nobody has acknowledged."""
        return self._pressed and not self._acknowledged

    @property
    def escape(self) -> int:
        """Sign of forward speed that leads away from the standing contact, 0 without contact."""
        return -self._hit_heading if self._pressed else 0
