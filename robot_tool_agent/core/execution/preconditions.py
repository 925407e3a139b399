"""What must hold before a call may move anything. Each refusal names what would make it true."""

from __future__ import annotations

from robot_tool_agent.core.execution.call import Call
from robot_tool_agent.core.execution.hub import Hub
from robot_tool_agent.core.outcomes import ErrorCode
from robot_tool_agent.core.skills.base import Refusal


def first_refusal(call: Call, hub: Hub, now_s: float) -> Refusal | None:
    """Return the first precondition that does not hold, None if all do."""
    if not call.skill.reads_only and not hub.safety.allows(now_s):
        return Refusal(ErrorCode.SAFETY_LOCKED, hub.safety.explain(now_s))
    return stale_sensor(call, hub, now_s) or _battery(call, hub) or call.skill.refusal(hub.view, now_s)


def stale_sensor(call: Call, hub: Hub, now_s: float) -> Refusal | None:
    """Return which sensor the skill needs is stale or missing, None if all are fresh."""
    inputs = hub.robot.topics.inputs()
    for topic in call.skill.required_topics:
        if topic in inputs and not hub.view.is_fresh(topic, now_s):
            age_s, limit_s = hub.view.age_s(topic, now_s), inputs[topic].stale_s
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
