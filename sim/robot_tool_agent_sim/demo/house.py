"""The house of the demonstration: the simulated house with another start."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from robot_tool_agent.config_files import load_model, load_robot
from robot_tool_agent.core.geometry import Point
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.share_files import find_config
from robot_tool_agent_sim.description import WorldDescription
import yaml

ROBOT, WORLD = 'sim_house', 'house'
# The house's own start is at the far end; from here the three acts fit into a minute and a bit.
START = 'kitchen_corner'


@dataclass(frozen=True, slots=True)
class House:
    """The robot's description and where things are at the start, map frame."""

    robot: RobotDescription
    things: dict[str, Point]
    world_file: Path


def prepare_house(folder: Path) -> House:
    """Read the configuration and write the world of the demonstration into a folder."""
    robot = load_robot(find_config(ROBOT, 'robots'))
    world = load_model(find_config(WORLD, 'worlds'), WorldDescription)
    world = world.model_copy(update={'spawn': robot.safe_poses[START]})
    path = folder / 'world.yaml'
    path.write_text(yaml.safe_dump(world.model_dump(mode='json')), encoding='utf-8')
    return House(robot, {name: item.point for name, item in world.objects.items()}, path)
