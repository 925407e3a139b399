"""Tools that the planner adds to the skills: one to end a task, one to state a plan."""

from __future__ import annotations

from collections.abc import Iterable
import inspect
from typing import Any

from robot_tool_agent.core.outcomes import Advice, ErrorCode, Outcome
from robot_tool_agent.core.planning.claims import ClaimKind
from robot_tool_agent.core.planning.conversation import ToolSpec

Json = dict[str, Any]
FINISH = 'finish_task'
PLAN = 'submit_plan'
OWN_NAMES = frozenset({FINISH, PLAN})
ANY_FAILURE = 'NOT_SUCCEEDED'
MAX_TEXT = 1000
STEP_ID = '^[a-z][a-z0-9_]{0,31}$'
# A plan may provide for these ends; any other end of a step ends the task.
OUTCOMES = (Outcome.SUCCEEDED.name, ANY_FAILURE, Outcome.FAILED.name, Outcome.REJECTED.name, Outcome.STOPPED.name)
_ENDS_TASK = (Advice.ASK_OPERATOR, Advice.STOP)
ERRORS = tuple(error.value for error in ErrorCode if error.advice not in _ENDS_TASK)

FINISH_TEXT = """
    End the task and say how it stands. It is the only way to end a task with a tool.
    Does: end the task; claim and text go to the person who gave the instruction.
    Does not: move the robot, call a skill, or undo anything.
    Call it alone, after the results of all calls: never in one reply with other calls.
    Arguments: an object with two fields, both needed.
    claim: DONE, ANSWER, FAILED or QUESTION, in upper case.
    DONE: the robot did what was asked, and the results show it.
    ANSWER: only information was asked for, and a result holds it.
    FAILED: it could not be done; the text says why and what is true now.
    QUESTION: the instruction is unclear; the text asks what is missing.
    text: one to three sentences for a person, at most 1000 characters.
    Example: {"claim": "DONE", "text": "The cup is on the table."}
    Wrong: {"claim": "done", "text": "ok"} (lower case), {"text": "The cup is on the table."} (no claim).
    Careful: the claim is checked against the results; DONE without a verified call ends as UNVERIFIED.
    Errors:
    INVALID_ARGUMENT: a field is missing or wrong, or other calls were in the reply; nothing ended.
    Result: none; the task is over.
    """
PLAN_TEXT = """
    State several calls at once, with their order and conditions; they then run without further questions.
    Does: check the whole plan before anything moves, run it, and return how every step ended.
    Does not: invent steps, change arguments while it runs, or repeat a step.
    Use it when all arguments are known now. Call skills one by one when a later call needs an earlier result.
    Arguments: an object with one field, steps: a list in the order wished for.
    id: a name of your own for the step, lower case, such as go or pick_cup.
    skill and arguments: as in a direct call of that skill, checked by the same schema.
    after: ids of steps that must have succeeded before this one starts; may be left out.
    when: conditions on the end of other steps, all of which must hold; may be left out.
    A condition has step, outcome (NOT_SUCCEEDED means any failure) and, if wanted, error_code.
    Steps that wait for nothing and need different parts of the robot run side by side.
    A failure that no condition provides for stops the plan; nothing more is started.
    Example: {"steps": [{"id": "go", "skill": "navigate_to", "arguments": {"place": "kitchen"}},
    {"id": "see", "skill": "look", "arguments": {}, "after": ["go"]},
    {"id": "home", "skill": "go_to_safe_pose", "arguments": {}, "when": [{"step": "go", "outcome": "FAILED"}]}]}
    Wrong: numbers in quotes, an id in after that no step has, steps that wait for each other in a circle.
    Careful: call it alone; never in one reply with other calls.
    Errors:
    INVALID_ARGUMENT: something in the plan is wrong; every fault is listed and nothing was run.
    UNKNOWN_SKILL: a step names no skill; valid_values lists them.
    Result: plan (over or stopped) and steps: id, skill, outcome, error_code, message and result of each.
    """


def planner_tools(skills: Iterable[ToolSpec], max_plan_steps: int) -> tuple[ToolSpec, ...]:
    """Return the planner's own tools beside these skills. At most `max_plan_steps` steps; zero: no plans."""
    finish = _tool(FINISH, FINISH_TEXT, _finish_schema())
    if not max_plan_steps:
        return (finish,)
    return (finish, _tool(PLAN, PLAN_TEXT, _plan_schema(tuple(skills), max_plan_steps)))


def step_form(plan_tool: ToolSpec) -> Json:
    """Return the plan's schema with skill and arguments left open; each step's are checked by that skill's own."""
    schema: Json = dict(plan_tool.parameters)
    steps = schema['properties']['steps']
    step = steps['items']
    opened = {'skill': {'type': 'string'}, 'arguments': {'type': 'object'}}
    item = {**step, 'properties': {**step['properties'], **opened}}
    return {**schema, 'properties': {'steps': {**steps, 'items': item}}}


def _tool(name: str, text: str, parameters: Json) -> ToolSpec:
    return ToolSpec(name, inspect.cleandoc(text), parameters, True, True, frozenset(), 1.0)


def _object(properties: Json, *required: str) -> Json:
    return {'type': 'object', 'properties': properties, 'required': list(required), 'additionalProperties': False}


def _finish_schema() -> Json:
    claim = {'type': 'string', 'enum': [kind.value for kind in ClaimKind], 'description': 'what the text says'}
    text = {'type': 'string', 'minLength': 1, 'maxLength': MAX_TEXT, 'description': 'for the person who asked'}
    return _object({'claim': claim, 'text': text}, 'claim', 'text')


def _plan_schema(skills: tuple[ToolSpec, ...], max_steps: int) -> Json:
    name = {'type': 'string', 'pattern': STEP_ID, 'description': 'id of a step'}
    condition = {
        'step': name,
        'outcome': {'type': 'string', 'enum': list(OUTCOMES), 'description': 'how that step has to have ended'},
        'error_code': {'type': 'string', 'enum': list(ERRORS), 'description': 'only with this error code'},
    }
    step = {
        'id': name,
        'skill': {'type': 'string', 'enum': [tool.name for tool in skills], 'description': 'which skill to call'},
        'arguments': {'anyOf': _distinct(skills), 'description': 'arguments of that skill'},
        'after': {'type': 'array', 'items': name, 'maxItems': max_steps, 'description': 'these succeeded before'},
        'when': {'type': 'array', 'items': _object(condition, 'step', 'outcome'), 'maxItems': max_steps},
    }
    steps = {'type': 'array', 'items': _object(step, 'id', 'skill', 'arguments'), 'minItems': 1, 'maxItems': max_steps}
    return _object({'steps': steps}, 'steps')


def _distinct(skills: Iterable[ToolSpec]) -> list[Json]:
    found: list[Json] = []
    for tool in skills:
        schema = dict(tool.later_parameters)
        if schema not in found:
            found.append(schema)
    return found
