"""`rta call`: makes one skill call, past the planner."""

from __future__ import annotations

import argparse
from typing import Any
import uuid

from robot_tool_agent.commands.errors import EXIT_NOT_DONE, EXIT_OK
from robot_tool_agent.commands.options import namespace_of, ros_command

# Not the name of any node: calls of an operator are not tied to a heartbeat.
REQUESTED_BY = 'operator'

LEFT = 'left before the end of call {} was seen: the robot may move; `rta stop` stops it'


def add_parser(commands: Any) -> None:
    """Declare the command."""
    parser = ros_command(commands, 'call', 'Make one skill call. Ctrl-C cancels it.')
    parser.add_argument('skill', help='name of the skill, see `rta skills`')
    parser.add_argument('arguments', nargs='?', default='{}', help='JSON object, e.g. \'{"place": "kitchen"}\'')
    parser.add_argument('--call-id', default='', help='the same id never moves the robot twice (default: a new one)')
    parser.add_argument('--timeout', type=float, default=600.0, metavar='S', help='cancel after so many seconds')
    parser.add_argument('--json', action='store_true', help='print the result as JSON')
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the call to its end. Return 0 only if it SUCCEEDED."""
    from robot_tool_agent.commands.goals import GoalRun
    from robot_tool_agent.commands.session import Session
    from robot_tool_agent.commands.text import ProgressView
    from robot_tool_agent.core.outcomes import Outcome
    from robot_tool_agent_interfaces.action import ExecuteSkill

    call_id = arguments.call_id or f'call-{uuid.uuid4().hex[:12]}'
    goal = ExecuteSkill.Goal(
        call_id=call_id, skill=arguments.skill, arguments_json=arguments.arguments, requested_by=REQUESTED_BY
    )
    with Session(namespace_of(arguments)) as session, ProgressView() as view:
        run = GoalRun(session, ExecuteSkill, 'execute_skill', 'executor')
        try:
            result = run.run(
                goal,
                lambda feedback: view.show(feedback.phase, feedback.detail, feedback.progress),
                lambda: view.show('cancelling', 'the call is asked to stop', 0.0),
                arguments.timeout,
            )
        except KeyboardInterrupt:
            if run.sent:
                view.say(LEFT.format(call_id))
            raise
    _print(call_id, result, arguments.json)
    return EXIT_OK if result.outcome == Outcome.SUCCEEDED else EXIT_NOT_DONE


def _print(call_id: str, result: Any, as_json: bool) -> None:
    from robot_tool_agent.commands.text import compact_json, decoded, plain, print_json
    from robot_tool_agent.core.outcomes import Effect, Outcome

    outcome, effect = Outcome(result.outcome).name, Effect(result.effect).name
    if as_json:
        fields = ('error_code', 'message', 'advice', 'replayed', 'attempts')
        texts = {name: getattr(result, name) for name in fields}
        values = {'result': decoded(result.result_json), 'evidence': decoded(result.evidence_json)}
        print_json({'call_id': call_id, 'outcome': outcome, 'effect': effect, **texts, **values})
        return
    code = f'  {result.error_code}, advice {result.advice}' if result.error_code else ''
    replayed = '  (replayed: nothing moved for this call)' if result.replayed else ''
    print(f'{outcome}  effect {effect}{code}{replayed}  {plain(result.message)}')
    print(f'call {call_id}: {result.attempts} attempts')
    for title, text in (('result', result.result_json), ('evidence', result.evidence_json)):
        if text:
            print(f'{title}: {compact_json(text)}')
