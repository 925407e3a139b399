"""`rta mcp`: serves the skills to an MCP client, which starts this command and speaks over its stdin and stdout."""

from __future__ import annotations

import argparse
from importlib.util import find_spec
import os
import socket
import sys
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
    parser.add_argument(
        '--http',
        default='',
        metavar='HOST:PORT',
        help='serve Streamable HTTP on a loopback address instead, e.g. 127.0.0.1:8765; port 0 is any free one',
    )
    parser.add_argument(
        '--token-file', default='', metavar='FILE', help='bearer token that --http wants (default: $RTA_MCP_TOKEN)'
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Serve until the client closes stdin, or SIGINT or SIGTERM. Return 0 then."""
    if find_spec('mcp') is None:
        print('rta mcp needs the Python package mcp (Python 3.11 or newer): pip install mcp', file=sys.stderr)
        return EXIT_CONFIG
    return _serve_http(arguments) if arguments.http else _serve_stdio(arguments)


def _serve_stdio(arguments: argparse.Namespace) -> int:
    from robot_tool_agent.mcp_server.stdio import claim_stdio

    wire = claim_stdio()
    from robot_tool_agent.mcp_server.fronts import StdioFront
    from robot_tool_agent.mcp_server.run import serve

    return serve(StdioFront(wire), namespace_of(arguments), arguments.approvals == 'client')


def _serve_http(arguments: argparse.Namespace) -> int:
    from robot_tool_agent.mcp_server.http_settings import HttpSettingsError, loopback_address, read_token

    try:
        host, port = loopback_address(arguments.http)
        token = read_token(arguments.token_file, os.environ)
        listener = socket.create_server((host, port), family=socket.AF_INET6 if ':' in host else socket.AF_INET)
    except (HttpSettingsError, OSError) as error:
        print(f'rta mcp: {error}', file=sys.stderr)
        return EXIT_CONFIG
    from robot_tool_agent.mcp_server.http_front import HttpFront, PATH
    from robot_tool_agent.mcp_server.run import serve

    with listener:
        shown = f'[{host}]' if ':' in host else host
        print(f'serving MCP on http://{shown}:{listener.getsockname()[1]}{PATH}', flush=True)
        return serve(HttpFront(listener, token), namespace_of(arguments), arguments.approvals == 'client')
