"""Reads the README: its tables and code blocks, and what the code says that its tables must say."""

from __future__ import annotations

from pathlib import Path
import re
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined
from robot_tool_agent.core.outcomes import ErrorCode
from robot_tool_agent.core.safety.faults import Fault, FAULTS, Rearm

README = Path(__file__).resolve().parents[1] / 'README.md'
Row = tuple[str, ...]
BACK = {
    Rearm.RESET: 'reset',
    Rearm.SELF: 'by itself, limited; else reset',
    Rearm.CLEARED: 'by itself once it has ended',
    Rearm.NONE: 'nothing stops',
}


def text() -> str:
    """Return the README."""
    return README.read_text(encoding='utf-8')


def tables(first_cell: str) -> list[list[Row]]:
    """Return the rows, without the heading, of every table whose heading begins with a cell."""
    found: list[list[Row]] = []
    inside = False
    for line in text().splitlines():
        if line.startswith(f'| {first_cell} |'):
            inside = True
            found.append([])
        elif inside and line.startswith('| '):
            found[-1].append(tuple(cell.strip() for cell in re.split(r'(?<!\\)\|', line)[1:-1]))
        elif not line.startswith('|--'):
            inside = False
    return found


def table(first_cell: str) -> list[Row]:
    """Return the rows of the only table whose heading begins with a cell."""
    (rows,) = tables(first_cell)
    return rows


def parameter_table(node: str) -> list[Row]:
    """Return the rows of the parameter table that stands under the name of a node."""
    after = text().split(f'\n`{node}`:\n', 1)[1].lstrip().splitlines()
    lines = after[2: next((n for n, line in enumerate(after) if not line.startswith('|')), len(after))]
    return [tuple(cell.strip() for cell in line.split('|')[1:-1]) for line in lines]


def code_block(language: str, containing: str) -> str:
    """Return the only fenced block of a language that contains a text."""
    blocks = re.findall(rf'^```{language}\n(.*?)^```', text(), re.MULTILINE | re.DOTALL)
    (block,) = [block for block in blocks if containing in block]
    return str(block)


def fault_rows() -> list[Row]:
    """Return what the fault table must say."""
    return [
        (f'`{row.code.value}`', row.watched, _limit(row), row.reaction.name, row.clears, BACK[row.rearm])
        for row in FAULTS.values()
    ]


def _limit(row: Fault) -> str:
    if row.default is None or row.threshold.startswith('max('):
        return row.threshold
    return f'`{row.threshold}`, {row.default:g} {row.unit}'


def code_rows() -> list[Row]:
    """Return code and advice of every error."""
    return [(f'`{code.value}`', f'`{code.advice.value}`') for code in ErrorCode]


def field_rows(model: type[BaseModel]) -> list[Row]:
    """Return name, default, range and meaning of every field of a configuration model."""
    return [
        (f'`{name}`', _default(field), _range(field), (field.description or '-').replace('|', '\\|'))
        for name, field in model.model_fields.items()
    ]


def _default(field: FieldInfo) -> str:
    if field.default is PydanticUndefined:
        return 'required'
    shown: Any = field.default
    if shown is None:
        return 'unset'
    return f'`{str(shown).lower() if isinstance(shown, bool) else shown}`' if shown != '' else 'empty'


def _range(field: FieldInfo) -> str:
    low = next((item.ge for item in field.metadata if hasattr(item, 'ge')), None)
    high = next((item.le for item in field.metadata if hasattr(item, 'le')), None)
    return '-' if low is None or high is None else f'{low} to {high}'
