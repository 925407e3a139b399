"""`rta tasks`: reads what the planner keeps of its tasks, also while it runs."""

from __future__ import annotations

import argparse
from contextlib import closing
import json
from typing import Any, TYPE_CHECKING

from robot_tool_agent.commands.errors import EXIT_NOT_DONE, EXIT_OK
from robot_tool_agent.commands.options import add_file_options, add_list, namespace_of
from robot_tool_agent.commands.times import local_time

if TYPE_CHECKING:
    from robot_tool_agent.core.planning.memory.journal_file import TaskJournal
    from robot_tool_agent.core.planning.record import TaskRecord

Json = dict[str, Any]


def add_parser(commands: Any) -> None:
    """Declare the command."""
    text = 'Show what tasks were given and what was said and done in them.'
    parser = commands.add_parser('tasks', help=text, description=text)
    actions = add_file_options(parser, 'memory of tasks')
    add_list(actions, 'tasks', run_list)
    show = actions.add_parser('show', help='the transcript of one task')
    show.add_argument('task_id')
    show.add_argument('--json', action='store_true', help='print everything kept of it, one JSON object a line')
    show.set_defaults(run=run_show)


def run_list(arguments: argparse.Namespace) -> int:
    """Print a table of tasks."""
    from robot_tool_agent.commands.text import print_json

    with closing(_open(arguments)) as journal:
        records = _checked(lambda: journal.records(max(arguments.limit, 0)))
    if arguments.json:
        print_json([_fields(record) for record in records])
    else:
        _print_table(records)
    return EXIT_OK


def run_show(arguments: argparse.Namespace) -> int:
    """Print one task. Return 1 if it is not known."""
    from robot_tool_agent.commands.text import plain

    with closing(_open(arguments)) as journal:
        record = _checked(lambda: journal.head(arguments.task_id))
        lines = _checked(lambda: journal.lines(arguments.task_id))
    if record is None:
        print(f'{plain(arguments.task_id)}: not in the memory of tasks')
        return EXIT_NOT_DONE
    if arguments.json:
        print(json.dumps({'kind': 'task', **_fields(record)}))
        for at_s, kind, content in lines:
            print(json.dumps({'at': local_time(at_s), 'kind': kind, 'content': json.loads(content)}))
        return EXIT_OK
    print(f'{local_time(record.begun_at_s)}  task    {plain(record.instruction)}')
    for at_s, kind, content in lines:
        for text in _told(kind, json.loads(content)):
            print(f'{local_time(at_s)}  {plain(text)}')
    print(f'{local_time(record.last_at_s)}  end     {_state(record)}  {plain(_summary(record))}')
    return EXIT_OK


def _open(arguments: argparse.Namespace) -> TaskJournal:
    from robot_tool_agent.core.planning.memory.journal_file import TaskJournal
    from robot_tool_agent.journal_path import default_memory_path

    path = arguments.path or str(default_memory_path(namespace_of(arguments)))
    return _checked(lambda: TaskJournal.read_only(path))


def _checked(read: Any) -> Any:
    """Read; what cannot be read is a fault of the path that was given."""
    from robot_tool_agent.config_files import ConfigError
    from robot_tool_agent.core.journal import JournalError

    try:
        return read()
    except JournalError as error:
        raise ConfigError(str(error)) from None


def _told(kind: str, content: Json) -> list[str]:
    """Return the lines of a transcript for one thing that was kept."""
    if kind == 'reply':
        reply = content['reply']
        said = [f'model   {reply["text"]}'] if reply['text'] else []
        return said + [f'model   calls {call["name"]} {call["arguments_json"]}' for call in reply['calls']]
    if kind == 'result':
        end = content['result']
        return [f'result  {content["call_id"]} {_outcome(end["outcome"])} {end["error_code"]} {end["message"]}']
    if kind == 'stop':
        return [f'stop    {content["end"]["summary"]}']
    if kind == 'resumed':
        return ['resumed by a new planner process']
    if kind == 'turn' and _is_remark(content):
        return [f'remark  {content["text"]}']
    return []


def _is_remark(turn: Json) -> bool:
    """Tell whether a turn says more than the result of a call that has a line of its own."""
    return turn['role'] == 'user' or (turn['role'] == 'tool' and '"sent": false' in turn['text'])


def _outcome(value: int) -> str:
    from robot_tool_agent.core.outcomes import Outcome

    return Outcome(value).name


def _state(record: TaskRecord) -> str:
    if record.end is None:
        return 'OPEN (running, or interrupted by a restart)'
    return ' '.join(filter(None, (record.end.status.name, record.end.error.value if record.end.error else '')))


def _summary(record: TaskRecord) -> str:
    return '' if record.end is None else record.end.summary


def _fields(record: TaskRecord) -> Json:
    fields: Json = {'task_id': record.task_id, 'instruction': record.instruction, 'status': None}
    fields |= {'begun_at': local_time(record.begun_at_s), 'last_at': local_time(record.last_at_s)}
    if record.end is not None:
        end = record.end
        fields |= {'status': end.status.name, 'error_code': end.error.value if end.error else ''}
        fields |= {'summary': end.summary, 'skill_calls': end.skill_calls, 'llm_calls': end.llm_calls}
    return fields


def _print_table(records: list[TaskRecord]) -> None:
    from rich.console import Console
    from rich.table import Column, Table
    from robot_tool_agent.commands.text import plain

    table = Table('begun', Column('task', overflow='fold'), 'instruction', 'end', 'summary')
    for record in records:
        shown = (record.task_id, record.instruction, _state(record), _summary(record))
        table.add_row(local_time(record.begun_at_s), *(plain(text) for text in shown))
    Console().print(table, markup=False)
