"""Times of the executive, all parameters of the executor node."""

from __future__ import annotations

from pydantic import Field
from robot_tool_agent.core.robot.base import ConfigModel


class ExecutionConfig(ConfigModel):
    """How long the executive waits for what."""

    stand_timeout_s: float = Field(default=2.0, ge=0.2, le=30.0, description='from end of motion to standstill, s')
    settle_s: float = Field(default=0.1, ge=0.02, le=2.0, description='how long standstill must be seen, s')
    verify_timeout_s: float = Field(default=1.5, ge=0.2, le=30.0, description='from standstill to a verdict, s')
    approval_timeout_s: float = Field(default=60.0, ge=1.0, le=3600.0, description='for a person to answer, s')
    breaker_failures: int = Field(default=5, ge=1, le=100, description='failed calls that open a skill circuit')
    breaker_window_s: float = Field(default=120.0, ge=1.0, le=3600.0, description='window of breaker_failures, s')
    breaker_open_s: float = Field(default=30.0, ge=1.0, le=3600.0, description='how long an open circuit refuses, s')
    stall_s: float = Field(
        default=0.4, ge=0.15, le=5.0, description='gap between turns after which a stop is unseen, s'
    )
    journal_timeout_s: float = Field(default=5.0, ge=0.5, le=60.0, description='for the journal to answer, s')
    trip_timeout_s: float = Field(default=1.0, ge=0.1, le=10.0, description='for the safety node to answer, s')
    safety_timeout_s: float = Field(default=0.35, ge=0.25, le=5.0, description='silence of safety_state, s')
    lease_timeout_s: float = Field(default=0.35, ge=0.25, le=5.0, description='silence of the caller heartbeat, s')
