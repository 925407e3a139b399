"""`rta task`: gives the planner one instruction in plain language, and stays with it to its end."""

from __future__ import annotations

import argparse
from typing import Any
import uuid

from robot_tool_agent.commands.errors import EXIT_NOT_DONE, EXIT_OK
from robot_tool_agent.commands.options import namespace_of, ros_command

SETTLE_S = 1.0
STANDS, MAY_MOVE = 'the robot stands still', 'no standstill was seen in odometry: look at the robot'
LEFT = (
    'rta task: left before the end was seen. The task may go on and the robot may move:'
    ' `rta stop` stops it, `rta task --task-id {} ...` attaches again.'
)


def add_parser(commands: Any) -> None:
    """Declare the command."""
    parser = ros_command(
        commands,
        'task',
        'Give an instruction, e.g. "go to the kitchen". Ctrl-C cancels it and waits for standstill; a second one'
        ' leaves. Exit code 0 only if it SUCCEEDED, 1 if it ended otherwise, 3 if its end was not seen, 130 if left.',
    )
    parser.add_argument('instruction', help='what the robot is to do, English or Chinese')
    parser.add_argument('--task-id', default='', help='an id sent again attaches to that task (default: a new one)')
    parser.add_argument('--timeout', type=float, default=600.0, metavar='S', help='cancel after so many seconds')
    parser.add_argument('--json', action='store_true', help='print the result as JSON; never asks for approval')
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the task to its end. Return 0 only if it SUCCEEDED."""
    from robot_tool_agent.core.outcomes import TaskStatus

    task_id = arguments.task_id or f'task-{uuid.uuid4().hex[:12]}'
    result = _run(arguments, task_id)
    _print(task_id, result, arguments.json)
    return EXIT_OK if result.status == TaskStatus.SUCCEEDED else EXIT_NOT_DONE


def _run(arguments: argparse.Namespace, task_id: str) -> Any:
    from robot_tool_agent.commands.approval_requests import ApprovalRequests
    from robot_tool_agent.commands.ask import at_terminal
    from robot_tool_agent.commands.goals import GoalRun
    from robot_tool_agent.commands.session import Session
    from robot_tool_agent.commands.standstill import Standstill
    from robot_tool_agent.commands.text import ProgressView
    from robot_tool_agent_interfaces.action import RunTask

    goal = RunTask.Goal(task_id=task_id, instruction=arguments.instruction)
    ask = at_terminal() and not arguments.json  # before the progress view takes the place of stderr
    with Session(namespace_of(arguments)) as session, ProgressView() as view:
        standstill = Standstill(session)
        approvals = ApprovalRequests(session, view, task_id, ask)

        def show(feedback: Any) -> None:
            approvals.note_progress(feedback.text)
            view.show(f'step {feedback.step}  {feedback.kind}', feedback.text, feedback.progress)

        def cancel() -> None:
            approvals.close()
            view.show('cancelling', 'the task is asked to stop', 0.0)

        run = GoalRun(session, RunTask, 'run_task', 'planner')
        try:
            result = run.run(goal, show, cancel, arguments.timeout, approvals.poll)
            if run.cancelled:
                view.say(STANDS if standstill.seen() else MAY_MOVE)
            elif not session.interrupted:
                session.spin_until(lambda: approvals.settled, SETTLE_S)
        except KeyboardInterrupt:
            if run.sent:
                view.say(LEFT.format(task_id))
            raise
        finally:
            approvals.close()
    return result


def _print(task_id: str, result: Any, as_json: bool) -> None:
    from robot_tool_agent.commands.text import plain, print_json
    from robot_tool_agent.core.outcomes import TaskStatus

    status = TaskStatus(result.status).name
    if as_json:
        fields = ('summary', 'error_code', 'skill_calls', 'llm_calls')
        print_json({'task_id': task_id, 'status': status, **{name: getattr(result, name) for name in fields}})
        return
    code = f'  {result.error_code}' if result.error_code else ''
    print(f'{status}{code}  {plain(result.summary)}')
    print(f'task {task_id}: {result.skill_calls} skill calls, {result.llm_calls} model calls')
