"""The skills as the executor describes them, read into tools for a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
import json
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from robot_tool_agent.core.planning.conversation import ToolSpec
from robot_tool_agent.core.planning.planner_tools import OWN_NAMES, PLAN, planner_tools, step_form

MAX_SKILLS_JSON = 400_000


class ToolsError(ValueError):
    """The description of the skills cannot be used."""


class _Approval(BaseModel):
    """A rule by which a person is asked."""

    model_config = ConfigDict(extra='ignore')

    place: Annotated[str, Field(max_length=64)] | None = None


class _SkillRow(BaseModel):
    """One row of describe_skills; keys of later versions are passed over."""

    model_config = ConfigDict(extra='ignore')

    name: Annotated[str, Field(pattern=r'^[A-Za-z0-9_-]{1,64}$')]
    description: Annotated[str, Field(max_length=20_000)]
    arguments_schema: dict[str, Any]
    reads_only: bool
    idempotent: bool
    resources: tuple[str, ...]
    timeout_s: Annotated[float, Field(gt=0.0, le=3600.0)]
    sensed: tuple[str, ...] = ()
    argument_rules: dict[str, Any] = Field(default_factory=dict)
    approvals: tuple[_Approval, ...] = ()
    circuit: str = 'closed'

    def text(self) -> str:
        """Return the description with what is true of the skill just now."""
        lines = [self.description]
        if self.approvals:
            places = sorted({rule.place or 'every place' for rule in self.approvals})
            lines.append(f'A person is asked for approval before it runs ({", ".join(places)}).')
        if self.circuit == 'open':
            lines.append('Out of order now: it failed too often. Choose another skill.')
        return '\n'.join(lines)


_ROWS = TypeAdapter(tuple[_SkillRow, ...])


def parse_tools(skills_json: str) -> tuple[ToolSpec, ...]:
    """Read the answer of describe_skills. Raise ToolsError if it is not what DescribeSkills.srv promises."""
    if len(skills_json) > MAX_SKILLS_JSON:
        raise ToolsError(f'describe_skills answered {len(skills_json)} characters, at most {MAX_SKILLS_JSON} are read')
    try:
        rows = _ROWS.validate_python(json.loads(skills_json))
    except (ValueError, RecursionError) as error:
        raise ToolsError(f'describe_skills: {_first_line(error)}') from None
    if not rows or len({row.name for row in rows}) != len(rows):
        raise ToolsError('describe_skills names no skill, or one twice')
    taken = sorted(OWN_NAMES & {row.name for row in rows})
    if taken:
        raise ToolsError(f'describe_skills: {taken[0]} is a tool of the planner; no skill can have that name')
    return tuple(_tool(row) for row in rows)


def _tool(row: _SkillRow) -> ToolSpec:
    return ToolSpec(
        row.name,
        row.text(),
        row.arguments_schema,
        row.reads_only,
        row.idempotent,
        frozenset(row.resources),
        row.timeout_s,
        frozenset(row.sensed),
        row.argument_rules,
    )


def _first_line(error: BaseException) -> str:
    if isinstance(error, ValidationError):
        fault = error.errors(include_url=False)[0]
        return f'{".".join(str(part) for part in fault["loc"])}: {fault["msg"]}'
    return str(error).splitlines()[0] if str(error) else type(error).__name__


def _checked_form(tool: ToolSpec) -> ToolSpec:
    return replace(tool, parameters=step_form(tool)) if tool.name == PLAN else tool


class Toolbox:
    """
    The tools of a task: the robot's skills, read again only when their hash is new, and the planner's own.

    `tools` are offered to the model; `by_name` holds them as calls are checked, the steps of a plan in an open form;
    `later` as calls are checked that run after others, when sensors may show more.
    """

    def __init__(self, max_plan_steps: int = 0) -> None:
        self.skills: Mapping[str, ToolSpec] = {}
        self.tools: tuple[ToolSpec, ...] = ()
        self._max_plan_steps = max_plan_steps
        self.by_name: Mapping[str, ToolSpec] = {}
        self.later: Mapping[str, ToolSpec] = {}
        self._schema_hash = ''

    def load(self, skills_json: str, schema_hash: str) -> None:
        """Take an answer of describe_skills. Raise ToolsError if it cannot be used."""
        if self.tools and schema_hash == self._schema_hash:
            return
        skills = parse_tools(skills_json)
        self.skills = {tool.name: tool for tool in skills}
        self.tools = (*skills, *planner_tools(skills, self._max_plan_steps))
        self.by_name = {tool.name: _checked_form(tool) for tool in self.tools}
        self.later = {name: replace(tool, parameters=tool.later_parameters) for name, tool in self.by_name.items()}
        self._schema_hash = schema_hash
