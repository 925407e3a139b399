"""`rta mcp`: serves the skills to an MCP client, which starts this command and speaks over its stdin and stdout."""

from __future__ import annotations

import argparse
import sys
from importlib.util import find_spec
from typing import Any

from robot_tool_agent.commands.errors import EXIT_CONFIG
from robot_tool_agent.commands.options import namespace_of, ros_command


def add_parser(commands: Any) -> None:
    """Declare the command."""
    parser = ros_command(commands, 'mcp', 'Serve the skills over the Model Context Protocol on stdin and stdout.')
    parser.add_argument(
        '--approvals',
        choices=('client', 'operator'),
        default='client',
        help='who may approve a call: a person at the client, where it can ask one, or only `rta approve`'
        ' (default: %(default)s)',
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Serve until the client closes stdin, or SIGINT or SIGTERM. Return 0 then."""
    if find_spec('mcp') is None:
        print('rta mcp needs the Python package mcp (Python 3.11 or newer): pip install mcp', file=sys.stderr)
        return EXIT_CONFIG
    from robot_tool_agent.mcp_server.stdio import claim_stdio

    wire = claim_stdio()
    from robot_tool_agent.mcp_server.run import serve_stdio

    return serve_stdio(wire, namespace_of(arguments), arguments.approvals == 'client')
