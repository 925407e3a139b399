"""Robot and world files for measurements, derived from the simulated house."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from robot_tool_agent.config_files import load_robot, read_yaml
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.share_files import find_config
import yaml

ESTOP_HZ = 20.0
# The stand-in reaches its speed in three periods of the gate: what is measured is how it is stopped.
QUICK_ACCEL_MPS2 = 10.0
FAR_M = 900.0
# The longest straight way of the house, through the door between living room and study.
RUNWAY_START = {'x_m': 0.8, 'y_m': 1.5, 'yaw_rad': 0.0}
RUNWAY_END = {'x_m': 6.2, 'y_m': 1.5, 'yaw_rad': 0.0}


def write_robot(path: Path, stand_in: bool = False) -> RobotDescription:
    """Write the robot of the house with a stop button and return it; a stand-in is quick and never meets the fence."""
    data: dict[str, Any] = read_yaml(find_config('sim_house', 'robots'))
    data['topics']['estop'] = {'rate_hz': ESTOP_HZ}
    if stand_in:
        data['limits']['max_accel_mps2'] = QUICK_ACCEL_MPS2
        data['geofence'] = [[-FAR_M, -FAR_M], [FAR_M, -FAR_M], [FAR_M, FAR_M], [-FAR_M, FAR_M]]
    path.write_text(yaml.safe_dump(data, allow_unicode=True), encoding='utf-8')
    return load_robot(path)


def write_world(path: Path) -> None:
    """Write the world of the house with the robot at the start of the runway."""
    data: dict[str, Any] = read_yaml(find_config('house', 'worlds'))
    data['spawn'] = RUNWAY_START
    path.write_text(yaml.safe_dump(data, allow_unicode=True), encoding='utf-8')
