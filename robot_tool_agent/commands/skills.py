"""`rta skills`: lists the skills the executor serves."""

from __future__ import annotations

import argparse
import json
from typing import Any

from robot_tool_agent.commands.errors import EXIT_NOT_DONE, EXIT_OK
from robot_tool_agent.commands.options import namespace_of, ros_command


def add_parser(commands: Any) -> None:
    """Declare the command."""
    parser = ros_command(commands, 'skills', 'List the skills, or describe one in full.')
    parser.add_argument('name', nargs='?', help='skill to describe')
    parser.add_argument('--json', action='store_true', help='print what describe_skills answers')
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the skills. Return 1 if the named one does not exist."""
    from robot_tool_agent.commands.session import Session
    from robot_tool_agent.commands.text import print_json
    from robot_tool_agent_interfaces.srv import DescribeSkills

    with Session(namespace_of(arguments)) as session:
        answer = session.ask(DescribeSkills, 'describe_skills', DescribeSkills.Request())
    skills = json.loads(answer.skills_json)
    chosen = [skill for skill in skills if arguments.name in (None, skill['name'])]
    if arguments.json:
        print_json({'schema_hash': answer.schema_hash, 'skills': chosen})
    elif arguments.name is None:
        _print_table(chosen)
    else:
        _print_one(arguments.name, chosen, [skill['name'] for skill in skills])
    return EXIT_OK if chosen else EXIT_NOT_DONE


def _print_table(skills: list[dict[str, Any]]) -> None:
    from rich.console import Console
    from rich.table import Column, Table

    table = Table(Column('skill', no_wrap=True), 'what it does', 'repeatable', 'uses', 'risk', 'at most')
    for skill in skills:
        first = next(iter(skill['description'].strip().splitlines()), '')
        repeatable = 'reads only' if skill['reads_only'] else 'yes' if skill['idempotent'] else 'no'
        uses = ', '.join(skill['resources']) or '-'
        table.add_row(skill['name'], first, repeatable, uses, skill['risk'], f'{skill["timeout_s"]:g} s')
    Console().print(table, markup=False)


def _print_one(name: str, chosen: list[dict[str, Any]], known: list[str]) -> None:
    if not chosen:
        print(f'{name}: no such skill; there are: {", ".join(known)}')
    for skill in chosen:
        print(f'{skill["name"]}\n\n{skill["description"].strip()}\n')
        print(json.dumps(skill['arguments_schema'], ensure_ascii=False, indent=2))
