"""The part of a call in which the robot moves: drive by ticks, stand still, verify."""

from __future__ import annotations

import traceback

from robot_tool_agent.core.execution.call import Call, Phase
from robot_tool_agent.core.execution.hub import Hub, Steps
from robot_tool_agent.core.execution.judgement import EndReason, MotionEnd
from robot_tool_agent.core.execution.ports import Turn
from robot_tool_agent.core.execution.preconditions import stale_sensor
from robot_tool_agent.core.geometry import ZERO_TWIST
from robot_tool_agent.core.motion import Motion, MotionRequest
from robot_tool_agent.core.outcomes import ErrorCode
from robot_tool_agent.core.sensors import Instant, newer
from robot_tool_agent.core.skills.base import Json, Resource, Step, StepStatus, Verdict


def drive(call: Call, hub: Hub, turn: Turn) -> Steps[MotionEnd]:
    """Tick the skill until its motion is over or must end, then close the call at the gate."""
    deadline_s = turn.now_s + call.timeout_s
    try:
        call.skill.begin(hub.view, turn.now_s)
        while True:
            end = _must_end(call, hub, turn.now_s, deadline_s)
            if end is None and turn.tick:
                step = call.skill.tick(hub.view, turn.now_s)
                _follow(call, hub, step)
                end = _over(step)
            if end is not None:
                return end
            turn = yield
    except Exception as error:  # whatever a skill raises half way, the robot must come to rest and be looked at
        hub.ports.log(f'{call.call_id}: {traceback.format_exc()}')
        return MotionEnd(EndReason.FAILED, ErrorCode.EXECUTION_ERROR, f'internal error: {type(error).__name__}')
    finally:
        close(call, hub)


def close(call: Call, hub: Hub) -> None:
    """Tell the gate that nothing more comes under this call."""
    if call.skill.reads_only:
        return
    twist = ZERO_TWIST if Resource.BASE in call.skill.resources else None
    hub.ports.send_motion(MotionRequest(call.epoch, call.call_id, twist=twist, last=True))


def _must_end(call: Call, hub: Hub, now_s: float, deadline_s: float) -> MotionEnd | None:
    if not call.skill.reads_only and not hub.safety.allows_epoch(call.epoch, now_s):
        return MotionEnd(EndReason.SAFETY, ErrorCode.STOPPED_BY_SAFETY, hub.safety.explain(now_s))
    if hub.wants_end(call, now_s):
        assert call.cancel is not None
        return MotionEnd(EndReason.CANCELED, ErrorCode.CANCELED, call.cancel.value)
    stale = stale_sensor(call, hub, now_s)
    if stale is not None:
        return MotionEnd(EndReason.FAILED, stale.error, stale.message)
    if now_s >= deadline_s:
        return MotionEnd(EndReason.FAILED, ErrorCode.TIMEOUT, f'not finished within {call.timeout_s:g} s')
    return None


def _over(step: Step) -> MotionEnd | None:
    if step.status is StepStatus.FINISHED:
        return MotionEnd(EndReason.FINISHED)
    if step.status is StepStatus.FAILED:
        return MotionEnd(EndReason.FAILED, step.error or ErrorCode.EXECUTION_ERROR, step.detail)
    return None


def _follow(call: Call, hub: Hub, step: Step) -> None:
    call.progress, call.detail = step.progress, step.detail
    motion: Motion | None = step.motion
    if motion is not None and step.status is StepStatus.RUNNING:
        request = MotionRequest(call.epoch, call.call_id, motion.profile, motion.twist, motion.joints)
        hub.ports.send_motion(request)


def stand_still(call: Call, hub: Hub, turn: Turn) -> Steps[Instant | None]:
    """Wait for odometry, measured after the motion ended, that shows standstill for `settle_s`.

    Return the instant it was seen, None if it was not within `stand_timeout_s`. Stamps are compared with the robot's
    own only, so that its clock may differ from ours.
    """
    call.phase = Phase.STOPPING
    last = hub.view.odom
    ended = Instant(-float('inf') if last is None else last.stamp_s, turn.now_s)
    deadline_s = turn.now_s + hub.config.stand_timeout_s
    still_since_s: float | None = None
    while turn.now_s < deadline_s:
        odom = hub.view.odom
        if odom is None or not newer(odom, ended) or not hub.view.base_stands():
            still_since_s = None
        elif still_since_s is None:
            still_since_s = odom.stamp_s
        elif odom.stamp_s - still_since_s >= hub.config.settle_s:
            return Instant(odom.stamp_s, odom.received_s)
        turn = yield
    return None


def verify(call: Call, hub: Hub, turn: Turn, start: Json, since: Instant) -> Steps[Verdict | None]:
    """Wait for the skill's verdict on samples newer than `since`.

    None if it does not come in time, or if safety begins to move the robot by itself: what is measured then is not what
    the call did.
    """
    call.phase = Phase.VERIFYING
    deadline_s = turn.now_s + hub.config.verify_timeout_s
    while turn.now_s < deadline_s and (call.skill.reads_only or not hub.safety.is_retreating()):
        try:
            verdict = call.skill.verify(hub.view, start, since)
        except Exception:  # a verdict that cannot be computed is none
            hub.ports.log(f'{call.call_id}: {traceback.format_exc()}')
            return None
        if verdict is not None:
            return verdict
        turn = yield
    return None
