"""Checks that a skill class states all its facts, so that an incomplete one is refused at start."""

from __future__ import annotations

from collections.abc import Collection, Mapping
import inspect
import re
from typing import Any

from robot_tool_agent.core.skills.base import Resource, Risk, Skill, SkillArguments

MIN_DESCRIPTION_LINES = 15
MAX_DESCRIPTION_LINES = 30
MAX_TIMEOUT_S = 3600.0


def check_skill_class(skill: type[Skill[Any]]) -> list[str]:
    """Return one line for every fact that is missing or wrong, an empty list for a complete skill."""
    if not (isinstance(skill, type) and issubclass(skill, Skill)):
        return [f'{skill!r} is not a subclass of Skill']
    faults = [*_name(skill), *_description(skill), *_arguments(skill), *_behaviour(skill)]
    return [f'{skill.__qualname__}: {fault}' for fault in faults]


def check_references(enabled: Mapping[str, type[Skill[Any]]], available: Collection[str]) -> list[str]:
    """Return one line for every fallback that names no skill."""
    faults = []
    for name, skill in enabled.items():
        unknown = [other for other in skill.fallbacks if other not in available]
        faults += [f'{name}: refers to {other!r}, which is no skill' for other in unknown]
    return faults


def _name(skill: type[Skill[Any]]) -> list[str]:
    name = getattr(skill, 'name', None)
    if isinstance(name, str) and re.fullmatch(r'[a-z][a-z0-9_]{0,62}', name):
        return []
    return [f'name must be lower case letters, digits and underscores, at most 63, got {name!r}']


def _description(skill: type[Skill[Any]]) -> list[str]:
    text = getattr(skill, 'description', None)
    if not isinstance(text, str):
        return ['description is missing']
    lines = [line.strip() for line in inspect.cleandoc(text).splitlines() if line.strip()]
    faults = []
    if not MIN_DESCRIPTION_LINES <= len(lines) <= MAX_DESCRIPTION_LINES:
        wanted = f'{MIN_DESCRIPTION_LINES} to {MAX_DESCRIPTION_LINES}'
        faults.append(f'description must have {wanted} lines, has {len(lines)}')
    if len(set(lines)) != len(lines):
        faults.append('description repeats a line')
    return faults


def _arguments(skill: type[Skill[Any]]) -> list[str]:
    model = getattr(skill, 'arguments_type', None)
    if not (isinstance(model, type) and issubclass(model, SkillArguments)):
        return ['arguments_type must be a subclass of SkillArguments']
    closed = {'extra': 'forbid', 'strict': True, 'allow_inf_nan': False}
    loose = [key for key, wanted in closed.items() if model.model_config.get(key) != wanted]
    silent = [name for name, field in model.model_fields.items() if not field.description]
    faults = [f'arguments_type loosens {key}' for key in loose]
    return faults + [f'argument {name} has no description' for name in silent]


def _behaviour(skill: type[Skill[Any]]) -> list[str]:
    faults = [f'{method} is not implemented' for method in sorted(skill.__abstractmethods__)]
    if skill.reads_only and (skill.resources or not skill.idempotent):
        faults.append('a skill that only reads is idempotent and needs no resources')
    if not all(isinstance(resource, Resource) for resource in skill.resources):
        faults.append('resources must be members of Resource')
    if not isinstance(skill.risk, Risk):
        faults.append('risk must be a member of Risk')
    if not 0.0 < skill.timeout_s <= MAX_TIMEOUT_S:
        faults.append(f'timeout_s must be above 0 and at most {MAX_TIMEOUT_S:g}, got {skill.timeout_s!r}')
    return faults
