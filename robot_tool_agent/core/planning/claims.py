"""Honesty check: a claim of success counts only with verified calls behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from robot_tool_agent.core.outcomes import Outcome


class ClaimKind(str, Enum):
    """What a final text says. The words are those a model is told to begin its final text with."""

    DONE = 'DONE'
    ANSWER = 'ANSWER'
    FAILED = 'FAILED'
    QUESTION = 'QUESTION'


@dataclass(frozen=True, slots=True)
class Claim:
    """A final text, read."""

    kind: ClaimKind
    text: str


@dataclass(frozen=True, slots=True)
class CallEnd:
    """
    How one call of the task ended, as far as claims are concerned.

    `step`: which reply it came from. `foreseen`: it failed, and the model's plan says what to do then.
    """

    skill: str
    reads_only: bool
    outcome: Outcome
    replayed: bool
    step: int | None = None
    foreseen: bool = False

    @property
    def verified(self) -> bool:
        """Tell whether sensors showed the goal state in this very run."""
        return self.outcome is Outcome.SUCCEEDED and not self.replayed


def read_claim(text: str) -> Claim:
    """Read a final text. Without a known first word it is a question if it ends like one, else a claim of work done."""
    stripped = text.strip()
    for kind in ClaimKind:
        head, colon, rest = stripped.partition(':')
        if colon and head.strip('* ').upper() == kind.value:
            return Claim(kind, rest.strip('* '))
    return Claim(ClaimKind.QUESTION if stripped.endswith(('?', '？')) else ClaimKind.DONE, stripped)


def supported(claim: Claim, ends: Sequence[CallEnd]) -> bool:
    """
    Tell whether the calls of the task carry the claim.

    DONE needs its last call that acts on the world verified, ANSWER a verified call of any kind; for both, no call may
    have failed after it, nor beside it: of calls that ran side by side the one that ends last makes up for no other.
    A text that claims no success needs nothing.
    """
    if claim.kind not in (ClaimKind.DONE, ClaimKind.ANSWER):
        return True
    acting = [place for place, end in enumerate(ends) if not end.reads_only]
    if claim.kind is ClaimKind.DONE and not acting:
        return False
    if not ends:
        return False
    last = acting[-1] if acting else len(ends) - 1
    return all(end.verified for end in ends[last:]) and not _failed_beside(ends[last], ends[:last])


def _failed_beside(last: CallEnd, earlier: Sequence[CallEnd]) -> bool:
    same = (end for end in earlier if last.step is not None and end.step == last.step)
    return any(not end.verified and not end.foreseen for end in same)
