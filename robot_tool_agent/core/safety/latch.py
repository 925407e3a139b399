"""Why the robot is stopped: the strongest of the faults since READY, and how it may come back."""

from __future__ import annotations

from dataclasses import dataclass

from robot_tool_agent.core.safety.faults import Fault, FaultCode, Reaction, Rearm


@dataclass(frozen=True, slots=True)
class Cause:
    """One fault that struck, with the reaction it asks for."""

    row: Fault
    reaction: Reaction
    detail: str

    @property
    def rank(self) -> tuple[int, bool]:
        """Order of strength: first the reaction, then whether a person is needed."""
        return int(self.reaction), self.row.rearm is Rearm.RESET


class Latch:
    """Keeps the strongest cause until it is cleared; of equals the first."""

    def __init__(self) -> None:
        self.cause: Cause | None = None

    def add(self, cause: Cause) -> None:
        """Take one more fault."""
        if self.cause is None or cause.rank > self.cause.rank:
            self.cause = cause

    def replace(self, cause: Cause) -> None:
        """Take a fault that followed from the latched one and now explains the state."""
        self.cause = cause

    def clear(self) -> None:
        """Forget: the robot was re-armed."""
        self.cause = None

    @property
    def code(self) -> FaultCode | None:
        """Code of the cause, None if there is none."""
        return None if self.cause is None else self.cause.row.code

    @property
    def reaction(self) -> Reaction:
        """Reaction of the cause; HOLD, the one without motion, if there is none."""
        return Reaction.HOLD if self.cause is None else self.cause.reaction

    @property
    def rearm(self) -> Rearm:
        """How the robot comes back; if a fault among the causes needs a person, by reset."""
        return Rearm.RESET if self.cause is None else self.cause.row.rearm
