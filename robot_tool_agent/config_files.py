"""Reads YAML files into models and says everything that is wrong with them at once."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from robot_tool_agent.core.navigation.standing import standing_faults
from robot_tool_agent.core.robot import RobotDescription
import yaml

Model = TypeVar('Model', bound=BaseModel)


class ConfigError(Exception):
    """A configuration file that cannot be used. One line for every fault: file, key, value, what is allowed."""


class _StrictLoader(yaml.SafeLoader):
    """A safe YAML loader that refuses a key given twice, and aliases: a few lines of them unfold without end."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):  # type: ignore[no-untyped-call]
            mark = self.peek_event().start_mark  # type: ignore[no-untyped-call]
            raise yaml.composer.ComposerError(None, None, 'aliases (*name) are not supported', mark)
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]  # type: ignore[no-untyped-call]
        for position, key in enumerate(keys):
            if key in keys[:position]:
                raise yaml.constructor.ConstructorError(
                    None, None, f'key {key!r} is given twice', node.value[position][0].start_mark
                )
        return super().construct_mapping(node, deep)


def load_robot(path: str | Path) -> RobotDescription:
    """Read a robot description. Raise ConfigError with every fault found."""
    robot = load_model(path, RobotDescription)
    faults = standing_faults(robot)
    if faults:
        raise ConfigError('\n'.join(f'{path}: {fault}' for fault in faults))
    return robot


def load_model(path: str | Path, model: type[Model]) -> Model:
    """Read a YAML file into a model. Raise ConfigError with every fault found."""
    data = _tuples(read_yaml(path))
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise ConfigError('\n'.join(f'{path}: {line}' for line in explain(error, model))) from None


def read_yaml(path: str | Path) -> Any:
    """Return the content of a YAML file. Raise ConfigError if it is missing or not YAML."""
    try:
        return yaml.load(Path(path).read_text(encoding='utf-8'), Loader=_StrictLoader)
    except OSError as error:
        raise ConfigError(f'{path}: cannot be read: {error.strerror or error}') from None
    except RecursionError:
        raise ConfigError(f'{path}: not valid YAML: nested too deeply') from None
    # A value that does not fit its tag (`2001-99-99`, `!!bool x`, `!!int ''`) raises whatever Python's own types raise.
    except (yaml.YAMLError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise ConfigError(f'{path}: not valid YAML: {" ".join(str(error).split())}') from None


def _tuples(value: Any) -> Any:
    """Turn lists into tuples, and ints into floats nowhere: strict models accept ints for floats already."""
    if isinstance(value, dict):
        return {key: _tuples(item) for key, item in value.items()}
    if isinstance(value, list):
        return tuple(_tuples(item) for item in value)
    return value


def explain(error: ValidationError, model: type[BaseModel]) -> list[str]:
    """Return one line a fault: key, value, what is allowed."""
    lines = []
    for fault in error.errors(include_url=False):
        key = '.'.join(str(part) for part in fault['loc']) or '(whole file)'
        value = '' if isinstance(fault['input'], dict | tuple) else f' = {fault["input"]!r}'
        lines += [f'{key}{value}: {reason}' for reason in _reason(fault, model).splitlines()]
    return lines


def _reason(fault: Any, model: type[BaseModel]) -> str:
    parent = _field_model(model, fault['loc'][:-1])
    if fault['type'] == 'extra_forbidden':
        known = sorted(parent.model_fields) if parent else []
        close = difflib.get_close_matches(str(fault['loc'][-1]), known, n=1)
        hint = f'; did you mean {close[0]}?' if close else f'; known keys: {", ".join(known)}' if known else ''
        return f'unknown key{hint}'
    if fault['type'] == 'missing':
        return 'required key is missing'
    allowed = _allowed(parent, fault['loc'][-1]) if parent and fault['loc'] else ''
    return f'{fault["msg"]}{allowed}'


def _field_model(model: type[BaseModel], path: tuple[int | str, ...]) -> type[BaseModel] | None:
    """Return the model found by walking field names; None where the path leaves the models."""
    current: type[BaseModel] | None = model
    for part in path:
        if current is None:
            return None
        field = current.model_fields.get(str(part))
        inner = None if field is None else _models_in(field.annotation)
        if field is None:
            continue  # a key of a dict of models: stay with the dict's model
        current = inner
    return current


def _models_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for argument in getattr(annotation, '__args__', ()):
        found = _models_in(argument)
        if found is not None:
            return found
    return None


def _allowed(model: type[BaseModel], key: int | str) -> str:
    """Return the allowed range and unit of a field as text, e.g. ` (allowed: 0.01 to 3.0; forward speed, m/s)`."""
    field = model.model_fields.get(str(key))
    if field is None:
        return ''
    low = next((item.ge for item in field.metadata if hasattr(item, 'ge')), None)
    high = next((item.le for item in field.metadata if hasattr(item, 'le')), None)
    span = f'allowed: {low} to {high}' if low is not None and high is not None else ''
    text = '; '.join(part for part in (span, field.description or '') if part)
    return f' ({text})' if text else ''
