"""How often a skill may be tried, and after which ends. Finite by construction."""

from __future__ import annotations

from dataclasses import dataclass

from robot_tool_agent.core.execution.judgement import EndReason, MotionEnd
from robot_tool_agent.core.outcomes import Effect, ErrorCode
from robot_tool_agent.core.skills.base import RetryPolicy, Skill, SkillArguments, Verdict

# Ends that another try cannot mend, or that are not ours to try again.
FINAL = frozenset({ErrorCode.TIMEOUT, ErrorCode.STALE_SENSOR})
NOT_IDEMPOTENT_ATTEMPTS = 2


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt that has ended: its number from 1, why it ended, what the sensors showed."""

    number: int
    motion: MotionEnd
    verdict: Verdict | None


def attempts_allowed(skill: Skill[SkillArguments]) -> int:
    """Return how many attempts a call may make at most; a motion that is not idempotent two."""
    policy = skill.retry
    return policy.attempts if skill.idempotent else min(policy.attempts, NOT_IDEMPOTENT_ATTEMPTS)


def left_as_it_was(skill: Skill[SkillArguments], last: Attempt) -> bool:
    """
    Tell whether the goal may be tried for again (rule 10).

    Only after a motion that ended by itself and did not reach its goal; for a motion that is not idempotent only if the
    sensors have proved that it changed nothing.
    """
    ended_by_itself = last.motion.reason in (EndReason.FINISHED, EndReason.FAILED)
    if not ended_by_itself or last.motion.error in FINAL or last.verdict is None or last.verdict.reached:
        return False
    return skill.idempotent or last.verdict.effect is Effect.NONE


def may_retry(skill: Skill[SkillArguments], last: Attempt) -> bool:
    """Tell whether the same skill may be tried again."""
    return last.number < attempts_allowed(skill) and left_as_it_was(skill, last)


def backoff_s(policy: RetryPolicy, number: int, jitter: float) -> float:
    """Return the pause after attempt `number`: doubled each time, times 1 to 1 + policy.jitter (`jitter` in 0 to 1)."""
    return float(policy.backoff_s * 2.0 ** (number - 1) * (1.0 + policy.jitter * jitter))
