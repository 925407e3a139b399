"""What must hold before a call may move anything. Each refusal names what would make it true."""

from __future__ import annotations

from robot_tool_agent.core.execution.call import Call
from robot_tool_agent.core.execution.hub import Hub
from robot_tool_agent.core.outcomes import ErrorCode
from robot_tool_agent.core.skills.base import Refusal


def first_refusal(call: Call, hub: Hub) -> Refusal | None:
    """Return the first precondition that does not hold, None if all do."""
    return common_refusal(call, hub) or call.skill.refusal(hub.view, hub.now_s)


def common_refusal(call: Call, hub: Hub) -> Refusal | None:
    """Return the first of the conditions that hold for every skill, also in mid-motion."""
    if not call.skill.reads_only and not hub.safety.allows(hub.now_s):
        return Refusal(ErrorCode.SAFETY_LOCKED, hub.safety.explain(hub.now_s))
    return stale_sensor(call, hub) or _battery(call, hub)


def circuit_refusal(call: Call, hub: Hub, approved: bool) -> Refusal | None:
    """
    Return why the skill's circuit lets no call through, None if it does.

    The probe of a half-open circuit is never a motion that is not idempotent, unless a person allowed it.
    """
    may_probe = call.skill.idempotent or approved
    reason = hub.breaker.refusal(call.request.skill, call.call_id, may_probe, hub.now_s)
    return None if reason is None else Refusal(ErrorCode.CIRCUIT_OPEN, reason)


def stale_sensor(call: Call, hub: Hub) -> Refusal | None:
    """Return which sensor the skill needs is stale or missing, None if all are fresh."""
    inputs = hub.view.declared
    for topic in call.skill.required_topics:
        if topic in inputs and not hub.view.is_fresh(topic, hub.now_s):
            age_s, limit_s = hub.view.age_s(topic, hub.now_s), inputs[topic].stale_s
            seen = 'was never received' if age_s == float('inf') else f'is {age_s:.2f} s old'
            return Refusal(ErrorCode.STALE_SENSOR, f'{topic} {seen}, limit {limit_s:.2f} s; it must be published again')
    return None


def _battery(call: Call, hub: Hub) -> Refusal | None:
    battery, least = hub.view.battery, hub.robot.limits.min_battery_fraction
    if call.skill.reads_only or battery is None or battery.fraction >= least:
        return None
    return Refusal(
        ErrorCode.PRECONDITION_FAILED, f'battery at {battery.fraction:.0%}, motion needs {least:.0%}; charge it first'
    )
