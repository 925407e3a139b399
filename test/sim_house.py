"""Worlds for tests: the house of the configuration, with the robot wherever a test wants it."""

from __future__ import annotations

from pathlib import Path

from robot_tool_agent.config_files import load_model, load_robot
from robot_tool_agent.core.geometry import Twist2D
from robot_tool_agent.core.robot import Footprint, PoseConfig, RobotDescription
from robot_tool_agent_sim.description import WorldDescription
from robot_tool_agent_sim.world import World

CONFIG = Path(__file__).resolve().parents[1] / 'config'
ROBOT_FILE = CONFIG / 'robots' / 'sim_house.yaml'
WORLD_FILE = CONFIG / 'worlds' / 'house.yaml'


def robot_description(footprint: Footprint | None = None) -> RobotDescription:
    """Return the robot of the house, with another footprint if wanted."""
    robot = load_robot(ROBOT_FILE)
    return robot if footprint is None else robot.model_copy(update={'footprint': footprint})


def house(
    x_m: float = 1.0,
    y_m: float = 1.0,
    yaw_rad: float = 0.0,
    fault: str = 'none',
    seed: int = 0,
    footprint: Footprint | None = None,
    scan_noise_m: float = 0.0,
    wheels_slip: bool = True,
) -> World:
    """Return the house with the robot spawned at a map pose."""
    spawn = PoseConfig(x_m=x_m, y_m=y_m, yaw_rad=yaw_rad)
    description = load_model(WORLD_FILE, WorldDescription).model_copy(
        update={'spawn': spawn, 'scan_noise_m': scan_noise_m, 'wheels_slip': wheels_slip}
    )
    return World(robot_description(footprint), description, fault, seed)


def drive(world: World, v_mps: float, w_radps: float, duration_s: float, dt_s: float = 0.01) -> None:
    """Command a twist in every step for a while."""
    for _ in range(round(duration_s / dt_s)):
        world.command_base(Twist2D(v_mps, w_radps))
        world.step(dt_s)


def wait(world: World, duration_s: float, dt_s: float = 0.01) -> None:
    """Let time pass without a command."""
    for _ in range(round(duration_s / dt_s)):
        world.step(dt_s)
