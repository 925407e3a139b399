"""From the text a caller sent to checked arguments, or to a refusal that says everything that is wrong with it."""

from __future__ import annotations

from collections import Counter
import json
import math
from typing import Any

from pydantic import BaseModel, ValidationError
from robot_tool_agent.core.outcomes import ErrorCode
from robot_tool_agent.core.skills.base import Json, Refusal, Skill, SkillArguments

MAX_ARGUMENT_BYTES = 16_384
MAX_DEPTH = 8
MAX_FAULTS = 20
MAX_VALUE_CHARS = 80
FORM = 'a JSON object such as {"distance_m": 0.5}'


class _NotJson(ValueError):
    """The text is not JSON as RFC 8259 has it, or uses what JSON leaves undefined."""


def parse_arguments(skill: type[Skill[Any]], arguments_json: str) -> SkillArguments | Refusal:
    """Return the checked arguments of a call. Never raises: all faults of the text come back in one Refusal."""
    try:
        data = parse_object(arguments_json)
    except _NotJson as fault:
        return Refusal(ErrorCode.INVALID_JSON, f'arguments_json: {fault}', {'expected': FORM})
    try:
        return skill.arguments_type.model_validate(data)
    except ValidationError as error:
        faults = [_fault(item, skill.arguments_type) for item in error.errors(include_url=False)[:MAX_FAULTS]]
        text = '; '.join(_line(fault) for fault in faults)
        return Refusal(ErrorCode.INVALID_ARGUMENT, f'{skill.name}: {text}', {'faults': faults})


def parse_object(text: str) -> Json:
    """Return the JSON object in a text; raise ValueError on anything that is not exactly one finite JSON object."""
    if len(text) > MAX_ARGUMENT_BYTES or len(text.encode('utf-8', 'surrogatepass')) > MAX_ARGUMENT_BYTES:
        raise _NotJson(f'longer than {MAX_ARGUMENT_BYTES} bytes')
    if nesting_depth(text) > MAX_DEPTH:
        raise _NotJson(f'nested deeper than {MAX_DEPTH} levels')
    try:
        data = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant, parse_float=_finite_float)
    except _NotJson:
        raise
    except json.JSONDecodeError as error:
        raise _NotJson(f'{error.msg} at character {error.pos}') from None
    except (ValueError, RecursionError) as error:
        raise _NotJson(str(error)[:MAX_VALUE_CHARS]) from None
    if isinstance(data, str):
        raise _NotJson('a JSON string, not an object; send the object itself, not quoted text that holds it')
    if not isinstance(data, dict):
        raise _NotJson(f'a JSON {_json_type(data)}, not an object')
    if not _is_unicode(data):
        raise _NotJson('a lone surrogate such as \\ud800 stands for no character')
    return data


def nesting_depth(text: str) -> int:
    """Return how deep brackets nest outside strings, without parsing."""
    depth = deepest = 0
    in_string = escaped = False
    for char in text:
        if in_string:
            in_string = escaped or char != '"'
            escaped = char == '\\' and not escaped
        elif char == '"':
            in_string = True
        elif char in '[{':
            depth += 1
            deepest = max(deepest, depth)
        elif char in ']}':
            depth -= 1
    return deepest


def _is_unicode(value: object) -> bool:
    """
    Tell whether every string in a JSON value can leave as UTF-8; JSON's escapes can write ones that cannot.

    Source: RFC 8259, section 8.2.
    """
    try:
        json.dumps(value, ensure_ascii=False).encode('utf-8')
    except UnicodeEncodeError:
        return False
    return True


def _unique(pairs: list[tuple[str, Any]]) -> Json:
    counts = Counter(key for key, _ in pairs)
    twice = sorted(key for key, count in counts.items() if count > 1)
    if twice:
        raise _NotJson(f'key {shorten(twice[0])} is given twice')
    return dict(pairs)


def _no_constant(name: str) -> Any:
    raise _NotJson(f'{name} is not a JSON number')


def _finite_float(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise _NotJson(f'{digits[:MAX_VALUE_CHARS]} is too large for a number')
    return value


def _json_type(value: object) -> str:
    return {list: 'array', bool: 'boolean', type(None): 'null', int: 'number', float: 'number'}[type(value)]


def _fault(item: Any, model: type[BaseModel]) -> Json:
    """Return one fault as field, value, expected form and, where they are finite, the valid values."""
    name = '.'.join(str(part) for part in item['loc'])
    fault: Json = {'field': name or '(whole object)', 'problem': item['msg'].removeprefix('Value error, ')}
    if item['type'] == 'extra_forbidden':
        return {**fault, 'problem': 'unknown field', 'valid_values': sorted(model.model_fields)}
    if item['type'] != 'missing' and item['loc']:
        fault['value'] = shorten(item['input'])
    schema = model.model_json_schema()['properties'].get(str(item['loc'][0])) if item['loc'] else None
    if schema is not None:
        fault |= _expected(schema)
    return fault


def _expected(schema: Json) -> Json:
    """Return the form of one field in words, from its JSON schema."""
    options = [schema, *schema.get('anyOf', [])]
    types = [str(option['type']) for option in options if option.get('type', 'null') != 'null']
    limits = {key: option[key] for option in options for key in ('minimum', 'maximum', 'maxLength') if key in option}
    words = ' or '.join(types) or 'value'
    if {'minimum', 'maximum'} <= limits.keys():
        words += f' from {limits["minimum"]:g} to {limits["maximum"]:g}'
    if 'maxLength' in limits:
        words += f' of 1 to {limits["maxLength"]} characters'
    expected: Json = {'expected': f'{words} ({schema["description"]})' if 'description' in schema else words}
    values = [value for option in options for value in option.get('enum', [])]
    return expected | ({'valid_values': values} if values else {})


def _line(fault: Json) -> str:
    value = f' = {fault["value"]}' if 'value' in fault else ''
    expected = f'; expected {fault["expected"]}' if 'expected' in fault else ''
    valid = f'; valid: {", ".join(str(value) for value in fault["valid_values"])}' if 'valid_values' in fault else ''
    return f'{fault["field"]}{value}: {fault["problem"]}{expected}{valid}'


def shorten(value: object) -> str:
    """Return a value as printable ASCII-safe JSON text of bounded length, to be quoted in a message."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        text = repr(value)
    text = ''.join(char if char.isprintable() else '?' for char in text[: MAX_VALUE_CHARS + 1])
    return text if len(text) <= MAX_VALUE_CHARS else text[: MAX_VALUE_CHARS - 1] + '…'
