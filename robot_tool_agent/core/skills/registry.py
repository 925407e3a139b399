"""The skills of one robot: which are enabled, how they are described, how a call becomes an instance."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
import difflib
import hashlib
import inspect
import json
from typing import Any

from robot_tool_agent.core.navigation import house_map
from robot_tool_agent.core.outcomes import ErrorCode
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.skills.arguments import parse_arguments, shorten
from robot_tool_agent.core.skills.base import Json, Refusal, Services, Skill
from robot_tool_agent.core.skills.built_in import BUILT_IN
from robot_tool_agent.core.skills.facts import check_references, check_skill_class
from robot_tool_agent.core.skills.schema import arguments_schema, sensed_fields

SkillClass = type[Skill[Any]]


@dataclass(frozen=True, slots=True)
class Situation:
    """
    What a description of skills depends on beside the robot: it changes while the robot works.

    `circuits` are the states of circuit breakers by skill, closed where left out; `seen` the names of objects that are
    seen; `approvals` by skill the policies by which a person is asked, each with `place` (null: any) and `first_use`.
    """

    circuits: Mapping[str, str] = field(default_factory=dict)
    seen: tuple[str, ...] = ()
    approvals: Mapping[str, Sequence[Json]] = field(default_factory=dict)


class SkillSetError(ValueError):
    """The set of skills cannot be served. One line for every fault."""


class SkillRegistry:
    """The enabled skills. `extra` are skill classes beside the built-in ones; the robot's `skills` section enables."""

    def __init__(
        self, robot: RobotDescription, extra: Iterable[SkillClass] = (), services: Services | None = None
    ) -> None:
        available = _by_name([*BUILT_IN, *extra])
        unknown = [_unknown_line(name, sorted(available)) for name in robot.skills if name not in available]
        if unknown:
            raise SkillSetError('\n'.join(unknown))
        self.robot = robot
        self._services = services or Services()
        house_map(robot)  # built now, so that no call waits for it
        self._classes = {name: available[name] for name in robot.skills}
        faults = check_references(self._classes, available)
        if faults:
            raise SkillSetError('\n'.join(faults))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the enabled skills, sorted."""
        return tuple(sorted(self._classes))

    def find(self, name: str) -> SkillClass | None:
        """Return the class of an enabled skill, None if there is no such skill."""
        return self._classes.get(name)

    def timeout_s(self, name: str) -> float:
        """Return the timeout of an enabled skill in seconds: the robot's, else the skill's own."""
        configured = self.robot.skills[name].timeout_s
        return self._classes[name].timeout_s if configured is None else configured

    def create(self, name: str, arguments_json: str) -> Skill[Any] | Refusal:
        """Return a new instance for one attempt, or why the call is not one. Never raises on any input text."""
        skill = self.find(name)
        if skill is None:
            return self._unknown_skill(name)
        arguments = parse_arguments(skill, arguments_json)
        if isinstance(arguments, Refusal):
            return arguments
        made = skill(arguments, self.robot)
        made.services = self._services
        return made

    def describe(self, situation: Situation | None = None) -> tuple[str, str]:
        """Return the JSON array that describes every enabled skill now, and the SHA-256 of that text in hex."""
        now = situation or Situation()
        described = [self._description(name, now) for name in self.names]
        skills_json = json.dumps(described, ensure_ascii=False)
        return skills_json, hashlib.sha256(skills_json.encode()).hexdigest()

    def _description(self, name: str, now: Situation) -> Json:
        skill = self._classes[name]
        return {
            'name': name,
            'description': inspect.cleandoc(skill.description),
            'arguments_schema': arguments_schema(skill.arguments_type, self.robot, now.seen),
            'argument_rules': skill.arguments_type.rules,
            'sensed': sensed_fields(skill.arguments_type),
            'reads_only': skill.reads_only,
            'idempotent': skill.idempotent,
            'resources': sorted(resource.value for resource in skill.resources),
            'risk': skill.risk.value,
            'timeout_s': self.timeout_s(name),
            'approvals': list(now.approvals.get(name, ())),
            'circuit': now.circuits.get(name, 'closed'),
        }

    def _unknown_skill(self, name: str) -> Refusal:
        close = difflib.get_close_matches(name[:100], self.names, n=1)
        hint = f'did you mean {close[0]}? ' if close else ''
        message = f'no such skill {shorten(name)}; {hint}valid: {", ".join(self.names)}'
        return Refusal(ErrorCode.UNKNOWN_SKILL, message, {'value': shorten(name), 'valid_values': list(self.names)})


def _by_name(classes: Iterable[SkillClass]) -> dict[str, SkillClass]:
    found: dict[str, SkillClass] = {}
    faults: list[str] = []
    for skill in classes:
        own = check_skill_class(skill)
        if not own and skill.name in found:
            own = [f'{skill.__qualname__}: the name {skill.name!r} is taken by {found[skill.name].__qualname__}']
        faults += own
        if not own:
            found[skill.name] = skill
    if faults:
        raise SkillSetError('\n'.join(faults))
    return found


def _unknown_line(name: str, valid: list[str]) -> str:
    close = difflib.get_close_matches(name, valid, n=1)
    hint = f'did you mean {close[0]}? ' if close else ''
    return f'skills.{name}: no such skill; {hint}valid: {", ".join(valid)}'
