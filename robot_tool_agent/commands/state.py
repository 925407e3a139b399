"""`rta state`: shows what the safety node says."""

from __future__ import annotations

import argparse
from typing import Any

from robot_tool_agent.commands.errors import EXIT_OK, NoAnswer
from robot_tool_agent.commands.options import namespace_of, ros_command

STATE_TIMEOUT_S = 5.0


def add_parser(commands: Any) -> None:
    """Declare the command."""
    parser = ros_command(commands, 'state', 'Show the safety state.')
    parser.add_argument('--follow', action='store_true', help='go on with a line for every change, until Ctrl-C')
    parser.add_argument('--json', action='store_true', help='print it as JSON')
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the state. Raise NoAnswer if none comes."""
    from robot_tool_agent.commands.session import Session
    from robot_tool_agent.commands.text import print_json

    with Session(namespace_of(arguments)) as session:
        states = _subscribe(session)
        if not session.spin_until(lambda: bool(states), STATE_TIMEOUT_S):
            raise NoAnswer(f'safety_state: nothing came within {STATE_TIMEOUT_S:g} s. Is the system up (`rta up`)?')
        if arguments.json and not arguments.follow:
            print_json(_fields(states[-1]))
        else:
            _print_all(session, states, arguments.follow)
    return EXIT_OK


def _subscribe(session: Any) -> list[Any]:
    from robot_tool_agent.nodes.qos import LATCHED
    from robot_tool_agent_interfaces.msg import SafetyState

    states: list[Any] = []
    session.node.create_subscription(SafetyState, 'safety_state', states.append, LATCHED)
    return states


def _print_all(session: Any, states: list[Any], follow: bool) -> None:
    last = ''
    while True:
        while states:
            line = _line(states.pop(0))
            if line != last:
                last = line
                print(line, flush=True)
        if not follow or session.interrupted:
            return
        session.spin()


def _fields(message: Any) -> dict[str, Any]:
    from robot_tool_agent.core.safety_state import mode_name

    names = ('boot_id', 'epoch', 'motion_allowed', 'resettable', 'fault', 'detail', 'limit_reason')
    return {'state': mode_name(message.state), **{name: getattr(message, name) for name in names}}


def _line(message: Any) -> str:
    from robot_tool_agent.commands.text import plain

    fields = _fields(message)
    parts = [fields['state'], 'motion allowed' if message.motion_allowed else 'no motion', f'epoch {message.epoch}']
    parts += [f'fault {message.fault}'] if message.fault else []
    parts += ['can be reset'] if message.resettable else []
    parts += [f'limited: {message.limit_reason}'] if message.limit_reason else []
    parts += [message.detail] if message.detail else []
    return plain('  '.join(parts))
