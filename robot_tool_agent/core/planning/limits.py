"""Budgets of a task. Every one is finite; each that ends a task is named in the task's result."""

from __future__ import annotations

from pydantic import Field
from robot_tool_agent.core.robot.base import ConfigModel


class PlannerLimits(ConfigModel):
    """Limits of one task."""

    max_steps: int = Field(default=20, ge=1, le=200, description='model replies in a task')
    max_corrections: int = Field(default=3, ge=0, le=20, description='faulty replies in a row that are sent back')
    max_repeats: int = Field(default=3, ge=2, le=20, description='same call with same result that ends the task')
    max_calls_per_reply: int = Field(default=8, ge=1, le=32, description='calls accepted in one reply')
    max_parallel: int = Field(default=3, ge=1, le=8, description='calls that run side by side')
    max_plan_steps: int = Field(default=16, ge=0, le=50, description='steps accepted in a plan; 0: no plans')
    max_task_tokens: int = Field(default=200_000, ge=100, le=10_000_000, description='tokens in a task')
    max_output_tokens: int = Field(default=4096, ge=16, le=32_768, description='tokens in one reply')
    max_context_tokens: int = Field(
        default=60_000, ge=1000, le=2_000_000, description='estimated tokens of one request; above, old results go'
    )
    llm_timeout_s: float = Field(default=30.0, ge=0.1, le=600.0, description='wait for one reply, s')
    llm_retries: int = Field(default=2, ge=0, le=10, description='repeats of a request that a provider failed')
    llm_backoff_s: float = Field(default=1.0, ge=0.0, le=60.0, description='first pause before a repeat; doubles, s')
    llm_jitter: float = Field(default=0.5, ge=0.0, le=1.0, description='part of a pause added by chance')
    llm_max_pause_s: float = Field(
        default=20.0, ge=0.0, le=600.0, description='a provider that wants a longer pause is passed over, s'
    )
    llm_breaker_failures: int = Field(default=5, ge=1, le=100, description='failures that open a provider breaker')
    llm_breaker_window_s: float = Field(default=120.0, ge=1.0, le=3600.0, description='window of those failures, s')
    llm_breaker_open_s: float = Field(default=60.0, ge=1.0, le=3600.0, description='how long it stays open, s')
    task_timeout_s: float = Field(default=300.0, ge=1.0, le=7200.0, description='whole task, s')
    wait_timeout_s: float = Field(default=60.0, ge=0.5, le=3600.0, description='wait for READY or a free robot, s')
    wait_retry_s: float = Field(default=0.5, ge=0.05, le=60.0, description='pause before the call goes out again, s')
    executor_timeout_s: float = Field(default=15.0, ge=0.2, le=300.0, description='wait for the executor to answer, s')
    call_margin_s: float = Field(default=120.0, ge=0.1, le=3600.0, description='on top of the time limit of a skill, s')
    cancel_timeout_s: float = Field(default=10.0, ge=0.2, le=120.0, description='wait for a cancelled call to end, s')
