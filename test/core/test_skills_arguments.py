"""Every text a caller can send becomes checked arguments or a refusal that says all that is wrong."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st
import pytest
from robot_tool_agent.core.outcomes import ErrorCode
from robot_tool_agent.core.skills.arguments import MAX_ARGUMENT_BYTES, nesting_depth, parse_arguments, parse_object
from robot_tool_agent.core.skills.base import Refusal, SkillArguments
from robot_tool_agent.core.skills.built_in import BUILT_IN
from robot_tool_agent.core.skills.move_relative import MoveRelative
from robot_tool_agent.core.skills.navigate import NavigateTo
from robot_tool_agent.core.skills.pick import Pick
from robot_tool_agent.core.skills.rotate_relative import RotateRelative
from robot_tool_agent.core.skills.wait import Wait

NOT_JSON = {
    'empty': '',
    'broken': '{"duration_s": 1',
    'two objects': '{"duration_s": 1}{"duration_s": 1}',
    'single quotes': "{'duration_s': 1}",
    'string of an object': '"{\\"duration_s\\": 1}"',
    'array': '[1]',
    'number': '5',
    'null': 'null',
    'boolean': 'true',
    'nan': '{"duration_s": NaN}',
    'infinity': '{"duration_s": -Infinity}',
    'too large': '{"duration_s": 1e999}',
    'duplicate key': '{"duration_s": 1, "duration_s": 2}',
    'duplicate key inside': '{"duration_s": {"a": 1, "a": 2}}',
    'one megabyte': '{"duration_s": "' + 'x' * 1_000_000 + '"}',
    'just too long': '{"duration_s": "' + 'x' * MAX_ARGUMENT_BYTES + '"}',
    'too long in bytes': '{"duration_s": "' + '桌' * (MAX_ARGUMENT_BYTES // 2) + '"}',
    'deep arrays': '[' * 5000,
    'deep objects': '{"a":' * 9 + '1' + '}' * 9,
    'huge integer': '{"duration_s": ' + '9' * 5000 + '}',
    'lone surrogate as a key': r'{"\ud800": 1}',
    'lone surrogate as a value': r'{"duration_s": "\udfff"}',
    'lone surrogate deep inside': r'{"duration_s": [{"a": "x\ud800y"}]}',
    'raw surrogate': '{"duration_s": "\ud800"}',
}


@pytest.mark.parametrize('text', NOT_JSON.values(), ids=NOT_JSON.keys())
def test_not_json(text):
    refusal = parse_arguments(Wait, text)
    assert isinstance(refusal, Refusal)
    assert refusal.error is ErrorCode.INVALID_JSON
    assert len(refusal.message) < 300
    assert 'JSON object' in refusal.details['expected']


WRONG = [
    (Wait, '{}', 'duration_s'),
    (Wait, '{"duration_s": "1"}', 'duration_s'),
    (Wait, '{"duration_s": true}', 'duration_s'),
    (Wait, '{"duration_s": null}', 'duration_s'),
    (Wait, '{"duration_s": [1]}', 'duration_s'),
    (Wait, '{"duration_s": -0.001}', 'duration_s'),
    (Wait, '{"duration_s": 60.001}', 'duration_s'),
    (Wait, '{"duration_s": ' + '9' * 400 + '}', 'duration_s'),
    (Wait, '{"Duration_s": 1, "duration_s": 1}', 'Duration_s'),
    (MoveRelative, '{"distance_m": 50}', 'distance_m'),
    (MoveRelative, '{"distance_m": -5.01}', 'distance_m'),
    (MoveRelative, '{"distance_m": 0}', 'distance_m'),
    (MoveRelative, '{"distance_m": -0.0}', 'distance_m'),
    (RotateRelative, '{"angle_rad": 90}', 'angle_rad'),
    (RotateRelative, '{"angle_rad": 0.0}', 'angle_rad'),
    (NavigateTo, '{}', '(whole object)'),
    (NavigateTo, '{"place": "kitchen", "x_m": 1.0}', '(whole object)'),
    (NavigateTo, '{"x_m": 1.0, "y_m": 1.0}', '(whole object)'),
    (NavigateTo, '{"x_m": 1001, "y_m": 1, "yaw_rad": 0}', 'x_m'),
    (NavigateTo, '{"place": ""}', 'place'),
    (NavigateTo, '{"place": 7}', 'place'),
    (Pick, '{"object": "' + 'x' * 65 + '"}', 'object'),
]


@pytest.mark.parametrize(('skill', 'text', 'field'), WRONG)
def test_wrong_argument_names_field_and_form(skill, text, field):
    refusal = parse_arguments(skill, text)
    assert isinstance(refusal, Refusal)
    assert refusal.error is ErrorCode.INVALID_ARGUMENT
    assert field in [fault['field'] for fault in refusal.details['faults']]
    assert field in refusal.message
    json.dumps(refusal.details)


def test_all_faults_come_at_once_with_value_form_and_valid_names():
    refusal = parse_arguments(NavigateTo, '{"x_m": "1", "y_m": 5000, "speed": 2}')
    faults = {fault['field']: fault for fault in refusal.details['faults']}
    assert faults['x_m']['value'] == '"1"'
    assert faults['x_m']['expected'] == 'number from -1000 to 1000 (x in the map, metres)'
    assert faults['y_m']['value'] == '5000'
    assert faults['speed']['valid_values'] == ['place', 'x_m', 'y_m', 'yaw_rad']


RIGHT = [
    (Wait, '{"duration_s": 0}', {'duration_s': 0.0}),
    (Wait, ' {"duration_s": 6e1} ', {'duration_s': 60.0}),
    (MoveRelative, '{"distance_m": -5}', {'distance_m': -5.0}),
    (RotateRelative, '{"angle_rad": -6.2832}', {'angle_rad': -6.2832}),
    (NavigateTo, '{"place": "厨房"}', {'place': '厨房', 'x_m': None, 'y_m': None, 'yaw_rad': None}),
    (NavigateTo, '{"x_m": 0, "y_m": 0, "yaw_rad": 0}', {'place': None, 'x_m': 0.0, 'y_m': 0.0, 'yaw_rad': 0.0}),
    (Pick, '{"object": "cup_1"}', {'object': 'cup_1'}),
]


@pytest.mark.parametrize(('skill', 'text', 'values'), RIGHT)
def test_right_arguments(skill, text, values):
    arguments = parse_arguments(skill, text)
    assert isinstance(arguments, SkillArguments)
    assert arguments.model_dump() == values


def test_both_halves_of_a_surrogate_pair_are_one_character():
    assert parse_object(r'{"a": "\ud83d\ude00"}') == {'a': '\U0001f600'}


def test_thousands_of_keys_are_read_at_once():
    keys = {f'{number:x}': 1 for number in range(1400)}
    assert parse_object(json.dumps(keys)) == keys


@pytest.mark.parametrize(
    ('text', 'depth'), [('{}', 1), ('[[{"a": "[[["}]]', 3), ('{"a\\"[": [1]}', 2), ('"[["', 0), ('["\\\\", [1]]', 2)]
)
def test_nesting_depth(text, depth):
    assert nesting_depth(text) == depth


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
FIELDS = sorted({name for skill in BUILT_IN for name in skill.arguments_type.model_fields})
OBJECTS = st.dictionaries(st.sampled_from(FIELDS) | st.text(max_size=4), JSON_VALUES, max_size=5).map(json.dumps)


@settings(max_examples=150, derandomize=True, deadline=None)
@given(st.sampled_from(BUILT_IN), st.text(max_size=200) | OBJECTS)
def test_no_text_raises_and_every_refusal_is_bounded(skill, text):
    answer = parse_arguments(skill, text)
    if isinstance(answer, Refusal):
        assert answer.error in (ErrorCode.INVALID_JSON, ErrorCode.INVALID_ARGUMENT)
        assert len(json.dumps(answer.details)) < 20_000
    else:
        assert isinstance(answer, skill.arguments_type)
