"""Options that several commands share."""

from __future__ import annotations

import argparse
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


def namespace_of(arguments: argparse.Namespace) -> str:
    """Return the chosen namespace, empty if none was."""
    return str(getattr(arguments, 'namespace', '')).strip('/')
