"""Which skills are served, how they are described, and what an incomplete skill is told."""

import hashlib
import inspect
import json

from pydantic import Field
import pytest
from robot_tool_agent.core.outcomes import ErrorCode
from robot_tool_agent.core.robot import SkillConfig
from robot_tool_agent.core.skills.base import Refusal, Resource, Skill, SkillArguments, Step, StepStatus
from robot_tool_agent.core.skills.built_in import BUILT_IN
from robot_tool_agent.core.skills.facts import check_skill_class
from robot_tool_agent.core.skills.navigate import NavigateTo
from robot_tool_agent.core.skills.registry import SkillRegistry, SkillSetError
from sim_house import robot_description

ROBOT = robot_description()
LINES = '\n'.join(f'Line {number} of the text.' for number in range(15))
NAMES = [
    'get_robot_state',
    'go_to_safe_pose',
    'look',
    'move_relative',
    'navigate_to',
    'pick',
    'place',
    'rotate_relative',
    'wait',
]


class BeepArguments(SkillArguments):
    times: int = Field(ge=1, le=9, description='how often')


class Beep(Skill[BeepArguments]):
    name = 'beep'
    description = LINES
    arguments_type = BeepArguments

    def tick(self, view, now_s):
        return Step(StepStatus.FINISHED)

    def verify(self, view, start, since):
        return None


def with_skills(**skills):
    return ROBOT.model_copy(update={'skills': {**ROBOT.skills, **skills}})


def described(registry):
    return {entry['name']: entry for entry in json.loads(registry.describe()[0])}


def test_all_built_in_skills_are_described_with_their_pinned_facts():
    skills = described(SkillRegistry(ROBOT))
    assert list(skills) == NAMES
    facts = {name: (entry['reads_only'], entry['idempotent'], entry['resources']) for name, entry in skills.items()}
    hand = ['arm', 'base', 'gripper']
    assert facts == {
        'get_robot_state': (True, True, []),
        'look': (True, True, []),
        'wait': (True, True, []),
        'navigate_to': (False, True, ['base']),
        'move_relative': (False, False, ['base']),
        'rotate_relative': (False, False, ['base']),
        'pick': (False, False, hand),
        'place': (False, False, hand),
        'go_to_safe_pose': (False, True, ['base']),
    }
    assert all(entry['risk'] == 'low' for entry in skills.values())


def test_schemas_are_closed_bounded_and_know_the_places():
    schemas = {name: entry['arguments_schema'] for name, entry in described(SkillRegistry(ROBOT)).items()}
    assert all(schema['additionalProperties'] is False for schema in schemas.values())
    distance = schemas['move_relative']['properties']['distance_m']
    assert (distance['minimum'], distance['maximum'], distance['type']) == (-5.0, 5.0, 'number')
    place = schemas['navigate_to']['properties']['place']
    assert place['enum'] == ['bedroom', 'desk', 'kitchen', 'living_room', 'shelf', 'study', 'table']
    assert place['type'] == 'string'
    assert '厨房' in place['description']
    assert schemas['place']['properties']['place']['enum'] == ['desk', 'kitchen', 'shelf', 'table']
    assert schemas['navigate_to']['required'] == []
    assert schemas['look'] == {'type': 'object', 'properties': {}, 'required': [], 'additionalProperties': False}


def test_the_hash_is_that_of_the_text_and_changes_with_it():
    text, digest = SkillRegistry(ROBOT).describe()
    assert digest == hashlib.sha256(text.encode()).hexdigest()
    assert SkillRegistry(ROBOT).describe() == (text, digest)
    assert SkillRegistry(with_skills(wait=SkillConfig(timeout_s=7.0))).describe()[1] != digest


@pytest.mark.parametrize('skill', BUILT_IN, ids=[skill.name for skill in BUILT_IN])
def test_descriptions_tell_what_a_caller_needs(skill):
    text = inspect.cleandoc(skill.description)
    for part in ('Does:', 'Does not:', 'Arguments', 'Example:', 'Wrong:', 'Errors:', 'Result'):
        assert part in text, part
    assert 15 <= len(text.splitlines()) <= 30
    assert max(len(line) for line in text.splitlines()) <= 120


def test_the_robots_timeout_wins():
    registry = SkillRegistry(with_skills(wait=SkillConfig(timeout_s=7.0), look=SkillConfig()))
    assert registry.timeout_s('wait') == 7.0
    assert registry.timeout_s('look') == 5.0


def test_only_enabled_skills_are_served():
    registry = SkillRegistry(ROBOT.model_copy(update={'skills': {'look': SkillConfig()}}))
    assert registry.names == ('look',)
    assert registry.find('wait') is None


def test_an_unknown_enabled_skill_is_refused_with_the_valid_names():
    message = r'skills\.navigate: no such skill; did you mean navigate_to\? valid: get_robot_state'
    with pytest.raises(SkillSetError, match=message):
        SkillRegistry(with_skills(navigate=SkillConfig()))


def test_an_extra_skill_is_served_like_a_built_in_one():
    registry = SkillRegistry(with_skills(beep=SkillConfig()), extra=[Beep])
    assert described(registry)['beep']['arguments_schema']['properties']['times']['maximum'] == 9
    assert registry.create('beep', '{"times": 2}').arguments.times == 2


def test_a_taken_name_is_refused():
    with pytest.raises(SkillSetError, match="the name 'navigate_to' is taken by NavigateTo"):
        SkillRegistry(ROBOT, extra=[type('Mine', (Beep,), {'name': 'navigate_to'})])


class Loose(SkillArguments, extra='allow'):
    """Lets unknown fields through."""


class Silent(SkillArguments):
    value: int


INCOMPLETE = [
    ({'name': 'Bad Name'}, 'name must be'),
    ({'description': 'too short'}, 'must have 15 to 30 lines, has 1'),
    ({'description': LINES.replace('Line 3', 'Line 4')}, 'repeats a line'),
    ({'arguments_type': dict}, 'must be a subclass of SkillArguments'),
    ({'arguments_type': Loose}, 'loosens extra'),
    ({'arguments_type': Silent}, 'argument value has no description'),
    ({'reads_only': True}, 'idempotent and needs no resources'),
    ({'reads_only': True, 'idempotent': True, 'resources': frozenset({Resource.BASE})}, 'needs no resources'),
    ({'resources': frozenset({'base ment'})}, 'members of Resource'),
    ({'risk': 'dangerous'}, 'member of Risk'),
    ({'timeout_s': 0.0}, 'timeout_s must be above 0'),
    ({'verify': Skill.verify}, 'verify is not implemented'),
]


@pytest.mark.parametrize(('change', 'fault'), INCOMPLETE)
def test_an_incomplete_skill_is_refused_at_start(change, fault):
    broken = type('Broken', (Beep,), change)
    assert any(fault in line for line in check_skill_class(broken)), check_skill_class(broken)
    with pytest.raises(SkillSetError, match='Broken'):
        SkillRegistry(ROBOT, extra=[broken])


def test_a_fallback_must_be_a_skill():
    with pytest.raises(SkillSetError, match="beep: refers to 'sing', which is no skill"):
        SkillRegistry(with_skills(beep=SkillConfig()), extra=[type('Beeping', (Beep,), {'fallbacks': ('sing',)})])


def test_create_makes_one_instance_an_attempt():
    registry = SkillRegistry(ROBOT)
    first, second = (registry.create('navigate_to', '{"place": "table"}') for _ in range(2))
    assert isinstance(first, NavigateTo)
    assert first is not second


@pytest.mark.parametrize('name', ['', 'navigate', 'Navigate_to', 'x' * 100_000, '\x00', 'drop table'])
def test_create_refuses_an_unknown_skill(name):
    refusal = SkillRegistry(ROBOT).create(name, '{}')
    assert isinstance(refusal, Refusal)
    assert refusal.error is ErrorCode.UNKNOWN_SKILL
    assert refusal.details['valid_values'] == NAMES
    assert len(refusal.message) < 400
