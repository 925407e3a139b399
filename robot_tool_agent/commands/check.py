"""`rta check`: reads a robot YAML and says everything that is wrong with it."""

from __future__ import annotations

import argparse
from typing import Any

from robot_tool_agent.commands.errors import EXIT_OK


def add_parser(commands: Any) -> None:
    """Declare the command."""
    text = 'Check a robot YAML: prints every fault, or OK.'
    parser = commands.add_parser('check', help=text, description=text)
    parser.add_argument('robot', help='path, or a name in config/robots')
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print OK and what the file holds. Raise ConfigError with every fault."""
    from robot_tool_agent.config_files import load_robot
    from robot_tool_agent.share_files import find_config

    path = find_config(arguments.robot, 'robots')
    robot = load_robot(path)
    print(f'OK: {path}: robot {robot.name}, {len(robot.places)} places, {len(robot.skills)} skills')
    return EXIT_OK
