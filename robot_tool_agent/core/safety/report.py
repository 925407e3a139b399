"""The safety layer's state as others see it, and what a reset would have to wait for."""

from __future__ import annotations

from collections.abc import Sequence

from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.safety.config import SafetyConfig
from robot_tool_agent.core.safety.limiter import LimitReason
from robot_tool_agent.core.safety.reactor import Reactor
from robot_tool_agent.core.safety_state import SafetyMode, SafetyView

RESETTABLE = frozenset({SafetyMode.SAFE, SafetyMode.HOLDING, SafetyMode.ESTOPPED})


def notices(robot: RobotDescription, config: SafetyConfig) -> list[str]:
    """Return what this system is not protected against, to be told for as long as it runs."""
    off = [f'SWITCHED OFF: {", ".join(config.disabled_faults)}'] if config.disabled_faults else []
    return off if robot.topics.scan is not None else [*off, 'NO RANGE SENSOR: nothing stops it before an obstacle']


def make_view(
    boot_id: int, reactor: Reactor, blockers: Sequence[str], reports: Sequence[str], moves: bool, reason: LimitReason
) -> SafetyView:
    """Return the state to tell. While starting, the detail says what is missing; `reports` are told in every state."""
    cause = reactor.latch.cause
    parts = ['' if cause is None else cause.detail, reactor.detail]
    if reactor.mode is SafetyMode.STARTING:
        parts += blockers
    return SafetyView(
        boot_id=boot_id,
        mode=reactor.mode,
        epoch=reactor.epoch.value,
        motion_allowed=reactor.mode is SafetyMode.READY,
        resettable=reactor.mode in RESETTABLE and not blockers and not moves,
        fault='' if cause is None else cause.row.code.value,
        detail='; '.join(part for part in (*parts, *reports) if part),
        limit_reason=reason.value,
    )
