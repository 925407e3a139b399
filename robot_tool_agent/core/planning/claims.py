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
    """How one call of the task ended, as far as claims are concerned."""

    skill: str
    reads_only: bool
    outcome: Outcome
    replayed: bool

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
    """Tell whether the calls of the task carry the claim.

    DONE needs its last call that acts on the world verified, ANSWER a verified call of any kind; for both, no call may
    have failed after it. A text that claims no success needs nothing.
    """
    if claim.kind not in (ClaimKind.DONE, ClaimKind.ANSWER):
        return True
    acting = [place for place, end in enumerate(ends) if not end.reads_only]
    if claim.kind is ClaimKind.DONE and not acting:
        return False
    if acting:
        return ends[acting[-1]].verified and all(end.verified for end in ends[acting[-1] + 1 :])
    return bool(ends) and ends[-1].verified
