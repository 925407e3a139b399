"""A live call: what was asked, where it is, how it ended."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from robot_tool_agent.core.journal import Admission, CallEnd
from robot_tool_agent.core.skills.base import Skill, SkillArguments


@dataclass(frozen=True, slots=True)
class CallRequest:
    """Content of one ExecuteSkill goal."""

    call_id: str
    task_id: str
    skill: str
    arguments_json: str
    requested_by: str


@dataclass(frozen=True, slots=True)
class CallResult:
    """Content of one ExecuteSkill result."""

    end: CallEnd
    replayed: bool = False


class Phase(str, Enum):
    """Where a call is, as told in feedback."""

    ADMITTING = 'admitting'
    APPROVAL = 'waiting for approval'
    CHECKING = 'checking preconditions'
    STARTING = 'starting'
    RUNNING = 'running'
    PAUSED = 'paused'
    BACKOFF = 'waiting to try again'
    STOPPING = 'standing still'
    VERIFYING = 'verifying'
    ENDING = 'storing the end'


class CancelCause(str, Enum):
    """Who wants a call to end early."""

    REQUEST = 'canceled on request'
    LEASE = 'the node that asked for it is silent'
    SHUTDOWN = 'the executor is shutting down'


@dataclass(slots=True, eq=False)
class Call:
    """One call on its way from goal to result."""

    request: CallRequest
    skill: Skill[SkillArguments]
    admission: Admission
    timeout_s: float
    admitted_wall_s: float
    phase: Phase = Phase.ADMITTING
    progress: float = 0.0
    detail: str = ''
    cancel: CancelCause | None = None
    epoch: int = 0
    leased: bool = False
    attempts: int = 0
    paused: bool = False
    was_blind: bool = False
    result: CallResult | None = None

    @property
    def call_id(self) -> str:
        """Return the idempotency key."""
        return self.request.call_id

    @property
    def denied_key(self) -> tuple[str, str]:
        """Return what a person's no is about: this skill with these arguments within this task."""
        return self.request.task_id, self.admission.fingerprint
