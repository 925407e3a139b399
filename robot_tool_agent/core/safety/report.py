"""The safety layer's state as others see it, and what a reset would have to wait for."""

from __future__ import annotations

from robot_tool_agent.core.safety.conditions import Standing
from robot_tool_agent.core.safety.faults import FAULTS
from robot_tool_agent.core.safety.limiter import LimitReason
from robot_tool_agent.core.safety.reactor import Reactor
from robot_tool_agent.core.safety_state import SafetyMode, SafetyView

RESETTABLE = frozenset({SafetyMode.SAFE, SafetyMode.HOLDING, SafetyMode.ESTOPPED})


def reset_blockers(standing: Standing, moves: bool) -> list[str]:
    """Return what a reset has to wait for: causes that stand and can end without it, and motion."""
    causes = [text for code, text in standing.items() if FAULTS[code].clears_alone]
    return [*causes, 'the robot still moves'] if moves else causes


def make_view(boot_id: int, reactor: Reactor, standing: Standing, moves: bool, reason: LimitReason) -> SafetyView:
    """Return the state to tell. While starting, the detail says what is missing."""
    cause = reactor.latch.cause
    parts = ['' if cause is None else cause.detail, reactor.detail]
    if reactor.mode is SafetyMode.STARTING:
        parts += standing.values()
    return SafetyView(
        boot_id=boot_id,
        mode=reactor.mode,
        epoch=reactor.epoch.value,
        motion_allowed=reactor.mode is SafetyMode.READY,
        resettable=reactor.mode in RESETTABLE and not reset_blockers(standing, moves),
        fault='' if cause is None else cause.row.code.value,
        detail='; '.join(part for part in parts if part),
        limit_reason=reason.value,
    )
