"""What the robot may do: speeds, accelerations, distances, times."""

from __future__ import annotations

from pydantic import Field, model_validator
from robot_tool_agent.core.robot.base import ConfigModel


class Hardware(ConfigModel):
    """What the maker states of the base. `limits` may not exceed it; what is left out is not compared."""

    max_speed_mps: float | None = Field(default=None, ge=0.01, le=10.0, description='m/s, forward and backward')
    max_turn_radps: float | None = Field(default=None, ge=0.05, le=20.0, description='rad/s')
    max_accel_mps2: float | None = Field(default=None, ge=0.05, le=50.0, description='m/s^2')
    max_decel_mps2: float | None = Field(default=None, ge=0.05, le=50.0, description='m/s^2')


class Limits(ConfigModel):
    """Limits of the base. Decelerations are what the robot can really brake with."""

    max_speed_mps: float = Field(ge=0.01, le=3.0, description='forward speed, m/s')
    max_reverse_mps: float = Field(ge=0.01, le=3.0, description='backward speed, m/s')
    max_turn_radps: float = Field(ge=0.05, le=6.3, description='turn rate, rad/s')
    max_accel_mps2: float = Field(ge=0.05, le=10.0, description='m/s^2')
    max_decel_mps2: float = Field(ge=0.05, le=10.0, description='m/s^2')
    max_jerk_mps3: float | None = Field(
        default=None, ge=0.1, le=100.0, description='jerk on speeding up, m/s^3; left out: not bounded'
    )
    max_turn_accel_radps2: float = Field(ge=0.1, le=50.0, description='rad/s^2, speeding up')
    max_turn_decel_radps2: float = Field(ge=0.1, le=50.0, description='rad/s^2, braking')
    approach_speed_mps: float = Field(ge=0.01, le=0.5, description='speed of the approach profile, m/s')
    retreat_speed_mps: float = Field(ge=0.01, le=1.0, description='speed of a retreat, m/s')
    latency_s: float = Field(default=0.15, ge=0.01, le=1.0, description='from sensor to wheel, s')
    stop_distance_m: float = Field(ge=0.01, le=2.0, description='clearance kept to obstacles, m')
    approach_stop_distance_m: float = Field(ge=0.01, le=1.0, description='clearance under the approach profile, m')
    slowdown_distance_m: float = Field(ge=0.02, le=5.0, description='clearance below which speed falls, m')
    standstill_mps: float = Field(default=0.01, ge=0.001, le=0.1, description='below this the base stands, m/s')
    standstill_radps: float = Field(default=0.03, ge=0.001, le=0.3, description='below this the base stands, rad/s')
    position_tolerance_m: float = Field(default=0.08, ge=0.005, le=0.5, description='goal tolerance, m')
    yaw_tolerance_rad: float = Field(default=0.08, ge=0.005, le=0.8, description='goal tolerance, rad')
    min_battery_fraction: float = Field(default=0.1, ge=0.01, le=0.9, description='below this no motion starts, 0 to 1')

    @model_validator(mode='after')
    def _ordered(self) -> Limits:
        faults = []
        if not self.approach_stop_distance_m <= self.stop_distance_m <= self.slowdown_distance_m:
            faults.append('need approach_stop_distance_m <= stop_distance_m <= slowdown_distance_m')
        if self.retreat_speed_mps > self.max_reverse_mps:
            faults.append('need retreat_speed_mps <= max_reverse_mps')
        for name in ('approach_speed_mps', 'retreat_speed_mps'):
            if getattr(self, name) > self.max_speed_mps:
                faults.append(f'need {name} <= max_speed_mps')
        if faults:
            raise ValueError('\n'.join(faults))
        return self
