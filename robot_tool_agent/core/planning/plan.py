"""A plan as a model states it: steps, what each waits for, and under which ends of other steps it runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import Any

from robot_tool_agent.core.outcomes import ErrorCode, Outcome
from robot_tool_agent.core.planning.calls import CallFault, canonical, PlannedCall, SkillResult
from robot_tool_agent.core.planning.conversation import ToolSpec
from robot_tool_agent.core.planning.planner_tools import ANY_FAILURE
from robot_tool_agent.core.planning.schema_check import ArgumentFault, check

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Condition:
    """Holds if the step `step` ended with `outcome` (a name, or NOT_SUCCEEDED) and, if given, with `error_code`."""

    step: str
    outcome: str
    error_code: str = ''

    def holds(self, result: SkillResult) -> bool:
        """Tell whether an end fulfils the condition."""
        fits = self.outcome == result.outcome.name or (self.outcome == ANY_FAILURE and not result.succeeded)
        return fits and self.error_code in ('', result.error_code)


@dataclass(frozen=True, slots=True)
class PlanStep:
    """One call of a plan. A step in `after` must have succeeded, unless a condition says otherwise."""

    id: str
    call: PlannedCall
    after: tuple[str, ...] = ()
    when: tuple[Condition, ...] = ()

    @property
    def waits_for(self) -> frozenset[str]:
        """Return the steps that must be over before this one can be decided on."""
        return frozenset(self.after) | {condition.step for condition in self.when}

    def conditions(self) -> tuple[Condition, ...]:
        """Return everything that must hold for the step to run."""
        stated = {condition.step for condition in self.when}
        implied = (Condition(name, Outcome.SUCCEEDED.name) for name in self.after if name not in stated)
        return (*self.when, *implied)


def read_plan(plan: PlannedCall, skills: Mapping[str, ToolSpec], given: Json) -> tuple[PlanStep, ...] | CallFault:
    """
    Return the steps of a plan, or everything that is wrong with it: nothing of a faulty plan is run.

    `given` are the arguments of the call `plan`, which fit `step_form`. The i-th step gets the call_id
    `<task>:<step>:i`.
    """
    rows: list[Json] = given['steps']
    faults = [*_repeated(rows), *_strangers(rows), *_conditions(rows), *_calls(rows, skills)]
    faults = faults or _cycle(rows)
    if faults:
        unknown = [fault for fault in faults if fault.field.endswith('.skill')]
        return _refused(faults, ErrorCode.UNKNOWN_SKILL if len(unknown) == len(faults) else ErrorCode.INVALID_ARGUMENT)
    prefix = plan.call_id.rpartition(':')[0]
    return tuple(_step(row, f'{prefix}:{place}', plan.ref, skills) for place, row in enumerate(rows))


def _refused(faults: list[ArgumentFault], error: ErrorCode = ErrorCode.INVALID_ARGUMENT) -> CallFault:
    text = '; '.join(f'{fault.field}: {fault.expected}' for fault in faults)
    return CallFault(error, f'no step of the plan is run: {text}', tuple(faults))


def _step(row: Json, call_id: str, ref: str, skills: Mapping[str, ToolSpec]) -> PlanStep:
    call = PlannedCall(call_id, ref, skills[row['skill']], canonical(row['arguments']))
    when = tuple(Condition(item['step'], item['outcome'], item.get('error_code', '')) for item in row.get('when', ()))
    return PlanStep(row['id'], call, tuple(row.get('after', ())), when)


def _repeated(rows: list[Json]) -> Iterator[ArgumentFault]:
    seen: set[str] = set()
    for place, row in enumerate(rows):
        if row['id'] in seen:
            yield ArgumentFault(f'steps[{place}].id', row['id'], 'an id that no other step has')
        seen.add(row['id'])


def _references(row: Json) -> Iterator[tuple[str, str]]:
    yield from ((f'after[{i}]', name) for i, name in enumerate(row.get('after', ())))
    yield from ((f'when[{i}].step', item['step']) for i, item in enumerate(row.get('when', ())))


def _strangers(rows: list[Json]) -> Iterator[ArgumentFault]:
    names = tuple(row['id'] for row in rows)
    for place, row in enumerate(rows):
        others = tuple(name for name in names if name != row['id'])
        for field, name in _references(row):
            if name not in others:
                yield ArgumentFault(f'steps[{place}].{field}', name, 'id of another step of the plan', others)


def _conditions(rows: list[Json]) -> Iterator[ArgumentFault]:
    for place, row in enumerate(rows):
        stated: set[str] = set()
        for i, item in enumerate(row.get('when', ())):
            field = f'steps[{place}].when[{i}]'
            if item['step'] in stated:
                yield ArgumentFault(f'{field}.step', item['step'], 'one condition for each step, so that all can hold')
            if item['outcome'] == Outcome.SUCCEEDED.name and 'error_code' in item:
                yield ArgumentFault(f'{field}.error_code', item['error_code'], 'none: a success has no error code')
            stated.add(item['step'])


def _calls(rows: list[Json], skills: Mapping[str, ToolSpec]) -> Iterator[ArgumentFault]:
    for place, row in enumerate(rows):
        tool = skills.get(row['skill'])
        if tool is None:
            yield ArgumentFault(f'steps[{place}].skill', row['skill'], 'name of a skill', tuple(skills))
            continue
        for fault in check(row['arguments'], tool.later_parameters) or check(row['arguments'], tool.rules):
            field = f'steps[{place}].arguments' + (f'.{fault.field}' if fault.field else '')
            yield ArgumentFault(field, fault.value, fault.expected, fault.valid)


def _cycle(rows: list[Json]) -> list[ArgumentFault]:
    graph = {row['id']: [name for _, name in _references(row)] for row in rows}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        ring = list(reversed(error.args[1]))
        return [ArgumentFault('steps', ' -> '.join(ring), 'steps that wait for each other in no circle')]
    return []


def foresees(steps: tuple[PlanStep, ...], step_id: str, result: SkillResult) -> bool:
    """Tell whether the plan says what to do after this end of a step."""
    conditions = (condition for step in steps for condition in step.when)
    return any(condition.step == step_id and condition.holds(result) for condition in conditions)
