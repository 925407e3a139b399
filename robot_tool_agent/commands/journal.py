"""`rta journal`: reads the executor's journal, also while it runs. What is resolved goes through the executor."""

from __future__ import annotations

import argparse
from dataclasses import asdict
import json
from typing import Any, TYPE_CHECKING

from robot_tool_agent.commands.errors import EXIT_NOT_DONE, EXIT_OK
from robot_tool_agent.commands.operator import add_resolve
from robot_tool_agent.commands.options import add_file_options, add_list, add_ros_options, namespace_of
from robot_tool_agent.commands.times import local_time

if TYPE_CHECKING:
    from robot_tool_agent.core.journal import CallRecord, Journal


def add_parser(commands: Any) -> None:
    """Declare the command."""
    text = 'Show what calls were made and how they ended.'
    parser = commands.add_parser('journal', help=text, description=text)
    actions = add_file_options(parser, 'journal file')
    add_list(actions, 'calls', run_list)
    show = actions.add_parser('show', help='one call in full, as JSON')
    show.add_argument('call_id')
    show.set_defaults(run=run_show)
    export = actions.add_parser('export', help='every call, oldest first, one JSON object a line')
    export.set_defaults(run=run_export)
    resolved = actions.add_parser('resolve', help='say what an unresolved call did to the world')
    add_ros_options(resolved)
    add_resolve(resolved)


def run_list(arguments: argparse.Namespace) -> int:
    """Print a table of calls."""
    from robot_tool_agent.commands.text import print_json

    journal = _open(arguments)
    try:
        records = journal.rows(arguments.limit)
    finally:
        journal.close()
    if arguments.json:
        print_json([_fields(record) for record in records])
    else:
        _print_table(records)
    return EXIT_OK


def run_show(arguments: argparse.Namespace) -> int:
    """Print one call. Return 1 if the journal does not know it."""
    from robot_tool_agent.commands.text import print_json

    journal = _open(arguments)
    try:
        record = journal.record(arguments.call_id)
    finally:
        journal.close()
    if record is None:
        print(f'{arguments.call_id}: not in the journal')
        return EXIT_NOT_DONE
    print_json(_fields(record))
    return EXIT_OK


def run_export(arguments: argparse.Namespace) -> int:
    """Print every call as JSON Lines."""
    journal = _open(arguments)
    try:
        for record in journal.every():
            attempts = [
                {'number': number, 'evidence': text} for number, text in journal.attempts(record.admission.call_id)
            ]
            print(json.dumps({**_fields(record), 'attempts': attempts}, ensure_ascii=False))
    finally:
        journal.close()
    return EXIT_OK


def _open(arguments: argparse.Namespace) -> Journal:
    from robot_tool_agent.config_files import ConfigError
    from robot_tool_agent.core.journal import Journal, JournalError

    try:
        return Journal.read_only(arguments.path or _default_path(namespace_of(arguments)))
    except JournalError as error:
        raise ConfigError(str(error)) from None


def _default_path(namespace: str) -> str:
    from robot_tool_agent.journal_path import default_journal_path

    return str(default_journal_path(namespace))


def _time(wall_s: float | None) -> str | None:
    return None if wall_s is None else local_time(wall_s)


def _fields(record: CallRecord) -> dict[str, Any]:
    """Return a record as JSON values: names for enums, times as text, stored JSON decoded."""
    from robot_tool_agent.commands.text import decoded

    call = {name: value for name, value in asdict(record.admission).items() if name != 'arguments_json'}
    fields: dict[str, Any] = {**call, 'resources': sorted(record.admission.resources)}
    fields['arguments'] = decoded(record.admission.arguments_json)
    fields |= {'state': record.state.value, 'unresolved': record.unresolved, 'resolved_by': record.resolved_by}
    fields |= {'start': decoded(record.start_json), 'admitted_at': _time(record.admitted_at_s)}
    fields |= {'started_at': _time(record.started_at_s), 'ended_at': _time(record.ended_at_s), 'end': None}
    if record.end is not None:
        end = record.end
        fields['end'] = {'outcome': end.outcome.name, 'effect': end.effect.name}
        fields['end'] |= {'error_code': end.error.value if end.error else '', 'message': end.message}
        fields['end'] |= {'result': decoded(end.result_json), 'evidence': decoded(end.evidence_json)}
        fields['end'] |= {'attempts': end.attempts}
    return fields


def _print_table(records: list[CallRecord]) -> None:
    from rich.console import Console
    from rich.table import Column, Table
    from robot_tool_agent.commands.text import plain

    call_id = Column('call', overflow='fold')
    table = Table('admitted', call_id, 'skill', 'arguments', 'state', 'outcome', 'effect', 'code')
    for record in records:
        end, call = record.end, record.admission
        ended = (end.outcome.name, end.effect.name, end.error.value if end.error else '') if end else ('', '', '')
        state = f'{record.state.value} (unresolved)' if record.unresolved else record.state.value
        shown = (call.call_id, call.skill, call.arguments_json, state, *ended)
        table.add_row(_time(record.admitted_at_s), *(plain(text) for text in shown))
    Console().print(table, markup=False)
