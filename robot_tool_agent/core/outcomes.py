"""How a call ended, what it did to the world, and what its caller should do next. One closed vocabulary."""

from __future__ import annotations

from enum import Enum, IntEnum


class Outcome(IntEnum):
    """Why a call ended. Values are those of ExecuteSkill.action."""

    SUCCEEDED = 1
    REJECTED = 2
    FAILED = 3
    CANCELED = 4
    STOPPED = 5
    UNKNOWN = 6


class Effect(IntEnum):
    """What a call did to the world. Values are those of ExecuteSkill.action (EFFECT_*)."""

    NONE = 0
    PARTIAL = 1
    DONE = 2
    UNKNOWN = 3


class TaskStatus(IntEnum):
    """How a task ended. Values are those of RunTask.action."""

    SUCCEEDED = 1
    FAILED = 2
    CANCELED = 3
    NEEDS_OPERATOR = 4
    UNVERIFIED = 5


class Advice(str, Enum):
    """What the caller of a failed call should do."""

    RETRY = 'RETRY'
    FIX_ARGUMENTS = 'FIX_ARGUMENTS'
    CHOOSE_ANOTHER = 'CHOOSE_ANOTHER'
    WAIT = 'WAIT'
    ASK_OPERATOR = 'ASK_OPERATOR'
    STOP = 'STOP'


class Origin(str, Enum):
    """Where a failure arose."""

    MODEL = 'MODEL'
    ARGUMENTS = 'ARGUMENTS'
    WORLD = 'WORLD'
    EXECUTION = 'EXECUTION'
    STATE = 'STATE'
    SAFETY = 'SAFETY'
    OPERATOR = 'OPERATOR'


class ErrorCode(str, Enum):
    """Closed list of reasons why a call did not succeed."""

    INVALID_JSON = 'INVALID_JSON'
    UNKNOWN_SKILL = 'UNKNOWN_SKILL'
    INVALID_ARGUMENT = 'INVALID_ARGUMENT'
    UNKNOWN_ENTITY = 'UNKNOWN_ENTITY'
    PRECONDITION_FAILED = 'PRECONDITION_FAILED'
    STALE_SENSOR = 'STALE_SENSOR'
    RESOURCE_BUSY = 'RESOURCE_BUSY'
    SAFETY_LOCKED = 'SAFETY_LOCKED'
    APPROVAL_DENIED = 'APPROVAL_DENIED'
    APPROVAL_EXPIRED = 'APPROVAL_EXPIRED'
    IDEMPOTENCY_MISMATCH = 'IDEMPOTENCY_MISMATCH'
    IN_PROGRESS = 'IN_PROGRESS'
    UNRESOLVED_CALL = 'UNRESOLVED_CALL'
    CIRCUIT_OPEN = 'CIRCUIT_OPEN'
    RATE_LIMITED = 'RATE_LIMITED'
    TIMEOUT = 'TIMEOUT'
    VERIFICATION_FAILED = 'VERIFICATION_FAILED'
    EXECUTION_ERROR = 'EXECUTION_ERROR'
    STOPPED_BY_SAFETY = 'STOPPED_BY_SAFETY'
    CANCELED = 'CANCELED'
    RESTARTED = 'RESTARTED'
    JOURNAL_UNAVAILABLE = 'JOURNAL_UNAVAILABLE'
    # Ends of a task that no call explains.
    NEEDS_ANSWER = 'NEEDS_ANSWER'
    GAVE_UP = 'GAVE_UP'
    BUDGET_EXHAUSTED = 'BUDGET_EXHAUSTED'
    MODEL_UNAVAILABLE = 'MODEL_UNAVAILABLE'

    @property
    def origin(self) -> Origin:
        """Where the failure arose."""
        return _CLASSES[self][0]

    @property
    def advice(self) -> Advice:
        """Return what the caller should do next."""
        return _CLASSES[self][1]


_CLASSES = {
    ErrorCode.INVALID_JSON: (Origin.MODEL, Advice.FIX_ARGUMENTS),
    ErrorCode.UNKNOWN_SKILL: (Origin.MODEL, Advice.CHOOSE_ANOTHER),
    ErrorCode.INVALID_ARGUMENT: (Origin.ARGUMENTS, Advice.FIX_ARGUMENTS),
    ErrorCode.UNKNOWN_ENTITY: (Origin.ARGUMENTS, Advice.FIX_ARGUMENTS),
    ErrorCode.PRECONDITION_FAILED: (Origin.WORLD, Advice.CHOOSE_ANOTHER),
    ErrorCode.STALE_SENSOR: (Origin.WORLD, Advice.WAIT),
    ErrorCode.RESOURCE_BUSY: (Origin.STATE, Advice.WAIT),
    ErrorCode.SAFETY_LOCKED: (Origin.SAFETY, Advice.WAIT),
    ErrorCode.APPROVAL_DENIED: (Origin.OPERATOR, Advice.STOP),
    ErrorCode.APPROVAL_EXPIRED: (Origin.OPERATOR, Advice.ASK_OPERATOR),
    ErrorCode.IDEMPOTENCY_MISMATCH: (Origin.STATE, Advice.FIX_ARGUMENTS),
    ErrorCode.IN_PROGRESS: (Origin.STATE, Advice.WAIT),
    ErrorCode.UNRESOLVED_CALL: (Origin.STATE, Advice.ASK_OPERATOR),
    ErrorCode.CIRCUIT_OPEN: (Origin.STATE, Advice.CHOOSE_ANOTHER),
    ErrorCode.RATE_LIMITED: (Origin.STATE, Advice.WAIT),
    ErrorCode.TIMEOUT: (Origin.EXECUTION, Advice.CHOOSE_ANOTHER),
    ErrorCode.VERIFICATION_FAILED: (Origin.WORLD, Advice.CHOOSE_ANOTHER),
    ErrorCode.EXECUTION_ERROR: (Origin.EXECUTION, Advice.CHOOSE_ANOTHER),
    ErrorCode.STOPPED_BY_SAFETY: (Origin.SAFETY, Advice.WAIT),
    ErrorCode.CANCELED: (Origin.OPERATOR, Advice.STOP),
    ErrorCode.RESTARTED: (Origin.STATE, Advice.ASK_OPERATOR),
    ErrorCode.JOURNAL_UNAVAILABLE: (Origin.STATE, Advice.ASK_OPERATOR),
    ErrorCode.NEEDS_ANSWER: (Origin.MODEL, Advice.ASK_OPERATOR),
    ErrorCode.GAVE_UP: (Origin.MODEL, Advice.STOP),
    ErrorCode.BUDGET_EXHAUSTED: (Origin.MODEL, Advice.STOP),
    ErrorCode.MODEL_UNAVAILABLE: (Origin.MODEL, Advice.STOP),
}
