"""The argument checker against calls of another robot: every right call is taken, every mutant of it is refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
import json
from typing import Any

from bfcl_calls import right_calls, tools
import pytest
from robot_tool_agent.core.outcomes import ErrorCode
from robot_tool_agent.core.planning.calls import CallFault, check_call, PlannedCall
from robot_tool_agent.core.planning.conversation import ToolCall

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec('bfcl_eval') is None, reason='the wheel bfcl-eval is not installed'),
]
Json = dict[str, Any]
Mutant = tuple[str, str, Json]
WRONG = {
    'number': ['1.5', None, True, [1.0], {}],
    'integer': ['1', 1.5, None, False],
    'string': [1, None, True, ['x'], {}],
    'boolean': ['true', 0, 1, None],
    'array': ['driver', None, {'0': 'driver'}, 1],
}


def _type_mutants(name: str, arguments: Json, properties: Json) -> Iterator[Mutant]:
    for field in arguments:
        for value in WRONG[properties[field]['type']]:
            yield 'wrong type', name, {**arguments, field: value}


def _enum_mutants(name: str, arguments: Json, properties: Json) -> Iterator[Mutant]:
    for field, value in arguments.items():
        if 'enum' in properties[field]:
            for wrong in (value.swapcase(), f'{value} ', 'none of these'):
                yield 'wrong enum', name, {**arguments, field: wrong}
        elif 'enum' in properties[field].get('items', {}):
            yield 'wrong enum', name, {**arguments, field: [*value, 'trunk']}


def _range_mutants(name: str, arguments: Json, properties: Json) -> Iterator[Mutant]:
    for field in arguments:
        form = properties[field]
        if 'maximum' in form:
            beyond = (form['minimum'] - 5, form['maximum'] + 5, form['maximum'] * 1e6, -1e-9, 1e308)
            yield from (('out of range', name, {**arguments, field: value}) for value in beyond)
        if 'multipleOf' in form:
            yield 'out of range', name, {**arguments, field: form['multipleOf'] * 1.5}


def mutants(name: str, arguments: Json, properties: Json, required: list[str]) -> Iterator[Mutant]:
    """Return calls with one fault each, with the kind of the fault."""
    for wrong in (name + 's', name.swapcase(), f'{name} ', f'{name}()', name[:-1]):
        yield 'wrong name', wrong, arguments
    for field in required:
        yield 'missing', name, {key: value for key, value in arguments.items() if key != field}
    yield 'extra', name, {**arguments, 'speed_limit': 5}
    for field, value in arguments.items():
        renamed = {key: item for key, item in arguments.items() if key != field}
        yield 'wrong argument name', name, {**renamed, field.upper() + '_': value}
    yield from _type_mutants(name, arguments, properties)
    yield from _enum_mutants(name, arguments, properties)
    yield from _range_mutants(name, arguments, properties)


def test_right_calls_are_taken_and_every_mutant_is_refused() -> None:
    known = tools()
    refused: Counter[str] = Counter()
    originals = right_calls()
    for name, arguments in originals:
        right = check_call(ToolCall('r', name, json.dumps(arguments)), 't:1:0', known)
        assert isinstance(right, PlannedCall), (name, arguments, right)
        assert json.loads(right.arguments_json) == arguments
        schema = known[name].parameters
        for kind, wrong, given in mutants(name, arguments, dict(schema['properties']), schema['required']):
            found = check_call(ToolCall('r', wrong, json.dumps(given)), 't:1:0', known)
            assert isinstance(found, CallFault), (kind, wrong, given)
            code = ErrorCode.UNKNOWN_SKILL if kind == 'wrong name' else ErrorCode.INVALID_ARGUMENT
            assert found.error is code, (kind, wrong, given)
            refused[kind] += 1
    assert len(known) == 22
    assert len(originals) >= 70
    kinds = {'wrong name', 'missing', 'extra', 'wrong argument name', 'wrong type', 'wrong enum', 'out of range'}
    assert set(refused) == kinds
    assert sum(refused.values()) > 1000, refused
