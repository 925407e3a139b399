"""`rta check`: says everything that is wrong with a robot YAML, and with the running robot compared to it."""

from __future__ import annotations

import argparse
from typing import Any

from robot_tool_agent.commands.errors import EXIT_NOT_DONE, EXIT_OK
from robot_tool_agent.commands.options import add_ros_options, namespace_of


def add_parser(commands: Any) -> None:
    """Declare the command."""
    text = 'Check a robot YAML: prints every fault, or OK. With a running robot, compare them topic by topic.'
    parser = commands.add_parser('check', help=text, description=text)
    parser.add_argument('robot', help='path, or a name in config/robots')
    parser.add_argument('--file-only', action='store_true', help='do not look for a running robot')
    parser.add_argument('--use-sim-time', action='store_true', help='the running robot stamps with /clock')
    add_ros_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print OK and what the file holds, then the table. Raise ConfigError with every fault of the file."""
    from robot_tool_agent.config_files import load_robot
    from robot_tool_agent.share_files import find_config

    path = find_config(arguments.robot, 'robots')
    robot = load_robot(path)
    print(f'OK: {path}: robot {robot.name}, {len(robot.places)} places, {len(robot.skills)} skills', flush=True)
    return EXIT_OK if arguments.file_only else _compare(arguments, robot)


def _compare(arguments: argparse.Namespace, robot: Any) -> int:
    from robot_tool_agent.commands.live_check import look, somebody_is_there
    from robot_tool_agent.commands.session import Session

    with Session(namespace_of(arguments), arguments.use_sim_time) as session:
        if not somebody_is_there(session, robot):
            print('No running robot: nobody publishes any topic of it in this ROS domain and namespace.')
            return EXIT_OK
        print('A robot is running: listening to it …', flush=True)
        findings = look(session, robot)
    _print_table(findings)
    return EXIT_OK if all(finding.ok for finding in findings) else EXIT_NOT_DONE


def _print_table(findings: list[Any]) -> None:
    from robot_tool_agent.commands.text import plain

    width = max(len(finding.topic) for finding in findings)
    for finding in findings:
        mark = 'ok ' if finding.ok else 'BAD'
        line = f'{mark} {plain(finding.topic):{width}}  {plain(finding.found)}'
        print(f'{line}\n    {"":{width}}  do: {plain(finding.remedy)}' if finding.remedy else line)
