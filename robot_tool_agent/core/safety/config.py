"""Parameters of the safety layer that are not properties of the robot."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, field_validator, model_validator
from robot_tool_agent.core.robot.base import ConfigModel
from robot_tool_agent.core.safety.faults import FAULTS

DISABLABLE = tuple(row.code.value for row in FAULTS.values() if row.can_disable)


class SafetyConfig(ConfigModel):
    """Times in steady seconds, lengths in metres. Zero never means "off": only disabled_faults switches a check off."""

    gate_rate_hz: float = Field(default=50.0, ge=20.0, le=200.0, description='rate of cmd_vel, Hz')
    command_timeout_s: float = Field(default=0.2, ge=0.05, le=1.0, description='age at which a command is dead, s')
    executor_timeout_s: float = Field(
        default=0.5, ge=0.15, le=2.0, description='silence of the heartbeat that means EXECUTOR_LOST, s'
    )
    planner_timeout_s: float = Field(
        default=2.0, ge=0.3, le=30.0, description='silence of the heartbeat that means PLANNER_LOST, s'
    )
    start_settle_s: float = Field(
        default=1.0, ge=0.1, le=30.0, description='inputs fresh without a break before READY, s'
    )
    settle_s: float = Field(default=0.5, ge=0.1, le=3.0, description='standstill before a stop counts as done, s')
    stop_timeout_s: float = Field(default=2.0, ge=0.5, le=10.0, description='longest stop before the alarm, s')
    on_skill_failed: Literal['retreat', 'hold', 'none'] = Field(
        default='retreat', description='reaction to a failed motion: retreat, hold or none'
    )
    rearm_max: int = Field(default=3, ge=1, le=100, description='self re-arms within the window')
    rearm_window_s: float = Field(default=300.0, ge=1.0, le=86400.0, description='window of rearm_max, s')
    rearm_delay_s: float = Field(default=1.0, ge=0.1, le=60.0, description='time in SAFE before a self re-arm, s')
    restart_margin_s: float = Field(
        default=5.0, ge=1.0, le=60.0, description='executor older than this at first contact: safety restarted, s'
    )
    trail_spacing_m: float = Field(default=0.05, ge=0.01, le=0.1, description='distance between trail poses, m')
    trail_length_m: float = Field(default=60.0, ge=1.0, le=1000.0, description='trail kept, m')
    safe_pose_departure_m: float = Field(
        default=0.8, ge=0.05, le=5.0, description='longest straight way from the trail to a safe pose, m'
    )
    retreat_timeout_s: float = Field(default=90.0, ge=5.0, le=600.0, description='longest retreat, s')
    retreat_blocked_s: float = Field(default=2.5, ge=0.5, le=30.0, description='no progress that means blocked, s')
    obstacle_persists_s: float = Field(
        default=6.0, ge=1.0, le=600.0, description='commanding on against an obstacle that means OBSTACLE_PERSISTS, s'
    )
    overspeed_persists_s: float = Field(
        default=1.0, ge=0.1, le=60.0, description='asking for too much speed that means COMMAND_OVERSPEED, s'
    )
    epoch_mismatch_s: float = Field(
        default=2.0, ge=0.1, le=60.0, description='commands of another epoch that mean EPOCH_MISMATCH, s'
    )
    clock_frozen_s: float = Field(
        default=0.5, ge=0.2, le=60.0, description='standstill of /clock that means CLOCK_FROZEN, s'
    )
    motion_band_mps: float = Field(
        default=0.05, ge=0.005, le=1.0, description='unexplained forward speed that is let pass, m/s'
    )
    motion_band_radps: float = Field(
        default=0.2, ge=0.01, le=3.0, description='unexplained turn rate that is let pass, rad/s'
    )
    not_following_s: float = Field(
        default=4.0, ge=0.3, le=60.0, description='moving far too little that means NOT_FOLLOWING, s'
    )
    geofence_margin_m: float = Field(
        default=0.05, ge=0.005, le=2.0, description='way outside the geofence that means GEOFENCE, m'
    )
    tilt_limit_rad: float = Field(default=0.35, ge=0.05, le=1.2, description='lean that means TILT, rad')
    disabled_faults: tuple[str, ...] = Field(
        default=(), max_length=len(DISABLABLE), description='fault codes whose checks are switched off'
    )

    @field_validator('disabled_faults')
    @classmethod
    def _may_be_disabled(cls, codes: tuple[str, ...]) -> tuple[str, ...]:
        unknown = [code for code in codes if code not in DISABLABLE]
        if unknown:
            raise ValueError(f'{", ".join(unknown)} cannot be disabled; valid: {", ".join(DISABLABLE)}')
        return codes

    @model_validator(mode='after')
    def _settles_before_the_alarm(self) -> SafetyConfig:
        if self.settle_s >= self.stop_timeout_s:
            raise ValueError('need settle_s < stop_timeout_s')
        return self
