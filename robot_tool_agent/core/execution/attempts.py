"""Attempts of a started call: the skill again where that is allowed, then its fallbacks in order, then what to tell."""

from __future__ import annotations

from dataclasses import replace
import json
from typing import Any

from robot_tool_agent.core.execution import motion_run
from robot_tool_agent.core.execution.call import Call, Phase
from robot_tool_agent.core.execution.hub import Hub, result_of, Steps
from robot_tool_agent.core.execution.judgement import EndReason, MotionEnd
from robot_tool_agent.core.execution.preconditions import first_refusal
from robot_tool_agent.core.execution.results import bounded_json
from robot_tool_agent.core.execution.retry import Attempt, backoff_s, left_as_it_was, may_retry
from robot_tool_agent.core.journal import JournalError
from robot_tool_agent.core.skills.base import Json, Refusal, Skill


def run_attempts(call: Call, hub: Hub, start: Json) -> Steps[Attempt]:
    """Run a call's attempts and fallbacks; return the last. It is judged by the call's own skill and start facts."""
    deadline_s = hub.now_s + call.skill.retry.deadline_s
    attempt = yield from _attempt(call, hub, call.skill, start)
    while may_retry(call.skill, attempt) and hub.now_s < deadline_s:
        interrupted = yield from _pause(call, hub, attempt)
        if interrupted is not None:
            return replace(attempt, motion=interrupted)
        if not (yield from _ready_again(call, hub, attempt)):
            return attempt
        attempt = yield from _attempt(call, hub, call.skill, start)
    for name in call.skill.fallbacks:
        other = _anew(call, hub, name)
        if not left_as_it_was(call.skill, attempt) or isinstance(other, Refusal):
            return attempt
        if other.resources <= call.skill.resources and (yield from _noted(call, hub, attempt)):
            attempt = yield from _attempt(call, hub, other, start)
    return attempt


def _anew(call: Call, hub: Hub, name: str) -> Skill[Any] | Refusal:
    return hub.registry.create(name, call.admission.arguments_json)


def _attempt(call: Call, hub: Hub, skill: Skill[Any], start: Json) -> Steps[Attempt]:
    call.phase, call.attempts = Phase.RUNNING, call.attempts + 1
    motion = yield from motion_run.drive(call, hub, skill)
    since = yield from motion_run.stand_still(call, hub)
    if since is None:
        return Attempt(call.attempts, _not_standing(motion), None)
    verdict = yield from motion_run.verify(call, hub, start, since)
    return Attempt(call.attempts, motion, verdict)


def _not_standing(motion: MotionEnd) -> MotionEnd:
    """Return the end of a motion whose standstill was not seen. Where safety has the robot, that stays the reason."""
    message = '; '.join(part for part in (motion.message, 'standstill was not seen') if part)
    reason = motion.reason if motion.reason is EndReason.SAFETY else EndReason.NOT_STANDING
    return MotionEnd(reason, motion.error, message)


def _pause(call: Call, hub: Hub, last: Attempt) -> Steps[MotionEnd | None]:
    """Wait before another attempt; return what interrupted the wait."""
    call.phase = Phase.BACKOFF
    pause_s = backoff_s(call.skill.retry, last.number, hub.ports.jitter())
    call.detail = f'attempt {last.number} failed, next in {pause_s:.1f} s'
    begin_s = hub.now_s + pause_s
    while hub.now_s < begin_s:
        interrupted = motion_run.interruption(call, hub)
        if interrupted is not None:
            return interrupted
        yield
    return None


def _ready_again(call: Call, hub: Hub, last: Attempt) -> Steps[bool]:
    """Check the preconditions anew and store that another attempt begins."""
    skill = _anew(call, hub, call.request.skill)
    if isinstance(skill, Refusal):
        return False
    call.skill = skill
    return first_refusal(call, hub) is None and (yield from _noted(call, hub, last))


def _noted(call: Call, hub: Hub, last: Attempt) -> Steps[bool]:
    """Store what the sensors showed after an attempt, before the next one moves; without that there is no next one."""
    evidence = {} if last.verdict is None else last.verdict.evidence
    text = bounded_json({'attempt': last.number, 'ended': last.motion.message, 'evidence': evidence})
    wall_s, number = hub.turn.wall_s, call.attempts + 1
    try:
        yield from result_of(
            hub, hub.ports.submit(lambda: hub.journal.note_attempt(call.call_id, number, text, wall_s))
        )
    except JournalError as error:
        hub.ports.log(f'{call.call_id}: attempt not stored, so there is none: {error}')
        return False
    return True


def with_offer(call: Call, hub: Hub, attempt: Attempt, result_json: str) -> str:
    """Return a result with the offer of a call that would tidy up, if the skill has one."""
    offer = None if attempt.verdict is None else call.skill.compensation(hub.view, attempt.verdict)
    if offer is None:
        return result_json
    return bounded_json(
        {'compensation': {'skill': offer.skill, 'arguments': offer.arguments}, **json.loads(result_json)}
    )
