"""JSON schema of a skill's arguments for one robot, kept to the keywords that every model provider takes."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any

from pydantic import BaseModel
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.skills.base import Json

ENTITY_KEY = 'entity'


class Entity(str, Enum):
    """What kind of thing of the robot's world a text argument names; its names become the schema's enum."""

    PLACE = 'place'
    SURFACE = 'surface'
    OBJECT = 'object'


def names_entity(kind: Entity) -> Json:
    """Return the `json_schema_extra` of a field that names a place, a place with a surface, or a seen object."""
    return {ENTITY_KEY: kind.value}


def no_less_than(amount: float) -> Json:
    """Return the rule for a number that may be positive or negative but not nearer to zero than `amount`."""
    return {'not': {'exclusiveMinimum': -amount, 'exclusiveMaximum': amount}}


def arguments_schema(model: type[BaseModel], robot: RobotDescription, seen: Sequence[str] = ()) -> Json:
    """
    Return the schema with additionalProperties false, bounds, and an enum where a field names what is known now.

    `seen` are the names of the objects that are seen now; without any an object's name is left open.
    """
    schema = model.model_json_schema()
    fields = {name: _field(dict(field), robot, seen) for name, field in schema.get('properties', {}).items()}
    return {
        'type': 'object',
        'properties': fields,
        'required': list(schema.get('required', [])),
        'additionalProperties': False,
    }


def sensed_fields(model: type[BaseModel]) -> list[str]:
    """Return the arguments whose enum depends on what sensors show."""
    fields = model.model_json_schema().get('properties', {})
    return sorted(name for name, field in fields.items() if field.get(ENTITY_KEY) == Entity.OBJECT.value)


def entity_names(kind: Entity, robot: RobotDescription) -> list[str]:
    """Return the names of all places, or of those where something can be put down, sorted."""
    places = robot.places.items()
    return sorted(name for name, place in places if kind is Entity.PLACE or place.surface is not None)


def _field(field: Json, robot: RobotDescription, seen: Sequence[str]) -> Json:
    """Drop titles and null branches; add names and aliases of places, and names of objects."""
    flat = _without_null(field)
    kind = flat.pop(ENTITY_KEY, None)
    if kind is None:
        return flat
    if kind == Entity.OBJECT.value:
        return {**flat, 'enum': list(seen)} if seen else flat
    names = entity_names(Entity(kind), robot)
    aliases = {name: ', '.join(robot.places[name].aliases) for name in names}
    also = '; '.join(f'{name} = {others}' for name, others in aliases.items() if others)
    if also:
        flat['description'] = f'{flat["description"]} Other names: {also}'
    return {**flat, 'enum': names} if names else flat


def _without_null(field: Json) -> Json:
    dropped = ('title', 'default', 'anyOf')
    flat: dict[str, Any] = {key: value for key, value in field.items() if key not in dropped}
    for option in field.get('anyOf', []):
        if option.get('type') != 'null':
            flat |= {key: value for key, value in option.items() if key != 'title'}
    return flat
