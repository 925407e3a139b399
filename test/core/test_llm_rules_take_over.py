"""The rules planner in the place of a model that fails half way: it goes on, and does nothing twice."""

from __future__ import annotations

from planning_lines import outcome
from planning_rig import failed, refused, Rig, succeeded
import pytest
from robot_tool_agent.core.outcomes import Effect, ErrorCode, TaskStatus
from robot_tool_agent.core.planning.actions import AskModel
from robot_tool_agent.core.planning.calls import PlannedCall, SkillResult
from robot_tool_agent.core.planning.conversation import FailureKind
from robot_tool_agent.core.planning.loop import TaskLoop
from robot_tool_agent.core.planning.model_chain import ModelChain
from robot_tool_agent.core.planning.record import TaskEnd
from robot_tool_agent.llm.provider import Provider, UseAnotherProvider
from robot_tool_agent.llm.rules import RulesProvider
from robot_tool_agent.llm.scripted import calls, Line, ScriptedProvider

GONE = UseAnotherProvider('the key was not accepted', FailureKind.NOT_ALLOWED)
GO = ('navigate_to', {'place': 'kitchen'})
FORWARD = ('move_relative', {'distance_m': 0.5})


class Relay(Rig):
    """A scripted model first, the rules after it."""

    def __init__(self, *lines: Line, answer: object) -> None:
        super().__init__(ScriptedProvider([]), answer)  # type: ignore[arg-type]
        self.models: dict[str, Provider] = {'model': ScriptedProvider([*lines, *[GONE] * 9]), 'rules': RulesProvider()}

    def do(self, instruction: str) -> TaskEnd:
        limits = self.loop._state.limits
        self.loop = TaskLoop('t', instruction, limits, self.store, chain=ModelChain(tuple(self.models), limits))
        return self.run()

    def _ask(self, action: AskModel) -> None:
        self.provider = self.models[action.provider]
        super()._ask(action)


def house(**ends: SkillResult) -> object:
    return lambda call: ends.get(call.tool.name) or seen(call)


def seen(call: PlannedCall) -> SkillResult:
    return succeeded(objects=[]) if call.tool.name == 'look' else succeeded(moved_m=0.5)


@pytest.mark.parametrize(
    ('said', 'instruction', 'sent'),
    [
        ([], 'go to the kitchen', ['navigate_to']),
        ([calls(('look', {}))], 'go to the kitchen', ['look', 'navigate_to']),
        ([calls(GO)], 'go to the kitchen', ['navigate_to']),
        ([calls(('navigate_to', {'place': 'moon'}))], 'go to the kitchen', ['navigate_to']),
        ([calls(('look', {})), calls(FORWARD)], 'move forward 0.5 m', ['look', 'move_relative']),
        ([calls(('fly', '{'))], 'go to the kitchen', ['navigate_to']),
    ],
)
def test_it_goes_on_and_repeats_nothing(said: list[Line], instruction: str, sent: list[str]) -> None:
    bench = Relay(*said, answer=house())
    assert bench.do(instruction).status is TaskStatus.SUCCEEDED
    assert [call.tool.name for call in bench.sent] == sent


@pytest.mark.parametrize('end', [succeeded(), failed(ErrorCode.EXECUTION_ERROR, Effect.PARTIAL)])
def test_after_a_motion_of_another_mind_it_stops(end: SkillResult) -> None:
    bench = Relay(calls(FORWARD), answer=house(move_relative=end))
    ended = bench.do('go to the kitchen')
    assert outcome(ended) == (TaskStatus.FAILED, ErrorCode.MODEL_UNAVAILABLE)
    assert 'another model has begun with move_relative' in ended.summary
    assert [call.tool.name for call in bench.sent] == ['move_relative']


def test_a_motion_that_was_refused_leaves_the_way_free() -> None:
    bench = Relay(calls(FORWARD), answer=house(move_relative=refused(ErrorCode.PRECONDITION_FAILED)))
    assert bench.do('go to the kitchen').status is TaskStatus.SUCCEEDED


def test_a_plan_that_ran_counts_as_a_motion() -> None:
    plan = {'steps': [{'id': 'go', 'skill': 'move_relative', 'arguments': {'distance_m': 0.5}}]}
    bench = Relay(calls(('submit_plan', plan)), answer=house())
    ended = bench.do('go to the kitchen')
    assert outcome(ended) == (TaskStatus.FAILED, ErrorCode.MODEL_UNAVAILABLE)
    assert len(bench.sent) == 1
