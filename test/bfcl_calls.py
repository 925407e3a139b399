"""
Calls of a car from the Berkeley Function Calling data (wheel bfcl-eval, Apache-2.0), as tools and calls of ours.

Only the wheel's JSON files are read; the package itself is never imported.
"""

from __future__ import annotations

import ast
from importlib.metadata import files
import json
import re
from typing import Any

from robot_tool_agent.core.planning.conversation import ToolSpec

Json = dict[str, Any]
DOCS = 'bfcl_eval/data/multi_turn_func_doc/vehicle_control.json'
ANSWERS = 'bfcl_eval/data/possible_answer/BFCL_v4_multi_turn_'
TYPES = {'dict': 'object', 'float': 'number'}
RANGE = re.compile(r'(?:between|from) (\d+)\D*?(?:and|to) (\d+)')


def tools() -> dict[str, ToolSpec]:
    """Return the functions of the car; enums and ranges are taken from their descriptions, where the data has them."""
    rows = [json.loads(line) for line in _text(DOCS).splitlines()]
    return {row['name']: _tool(row) for row in rows}


def right_calls() -> list[tuple[str, Json]]:
    """Return every distinct call of the car in the right answers, as name and arguments."""
    known = tools()
    names = [str(path) for path in files('bfcl_eval') or () if str(path).startswith(ANSWERS)]
    found = {}
    for name in names:
        for line in _text(name).splitlines():
            for text in (call for turn in json.loads(line)['ground_truth'] for call in turn):
                if text.split('(')[0] in known:
                    call = _call(text, known)
                    found[json.dumps(call, sort_keys=True)] = call
    return list(found.values())


def _text(name: str) -> str:
    path = next(path for path in files('bfcl_eval') or () if str(path) == name)
    return path.locate().read_text()  # type: ignore[union-attr]


def _call(text: str, known: dict[str, ToolSpec]) -> tuple[str, Json]:
    """Read a call as the data writes it, e.g. `startEngine(ignitionMode='START')`."""
    node = ast.parse(text, mode='eval').body
    assert isinstance(node, ast.Call)
    assert isinstance(node.func, ast.Name)
    places = zip(known[node.func.id].parameters['properties'], node.args, strict=False)
    given = {name: ast.literal_eval(item) for name, item in places}
    named = {item.arg: ast.literal_eval(item.value) for item in node.keywords if item.arg}
    return node.func.id, given | named


def _tool(row: Json) -> ToolSpec:
    parameters = row['parameters']
    properties = {name: _field(field) for name, field in parameters['properties'].items()}
    schema = {'type': 'object', 'properties': properties, 'required': parameters['required']}
    schema['additionalProperties'] = False
    return ToolSpec(row['name'], row['description'], schema, False, False, frozenset({'car'}), 5.0)


def _field(field: Json) -> Json:
    text = field['description']
    kind = TYPES.get(field['type'], field['type'])
    values = re.search(r'\[Enum\]: (\[.*\])', text)
    found = {'enum': json.loads(values[1])} if values else {}
    if kind == 'array':
        return {'type': kind, 'items': {**field['items'], **found}}
    limits = RANGE.search(text)
    found |= {'minimum': float(limits[1]), 'maximum': float(limits[2])} if limits else {}
    step = re.search(r'multiple of (\d+)', text)
    return {'type': kind, **found, **({'multipleOf': float(step[1])} if step else {})}
