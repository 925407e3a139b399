"""What the journal remembers of a call."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from robot_tool_agent.core.outcomes import Effect, ErrorCode, Outcome


class CallState(str, Enum):
    """Where a call is. Only ADMITTED and REFUSED calls are sure to have moved nothing."""

    ADMITTED = 'ADMITTED'
    REFUSED = 'REFUSED'
    STARTED = 'STARTED'
    ENDED = 'ENDED'


class JournalError(Exception):
    """The journal cannot be read or written; nothing may move."""


class JournalInUseError(JournalError):
    """Another executor has the journal; a second one must not start."""


@dataclass(frozen=True, slots=True)
class Admission:
    """A call that asks to be let in. `fingerprint` is the canonical JSON of skill and arguments."""

    call_id: str
    fingerprint: str
    task_id: str
    skill: str
    arguments_json: str
    requested_by: str
    resources: frozenset[str]
    idempotent: bool
    reads_only: bool = False


@dataclass(frozen=True, slots=True)
class CallEnd:
    """How a call ended, as stored and as answered again to a repeated call_id."""

    outcome: Outcome
    effect: Effect
    error: ErrorCode | None
    message: str
    result_json: str = '{}'
    evidence_json: str = '{}'
    attempts: int = 0


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One row. Wall-clock times are for people only; nothing is decided by them."""

    admission: Admission
    state: CallState
    end: CallEnd | None
    start_json: str
    admitted_at_s: float
    started_at_s: float | None
    ended_at_s: float | None
    resolved_by: str

    @property
    def unresolved(self) -> bool:
        """Tell whether it is started without an end, or its effect is not known."""
        return self.state is CallState.STARTED or (self.end is not None and self.end.effect is Effect.UNKNOWN)


@dataclass(frozen=True, slots=True)
class Admitted:
    """The call may go on."""


@dataclass(frozen=True, slots=True)
class Replay:
    """The call ended before; this is its record."""

    record: CallRecord


@dataclass(frozen=True, slots=True)
class NotAdmitted:
    """The call may not go on."""

    error: ErrorCode
    message: str


Decision = Admitted | Replay | NotAdmitted
