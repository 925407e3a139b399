"""The part of a call in which the robot moves: drive by ticks, stand still, verify."""

from __future__ import annotations

import traceback
from typing import Any

from robot_tool_agent.core.execution.call import Call, Phase
from robot_tool_agent.core.execution.hub import Hub, Steps
from robot_tool_agent.core.execution.judgement import EndReason, MotionEnd
from robot_tool_agent.core.execution.preconditions import stale_sensor
from robot_tool_agent.core.geometry import ZERO_TWIST
from robot_tool_agent.core.motion import JointTarget, MotionRequest
from robot_tool_agent.core.outcomes import ErrorCode
from robot_tool_agent.core.sensors import Instant, newer
from robot_tool_agent.core.skills.agreement import Agreement
from robot_tool_agent.core.skills.base import Json, Resource, Skill, Step, StepStatus, Verdict

HOLD_S = 0.1


class SkillClock:
    """Time as a skill and its deadline see it: it stands while the call is paused."""

    def __init__(self, now_s: float) -> None:
        self._last_s = now_s
        self._held_s = 0.0

    def read(self, now_s: float, paused: bool) -> float:
        """Return the skill's time at a steady time."""
        if paused:
            self._held_s += now_s - self._last_s
        self._last_s = now_s
        return now_s - self._held_s


def drive(call: Call, hub: Hub, skill: Skill[Any]) -> Steps[MotionEnd]:
    """Tick a skill until its motion is over or must end, then tell the gate to hold."""
    clock, agreement = SkillClock(hub.now_s), Agreement(hub.view)
    deadline_s = hub.now_s + call.timeout_s
    try:
        skill.begin(hub.view, hub.now_s)
        due = True  # the first tick is now, whatever woke us
        while True:
            skill_s = clock.read(hub.now_s, call.paused)
            end = _must_end(call, hub, skill_s >= deadline_s) or _disagreement(call, hub, agreement)
            call.phase = Phase.PAUSED if call.paused else Phase.RUNNING
            if end is None and due and call.paused:
                _hold(call, hub)
            elif end is None and due:
                end = _advance(call, hub, skill, skill_s)
            if end is not None:
                return end
            yield
            due = hub.turn.tick
            if hub.stalled:  # this process stood still: whatever came in between was not seen in time
                call.was_blind = True
    except Exception as error:  # whatever a skill raises half way, the robot must come to rest and be looked at
        hub.ports.log(f'{call.call_id}: {traceback.format_exc()}')
        return MotionEnd(EndReason.FAILED, ErrorCode.EXECUTION_ERROR, f'internal error: {type(error).__name__}')
    finally:
        _hold(call, hub)
        _hold_fingers(call, hub)
        _release(call, hub, skill)


def close(call: Call, hub: Hub) -> None:
    """Tell the gate that nothing more comes under this call."""
    if not call.skill.reads_only:
        hub.ports.send_motion(MotionRequest(call.epoch, call.call_id, twist=_zero(call), last=True))


def _hold(call: Call, hub: Hub) -> None:
    if not call.skill.reads_only:
        hub.ports.send_motion(MotionRequest(call.epoch, call.call_id, twist=_zero(call)))


def _release(call: Call, hub: Hub, skill: Skill[Any]) -> None:
    try:
        skill.release()
    except Exception:  # what cannot be let go must not keep the robot from being looked at
        hub.ports.log(f'{call.call_id}: {traceback.format_exc()}')


def _hold_fingers(call: Call, hub: Hub) -> None:
    """Stop a gripper that still moves where it is. One at rest is left alone: it may be holding something by force."""
    gripper, opening_m = hub.robot.gripper, hub.view.gripper_opening_m()
    uses_it = not call.skill.reads_only and Resource.GRIPPER in call.skill.resources
    if uses_it and gripper is not None and opening_m is not None and not hub.view.joints_rest(hub.config.settle_s):
        target = JointTarget((gripper.joint,), (opening_m,), HOLD_S)
        hub.ports.send_motion(MotionRequest(call.epoch, call.call_id, joints=target))


def _disagreement(call: Call, hub: Hub, agreement: Agreement) -> MotionEnd | None:
    """Return the end of a motion whose sensors do not tell the same story: going on would be driving blind."""
    if call.skill.reads_only or Resource.BASE not in call.skill.resources:
        return None
    text = agreement.broken(hub.view, hub.now_s)
    return MotionEnd(EndReason.FAILED, ErrorCode.EXECUTION_ERROR, text) if text else None


def _zero(call: Call) -> Any:
    return ZERO_TWIST if Resource.BASE in call.skill.resources else None


def interruption(call: Call, hub: Hub) -> MotionEnd | None:
    """Return why a started call must end whatever its skill says: safety or the caller. None if neither wants it."""
    if not call.skill.reads_only and not hub.safety.allows_epoch(call.epoch, hub.now_s):
        return MotionEnd(EndReason.SAFETY, ErrorCode.STOPPED_BY_SAFETY, hub.safety.explain(hub.now_s))
    if hub.wants_end(call):
        assert call.cancel is not None
        return MotionEnd(EndReason.CANCELED, ErrorCode.CANCELED, call.cancel.value)
    return None


def _must_end(call: Call, hub: Hub, late: bool) -> MotionEnd | None:
    end = interruption(call, hub)
    if end is not None:
        return end
    stale = stale_sensor(call, hub)
    if stale is not None:
        return MotionEnd(EndReason.FAILED, stale.error, stale.message)
    if late:
        return MotionEnd(EndReason.FAILED, ErrorCode.TIMEOUT, f'not finished within {call.timeout_s:g} s')
    return None


def _advance(call: Call, hub: Hub, skill: Skill[Any], skill_s: float) -> MotionEnd | None:
    step = skill.tick(hub.view, skill_s)
    call.progress, call.detail = step.progress, step.detail
    if step.status is StepStatus.FINISHED:
        return MotionEnd(EndReason.FINISHED)
    if step.status is StepStatus.FAILED:
        return MotionEnd(EndReason.FAILED, step.error or ErrorCode.EXECUTION_ERROR, step.detail)
    _follow(call, hub, step)
    return None


def _follow(call: Call, hub: Hub, step: Step) -> None:
    motion = step.motion
    if motion is not None:
        hub.ports.send_motion(MotionRequest(call.epoch, call.call_id, motion.profile, motion.twist, motion.joints))


def stand_still(call: Call, hub: Hub) -> Steps[Instant | None]:
    """
    Wait for odometry, measured after the motion ended, that shows standstill for `settle_s`.

    Return the instant it was seen, None if it was not within `stand_timeout_s`. Stamps are compared with the robot's
    own only, so that its clock may differ from ours. A skill that leaves the base alone need not wait.
    """
    call.phase = Phase.STOPPING
    ended = _last_seen(hub)
    deadline_s = hub.now_s + hub.config.stand_timeout_s
    still_since_s: float | None = None
    while hub.now_s < deadline_s:
        odom = hub.view.odom
        if Resource.BASE not in call.skill.resources:
            still_since_s = -float('inf')
        elif odom is None or not newer(odom, ended) or not hub.view.base_stands():
            still_since_s = None
        elif still_since_s is None:
            still_since_s = odom.stamp_s
        seen = _last_seen(hub)
        if (
            still_since_s is not None
            and seen.stamp_s - still_since_s >= hub.config.settle_s
            and _fingers_rest(call, hub)
        ):
            return seen
        yield
    return None


def _last_seen(hub: Hub) -> Instant:
    odom = hub.view.odom
    return Instant(-float('inf'), hub.now_s) if odom is None else Instant(odom.stamp_s, odom.received_s)


def _fingers_rest(call: Call, hub: Hub) -> bool:
    uses_them = Resource.GRIPPER in call.skill.resources and hub.robot.gripper is not None
    return not uses_them or hub.view.joints_rest(hub.config.settle_s)


def verify(call: Call, hub: Hub, start: Json, since: Instant) -> Steps[Verdict | None]:
    """
    Wait for the skill's verdict on samples newer than `since`.

    None if it does not come in time, or if the safety node may have moved the robot by itself: what is measured then is
    not what the call did.
    """
    call.phase = Phase.VERIFYING
    deadline_s = hub.now_s + hub.config.verify_timeout_s
    while hub.now_s < deadline_s and not _overtaken(call, hub):
        try:
            verdict = call.skill.verify(hub.view, start, since)
        except Exception:  # a verdict that cannot be computed is none
            hub.ports.log(f'{call.call_id}: {traceback.format_exc()}')
            return None
        if verdict is not None:
            return verdict
        yield
    return None


def _overtaken(call: Call, hub: Hub) -> bool:
    """Tell whether what sensors show may be the work of the safety node and not of the call."""
    if call.skill.reads_only:
        return False
    stopped = not hub.safety.allows_epoch(call.epoch, hub.now_s)
    return stopped and (call.was_blind or hub.stalled or hub.safety.has_moved_it_since(call.epoch))
