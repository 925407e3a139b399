"""From why the motion ended and what the sensors show to outcome, effect and code. A skill's word is no proof."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from robot_tool_agent.core.execution.results import bounded_json, bounded_text
from robot_tool_agent.core.journal import CallEnd
from robot_tool_agent.core.outcomes import Effect, ErrorCode, Outcome
from robot_tool_agent.core.skills.base import Json, Verdict


class EndReason(Enum):
    """Why a motion ended."""

    FINISHED = 'finished'
    FAILED = 'failed'
    CANCELED = 'canceled'
    SAFETY = 'stopped by safety'
    NOT_STANDING = 'did not come to rest'


@dataclass(frozen=True, slots=True)
class MotionEnd:
    """Why a motion ended, with the code and words for it."""

    reason: EndReason
    error: ErrorCode | None = None
    message: str = ''


# A goal is reached by a change that was made whole, or needed none.
_WHOLE = (Effect.DONE, Effect.NONE)

_OUTCOMES = {
    EndReason.FAILED: Outcome.FAILED,
    EndReason.CANCELED: Outcome.CANCELED,
    EndReason.SAFETY: Outcome.STOPPED,
    EndReason.NOT_STANDING: Outcome.UNKNOWN,
}


def judge(motion: MotionEnd, verdict: Verdict | None, attempts: int) -> CallEnd:
    """Return the end of a call that was started. `verdict` None means that the sensors could not tell."""
    if verdict is None:
        return _unseen(motion, attempts)
    if motion.reason in (EndReason.FINISHED, EndReason.FAILED) and verdict.reached and verdict.effect in _WHOLE:
        message = verdict.message
        return _end(Outcome.SUCCEEDED, verdict.effect, None, message, verdict.result, verdict.evidence, attempts)
    effect = Effect.UNKNOWN if motion.reason is EndReason.NOT_STANDING else verdict.effect
    error = motion.error or verdict.error
    message = '; '.join(part for part in (motion.message, verdict.message) if part)
    outcome = _OUTCOMES.get(motion.reason, Outcome.FAILED)
    if outcome is Outcome.FAILED and effect is Effect.UNKNOWN:
        outcome = Outcome.UNKNOWN
    return _end(outcome, effect, error, message, verdict.result, verdict.evidence, attempts)


def _unseen(motion: MotionEnd, attempts: int) -> CallEnd:
    outcome = Outcome.STOPPED if motion.reason is EndReason.SAFETY else Outcome.UNKNOWN
    error = motion.error or ErrorCode.STALE_SENSOR
    unseen = 'no sensor data newer than standstill show what happened'
    message = '; '.join(part for part in (motion.message, unseen) if part)
    return _end(outcome, Effect.UNKNOWN, error, message, {}, {}, attempts)


def refused(error: ErrorCode, message: str, details: Json | None = None) -> CallEnd:
    """Return the end of a call that was refused before anything moved."""
    return _end(Outcome.REJECTED, Effect.NONE, error, message, {}, details or {}, 0)


def canceled_before_start(message: str) -> CallEnd:
    """Return the end of a call that was cancelled before anything moved."""
    return _end(Outcome.CANCELED, Effect.NONE, ErrorCode.CANCELED, message, {}, {}, 0)


def _end(
    outcome: Outcome,
    effect: Effect,
    error: ErrorCode | None,
    message: str,
    result: Json,
    evidence: Json,
    attempts: int,
) -> CallEnd:
    text = bounded_text(message)
    return CallEnd(outcome, effect, error, text, bounded_json(result), bounded_json(evidence), attempts)
