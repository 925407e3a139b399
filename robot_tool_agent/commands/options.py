"""Options that several commands share."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any


def add_ros_options(parser: argparse.ArgumentParser) -> None:
    """Add --namespace and --domain-id; they may stand before or after the command's name."""
    parser.add_argument(
        '--namespace', default=argparse.SUPPRESS, metavar='NS', help='namespace of the robot (default: none)'
    )
    parser.add_argument(
        '--domain-id',
        type=int,
        choices=range(233),
        default=argparse.SUPPRESS,
        metavar='0..232',
        help='ROS domain (default: $ROS_DOMAIN_ID)',
    )


def ros_command(commands: Any, name: str, help_text: str) -> argparse.ArgumentParser:
    """Add a command that talks to a running system."""
    parser: argparse.ArgumentParser = commands.add_parser(name, help=help_text, description=help_text)
    add_ros_options(parser)
    return parser


def add_file_options(parser: argparse.ArgumentParser, what: str) -> Any:
    """Add --path and --namespace, which say which file is read; return the group that takes the actions."""
    place = 'default: that of the namespace, in $ROS_HOME or ~/.ros'
    parser.add_argument('--path', default='', help=f'{what} ({place})')
    parser.add_argument('--namespace', default=argparse.SUPPRESS, metavar='NS', help='namespace of the robot')
    return parser.add_subparsers(dest='action', required=True, metavar='ACTION')


def add_list(actions: Any, what: str, run: Callable[[argparse.Namespace], int]) -> None:
    """Add the action that lists the newest rows of a file."""
    listed = actions.add_parser('list', help=f'the last {what}, newest first')
    listed.add_argument('--limit', type=int, default=30, help='how many (default: %(default)s)')
    listed.add_argument('--json', action='store_true', help='print them as JSON')
    listed.set_defaults(run=run)


def namespace_of(arguments: argparse.Namespace) -> str:
    """Return the chosen namespace, empty if none was."""
    return str(getattr(arguments, 'namespace', '')).strip('/')
