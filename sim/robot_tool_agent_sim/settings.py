"""What the simulator node is told at start, and the world that comes of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from pydantic import Field, model_validator
from robot_tool_agent.config_files import ConfigError, load_model, load_robot
from robot_tool_agent.core.robot.base import ConfigModel
from robot_tool_agent_sim.description import WorldDescription
from robot_tool_agent_sim.world import World

Loaded = TypeVar('Loaded')


class SimulatorSettings(ConfigModel):
    """Parameters of the simulator node that are fixed at start."""

    robot_file: str = Field(min_length=1, description='path of the robot YAML')
    world_file: str = Field(min_length=1, description='path of the world YAML')
    seed: int = Field(default=0, ge=0, le=2**31 - 1, description='seed of all randomness')
    publish_clock: bool = Field(default=False, description='publish /clock and stamp with simulated time')
    step_rate_hz: float = Field(default=100.0, ge=20.0, le=500.0, description='steps of the world, Hz')
    time_scale: float = Field(default=1.0, ge=0.5, le=10.0, description='simulated s per s, needs publish_clock')

    @model_validator(mode='after')
    def _scaled_time_needs_a_clock(self) -> SimulatorSettings:
        if self.time_scale != 1.0 and not self.publish_clock:
            raise ValueError('time_scale other than 1.0 needs publish_clock: true')
        return self


def build_world(settings: SimulatorSettings, fault: str) -> World:
    """Return the world of the settings. Raise ConfigError with every fault of both files and of the fault's name."""
    faults: list[str] = []
    robot = _try(lambda: load_robot(settings.robot_file), faults)
    description = _try(lambda: load_model(settings.world_file, WorldDescription), faults)
    if robot is None or description is None:
        raise ConfigError('\n'.join(faults))
    try:
        return World(robot, description, fault, settings.seed)
    except ValueError as error:
        raise ConfigError(f'{settings.world_file}: {error}') from None


def _try(load: Callable[[], Loaded], faults: list[str]) -> Loaded | None:
    try:
        return load()
    except ConfigError as error:
        faults.append(str(error))
        return None
