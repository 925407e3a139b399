"""What a person decides: `rta stop`, `reset`, `resolve`, `approve`, `deny`, `pause` and `resume`."""

from __future__ import annotations

import argparse
import getpass
from typing import Any

from robot_tool_agent.commands.errors import EXIT_NOT_DONE, EXIT_OK
from robot_tool_agent.commands.options import namespace_of, ros_command

EFFECTS = ('none', 'partial', 'done')


def add_parser(commands: Any) -> None:
    """Declare the commands."""
    stop = ros_command(commands, 'stop', 'Stop the robot now. It stays stopped until `rta reset`.')
    stop.add_argument('--reason', default='asked from the command line', help='kept in the safety state')
    stop.set_defaults(run=run_stop)

    reset = ros_command(commands, 'reset', 'Clear the latch of the safety node. Never moves the robot.')
    reset.add_argument('--operator', default=None, metavar='NAME', help='who decides (default: the login name)')
    reset.set_defaults(run=run_reset)

    add_resolve(ros_command(commands, 'resolve', 'Say what an unresolved call did to the world.'))
    for word in ('approve', 'deny'):
        decide = ros_command(commands, word, f'{word.capitalize()} a call that waits for a person.')
        decide.add_argument('call_id')
        decide.add_argument('--operator', default=None, metavar='NAME', help='who decides (default: the login name)')
        decide.add_argument('--reason', default='', metavar='TEXT', help='kept in the log')
        decide.set_defaults(run=run_decide)
    for word in ('pause', 'resume'):
        control = ros_command(commands, word, f'{word.capitalize()} the motion of a running call.')
        control.add_argument('call_id')
        control.set_defaults(run=run_control)


def add_resolve(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of a resolution."""
    parser.add_argument('call_id')
    parser.add_argument('--effect', required=True, choices=EFFECTS)
    parser.add_argument('--operator', required=True, metavar='NAME', help='who looked')
    parser.add_argument('--reason', required=True, metavar='TEXT', help='what was seen')
    parser.set_defaults(run=run_resolve)


def run_stop(arguments: argparse.Namespace) -> int:
    """Trip the safety node with OPERATOR_STOP."""
    from robot_tool_agent_interfaces.srv import TripSafety

    request = TripSafety.Request(fault='OPERATOR_STOP', detail=arguments.reason)
    return _decide(arguments, TripSafety, 'trip_safety', request)


def run_reset(arguments: argparse.Namespace) -> int:
    """Reset the safety node in a person's name."""
    from robot_tool_agent_interfaces.srv import ResetSafety

    return _decide(arguments, ResetSafety, 'reset_safety', ResetSafety.Request(operator_name=_name(arguments)))


def run_resolve(arguments: argparse.Namespace) -> int:
    """Store a person's word on an unresolved call."""
    from robot_tool_agent_interfaces.srv import ResolveCall

    request = ResolveCall.Request(
        call_id=arguments.call_id,
        effect=EFFECTS.index(arguments.effect),
        operator_name=arguments.operator,
        reason=arguments.reason,
    )
    return _decide(arguments, ResolveCall, 'resolve_call', request, repeatable=False)


def run_decide(arguments: argparse.Namespace) -> int:
    """Answer an approval request."""
    from robot_tool_agent_interfaces.srv import DecideApproval

    request = DecideApproval.Request(
        call_id=arguments.call_id,
        approve=arguments.command == 'approve',
        operator_name=_name(arguments),
        reason=arguments.reason,
    )
    return _decide(arguments, DecideApproval, 'decide_approval', request, repeatable=False)


def run_control(arguments: argparse.Namespace) -> int:
    """Pause or resume a running call."""
    from robot_tool_agent_interfaces.srv import ControlCall

    request = ControlCall.Request(call_id=arguments.call_id, command=arguments.command)
    return _decide(arguments, ControlCall, 'control_call', request)


def _name(arguments: argparse.Namespace) -> str:
    return str(getpass.getuser() if arguments.operator is None else arguments.operator)


def _decide(arguments: argparse.Namespace, kind: Any, name: str, request: Any, repeatable: bool = True) -> int:
    from robot_tool_agent.commands.session import Session
    from robot_tool_agent.commands.text import plain

    with Session(namespace_of(arguments)) as session:
        answer = session.ask(kind, name, request, repeatable)
    print(f'{"done" if answer.success else "refused"}: {plain(answer.message)}')
    return EXIT_OK if answer.success else EXIT_NOT_DONE
