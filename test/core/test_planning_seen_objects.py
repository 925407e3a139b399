"""Names of objects are those that are seen when a call is made; a later call may name what will be seen then."""

from __future__ import annotations

from planning_lines import DONE, outcome, rig
from planning_rig import Rig
import pytest
from robot_tool_agent.config_files import load_robot
from robot_tool_agent.core.outcomes import ErrorCode, TaskStatus
from robot_tool_agent.core.planning.conversation import ModelReply, ModelRequest
from robot_tool_agent.core.skills.registry import Situation, SkillRegistry
from robot_tool_agent.llm.scripted import calls, says
from sim_house import ROBOT_FILE

REGISTRY = SkillRegistry(load_robot(ROBOT_FILE))
GO, BALL, CUP = ('navigate_to', {'place': 'kitchen'}), ('pick', {'object': 'ball_1'}), ('pick', {'object': 'cup_1'})


def seeing(*names: str) -> tuple[str, str]:
    return REGISTRY.describe(Situation(seen=names))


def bench(*lines: object) -> Rig:
    made = rig(*lines)
    made.skills = seeing('ball', 'ball_1')
    return made


def test_what_is_seen_can_be_picked() -> None:
    assert bench(calls(BALL), DONE).run().status is TaskStatus.SUCCEEDED


@pytest.mark.parametrize('name', ['cup_1', 'Ball_1', 'ball_1 '])
def test_what_is_not_seen_is_refused_with_what_is(name: str) -> None:
    made = bench(calls(('pick', {'object': name})), says('FAILED: no'))
    assert outcome(made.run()) == (TaskStatus.FAILED, ErrorCode.UNKNOWN_ENTITY)
    assert made.sent == []
    data = made.data()
    assert data['faults'] == [
        {
            'field': 'object',
            'value': name.strip() if name.endswith(' ') else name,
            'expected': 'one of the valid values, same spelling and case',
            'valid_values': ['ball', 'ball_1'],
        }
    ]
    assert 'go to where it is and look' in data['message']


@pytest.mark.parametrize('name', [7, '', 'x' * 65])
def test_what_can_be_no_name_is_a_wrong_argument(name: object) -> None:
    assert bench(calls(('pick', {'object': name})), says('FAILED: no')).run().error is ErrorCode.INVALID_ARGUMENT


def test_a_later_call_of_the_reply_may_name_what_is_not_seen_yet() -> None:
    made = bench(calls(GO, CUP), DONE)
    assert made.run().status is TaskStatus.SUCCEEDED
    assert [call.tool.name for call in made.sent] == ['navigate_to', 'pick']


def test_a_plan_may_name_what_is_not_seen_yet() -> None:
    steps = [
        {'id': 'go', 'skill': 'navigate_to', 'arguments': {'place': 'kitchen'}},
        {'id': 'take', 'skill': 'pick', 'arguments': {'object': 'cup_1'}, 'after': ['go']},
    ]
    made = bench(calls(('submit_plan', {'steps': steps})), DONE)
    assert made.run().status is TaskStatus.SUCCEEDED
    assert len(made.sent) == 2


def test_what_came_into_sight_is_known_before_the_next_call() -> None:
    def arrive(request: ModelRequest) -> ModelReply:
        made.skills = seeing('cup', 'cup_1')
        return calls(GO)

    made = bench(arrive, calls(CUP), DONE)
    assert made.run().status is TaskStatus.SUCCEEDED
    assert [call.tool.name for call in made.sent] == ['navigate_to', 'pick']
