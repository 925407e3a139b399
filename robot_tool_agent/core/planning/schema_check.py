"""
Checks a JSON value against the part of JSON Schema (2020-12) that argument schemas use.

Keywords it does not know are passed over: the executor checks every call again with the skill's own model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
import math
import re
from typing import Any

Schema = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ArgumentFault:
    """One fault: where, what was found, what is expected. `valid` lists the valid values where there are few."""

    field: str
    value: Any
    expected: str
    valid: tuple[Any, ...] = ()

    def as_data(self) -> dict[str, Any]:
        """Return the fault as JSON."""
        data = {'field': self.field, 'value': self.value, 'expected': self.expected}
        return data | ({'valid_values': list(self.valid)} if self.valid else {})


def check(value: Any, schema: Schema) -> list[ArgumentFault]:
    """Return every fault of `value`; an empty list means that it fits."""
    return _Checker(schema).check(value, schema, '')


class _Checker:

    def __init__(self, root: Schema) -> None:
        self._root = root

    def check(self, value: Any, schema: Schema, field: str) -> list[ArgumentFault]:
        schema = self._resolve(schema)
        if 'enum' in schema or 'const' in schema:
            return _check_enum(value, schema, field)
        wrong_type = _check_type(value, schema, field)
        if wrong_type:
            return wrong_type
        faults = [fault for rule in _RULES for fault in rule(value, schema, field)]
        faults += self._check_object(value, schema, field) if isinstance(value, dict) else []
        faults += self._check_items(value, schema, field) if isinstance(value, list) else []
        return faults + self._check_not(value, schema, field) + self._check_branches(value, schema, field)

    def _resolve(self, schema: Schema) -> Schema:
        """Follow a local `$ref`; at most eight steps, so that a ring of references ends."""
        for _ in range(8):
            path = schema.get('$ref')
            if not isinstance(path, str):
                break
            target: Any = self._root
            for part in path.removeprefix('#/').split('/'):
                target = target.get(part, {}) if isinstance(target, Mapping) else {}
            schema = {**target, **{key: item for key, item in schema.items() if key != '$ref'}}
        return schema

    def _check_object(self, value: dict[str, Any], schema: Schema, field: str) -> list[ArgumentFault]:
        properties = schema.get('properties', {})
        faults = [
            ArgumentFault(_join(field, name), None, f'required, {_describe(self._resolve(properties.get(name, {})))}')
            for name in schema.get('required', ())
            if name not in value
        ]
        for name, item in value.items():
            if name in properties:
                faults += self.check(item, properties[name], _join(field, name))
            elif schema.get('additionalProperties') is False:
                known = tuple(properties)
                faults.append(ArgumentFault(_join(field, name), item, 'no such argument', known))
        return faults

    def _check_items(self, value: list[Any], schema: Schema, field: str) -> list[ArgumentFault]:
        items = schema.get('items')
        if not isinstance(items, Mapping):
            return []
        return [fault for place, item in enumerate(value) for fault in self.check(item, items, f'{field}[{place}]')]

    def _check_not(self, value: Any, schema: Schema, field: str) -> list[ArgumentFault]:
        unwanted = schema.get('not')
        if not isinstance(unwanted, Mapping) or self.check(value, unwanted, field):
            return []
        return [ArgumentFault(field, value, f'anything but {_describe(self._resolve(unwanted))}')]

    def _check_branches(self, value: Any, schema: Schema, field: str) -> list[ArgumentFault]:
        faults = [fault for branch in schema.get('allOf', ()) for fault in self.check(value, branch, field)]
        for keyword, most in (('anyOf', None), ('oneOf', 1)):
            branches = schema.get(keyword)
            if not branches:
                continue
            found = [self.check(value, branch, field) for branch in branches]
            fitting = sum(not each for each in found)
            if fitting == 0 and len(branches) == 1:
                faults += found[0]
            elif fitting == 0 or (most is not None and fitting > most):
                forms = ' or '.join(_describe(self._resolve(branch)) for branch in branches)
                faults.append(ArgumentFault(field, value, f'exactly one of these forms: {forms}'))
        return faults


def _type_name(value: Any) -> str:
    names = {bool: 'boolean', str: 'string', int: 'integer', float: 'number', list: 'array', dict: 'object'}
    return names.get(type(value), 'null')


def _join(field: str, name: str) -> str:
    return f'{field}.{name}' if field else name


def _same(a: Any, b: Any) -> bool:
    """Compare as JSON does: true is not 1."""
    return a == b and isinstance(a, bool) == isinstance(b, bool)


def _check_enum(value: Any, schema: Schema, field: str) -> list[ArgumentFault]:
    valid = tuple(schema['enum']) if 'enum' in schema else (schema['const'],)
    if any(_same(value, item) for item in valid):
        return []
    return [ArgumentFault(field, value, 'one of the valid values, same spelling and case', valid)]


_TYPES: dict[str, Callable[[Any], bool]] = {
    'object': lambda v: isinstance(v, dict),
    'array': lambda v: isinstance(v, list),
    'string': lambda v: isinstance(v, str),
    'boolean': lambda v: isinstance(v, bool),
    'null': lambda v: v is None,
    'integer': lambda v: isinstance(v, int) and not isinstance(v, bool),
    'number': lambda v: isinstance(v, int | float) and not isinstance(v, bool),
}


def _check_type(value: Any, schema: Schema, field: str) -> list[ArgumentFault]:
    wanted = schema.get('type')
    names = [wanted] if isinstance(wanted, str) else list(wanted or ())
    if not names or any(_TYPES.get(name, lambda _: True)(value) for name in names):
        return []
    return [ArgumentFault(field, value, f'{_describe(schema)}, not {_type_name(value)}')]


def _check_number(value: Any, schema: Schema, field: str) -> list[ArgumentFault]:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return []
    bad = (
        ('minimum' in schema and value < schema['minimum'])
        or ('maximum' in schema and value > schema['maximum'])
        or ('exclusiveMinimum' in schema and value <= schema['exclusiveMinimum'])
        or ('exclusiveMaximum' in schema and value >= schema['exclusiveMaximum'])
        or ('multipleOf' in schema and not _is_multiple(value, schema['multipleOf']))
    )
    return [ArgumentFault(field, value, _describe(schema))] if bad else []


def _is_multiple(value: float, step: float) -> bool:
    """Tell whether value / step is whole; a quotient within rounding of a whole number counts."""
    quotient = value / step
    return math.isfinite(quotient) and abs(quotient - round(quotient)) <= 1e-9 * max(1.0, abs(quotient))


def _check_string(value: Any, schema: Schema, field: str) -> list[ArgumentFault]:
    if not isinstance(value, str):
        return []
    bad = (
        len(value) < schema.get('minLength', 0)
        or len(value) > schema.get('maxLength', len(value))
        or ('pattern' in schema and re.search(schema['pattern'], value) is None)
    )
    return [ArgumentFault(field, value, _describe(schema))] if bad else []


def _check_size(value: Any, schema: Schema, field: str) -> list[ArgumentFault]:
    low, high = ('minItems', 'maxItems') if isinstance(value, list) else ('minProperties', 'maxProperties')
    if not isinstance(value, list | dict):
        return []
    if schema.get(low, 0) <= len(value) <= schema.get(high, len(value)):
        return []
    return [ArgumentFault(field, value, _describe(schema))]


_RULES = (_check_number, _check_string, _check_size)

_BOUNDS = {
    'minimum': '>= {}',
    'maximum': '<= {}',
    'exclusiveMinimum': '> {}',
    'exclusiveMaximum': '< {}',
    'multipleOf': 'a multiple of {}',
    'minLength': 'at least {} characters',
    'maxLength': 'at most {} characters',
    'pattern': 'matching {}',
    'minItems': 'at least {} items',
    'maxItems': 'at most {} items',
    'minProperties': 'at least {} arguments',
    'maxProperties': 'at most {} arguments',
}


def _describe(schema: Schema) -> str:
    """Return the expected form in words, e.g. `number >= -5 <= 5`."""
    if 'required' in schema and 'type' not in schema:
        return '{' + ', '.join(schema['required']) + '}'
    kind = schema.get('type', 'value')
    kind = kind if isinstance(kind, str) else ' or '.join(kind)
    if kind == 'object' and schema.get('properties'):
        kind = 'object {' + ', '.join(schema['properties']) + '}'
    return ' '.join([kind, *(text.format(schema[key]) for key, text in _BOUNDS.items() if key in schema)])
