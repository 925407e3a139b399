"""Checks that stand between a model and the robot: schema, honesty, untrusted text, admission, tools."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from planning_rig import refused, SKILLS_JSON, succeeded
import pytest
from robot_tool_agent.core.outcomes import ErrorCode, Outcome, TaskStatus
from robot_tool_agent.core.planning.calls import CallFault, check_call, PlannedCall
from robot_tool_agent.core.planning.claims import CallEnd, Claim, ClaimKind, read_claim, supported
from robot_tool_agent.core.planning.conversation import ToolCall
from robot_tool_agent.core.planning.desk import Admission, admit, TaskRequest
from robot_tool_agent.core.planning.record import MemoryTaskStore, TaskEnd, TaskRecord
from robot_tool_agent.core.planning.schema_check import check
from robot_tool_agent.core.planning.tools import parse_tools, Toolbox, ToolsError
from robot_tool_agent.core.planning.untrusted import clean_text, fence, MAX_DATA, unfence

TOOLS = {tool.name: tool for tool in parse_tools(SKILLS_JSON)}


@pytest.mark.parametrize(
    ('name', 'arguments', 'error', 'word'),
    [
        ('fly', '{}', ErrorCode.UNKNOWN_SKILL, 'navigate_to'),
        ('Look', '{}', ErrorCode.UNKNOWN_SKILL, 'look'),
        ('look', '', ErrorCode.INVALID_JSON, 'JSON'),
        ('look', '{', ErrorCode.INVALID_JSON, 'JSON'),
        ('look', '[]', ErrorCode.INVALID_JSON, 'object'),
        ('look', '"{}"', ErrorCode.INVALID_JSON, 'object'),
        ('look', 'null', ErrorCode.INVALID_JSON, 'object'),
        ('look', '{} {}', ErrorCode.INVALID_JSON, 'JSON'),
        ('look', "{'a': 1}", ErrorCode.INVALID_JSON, 'JSON'),
        ('look', '{"object": "cup"}', ErrorCode.INVALID_ARGUMENT, 'no such argument'),
        ('wait', '{"duration_s": NaN}', ErrorCode.INVALID_JSON, 'NaN'),
        ('wait', '{"duration_s": 1e999}', ErrorCode.INVALID_JSON, '1e999'),
        ('wait', '{"duration_s": 1, "duration_s": 2}', ErrorCode.INVALID_JSON, 'twice'),
        ('wait', '{}', ErrorCode.INVALID_ARGUMENT, 'required'),
        ('wait', '{"duration_s": "3"}', ErrorCode.INVALID_ARGUMENT, 'not string'),
        ('wait', '{"duration_s": true}', ErrorCode.INVALID_ARGUMENT, 'not boolean'),
        ('wait', '{"duration_s": null}', ErrorCode.INVALID_ARGUMENT, 'not null'),
        ('wait', '{"duration_s": -1}', ErrorCode.INVALID_ARGUMENT, '>= 0'),
        ('wait', '{"duration_s": 60.001}', ErrorCode.INVALID_ARGUMENT, '<= 60'),
        ('move_relative', '{"distance_m": 5.01}', ErrorCode.INVALID_ARGUMENT, '<= 5'),
        ('move_relative', '{"distance": 1}', ErrorCode.INVALID_ARGUMENT, 'no such argument'),
        ('navigate_to', '{"place": "Kitchen"}', ErrorCode.INVALID_ARGUMENT, 'kitchen'),
        ('navigate_to', '{"place": "moon"}', ErrorCode.INVALID_ARGUMENT, 'kitchen'),
        ('place', '{"place": "bedroom"}', ErrorCode.INVALID_ARGUMENT, 'table'),
        ('pick', '{"object": ""}', ErrorCode.INVALID_ARGUMENT, 'at least 1'),
        ('pick', '{"object": "' + 'x' * 65 + '"}', ErrorCode.INVALID_ARGUMENT, 'at most 64'),
        ('pick', '{"object": ["cup"]}', ErrorCode.INVALID_ARGUMENT, 'not array'),
    ],
)
def test_a_faulty_call_is_refused_with_code_reason_and_form(
    name: str, arguments: str, error: ErrorCode, word: str
) -> None:
    found = check_call(ToolCall('r', name, arguments), 't:1:0', TOOLS)
    assert isinstance(found, CallFault)
    assert found.error is error
    data = found.as_data()
    assert data['error_code'] == error.value
    assert data['advice'] == error.advice.value
    assert word in json.dumps(data, ensure_ascii=False)
    assert 'Traceback' not in json.dumps(data)


def test_a_sound_call_is_sent_in_canonical_form() -> None:
    found = check_call(ToolCall('r', 'navigate_to', ' {"y_m": 1, "x_m":2.50,"yaw_rad":0}'), 't:1:0', TOOLS)
    assert isinstance(found, PlannedCall)
    assert found.arguments_json == '{"x_m": 2.5, "y_m": 1, "yaw_rad": 0}'
    assert (found.call_id, found.ref) == ('t:1:0', 'r')


@pytest.mark.parametrize(
    ('schema', 'good', 'bad'),
    [
        ({'type': 'integer', 'minimum': 0}, [0, 7], [-1, 1.5, '1', True]),
        ({'type': 'number', 'exclusiveMinimum': 0, 'exclusiveMaximum': 1}, [0.5], [0, 1, None]),
        ({'type': 'string', 'pattern': '^a+$', 'maxLength': 3}, ['a', 'aaa'], ['b', 'aaaa', 1]),
        ({'enum': [1, 'x']}, [1, 'x'], [True, 'X', 2]),
        ({'const': 4}, [4], [5]),
        ({'not': {'exclusiveMinimum': -0.02, 'exclusiveMaximum': 0.02}}, [0.02, -1], [0, -0.0, 0.019]),
        ({'type': 'number', 'multipleOf': 0.1}, [0.3, 7, -0.7], [0.35, 0.01]),
        ({'type': ['string', 'null']}, ['a', None], [1]),
        (
            {'type': 'array', 'items': {'type': 'number'}, 'minItems': 1, 'maxItems': 2},
            [[1], [1, 2]],
            [[], [1, 2, 3], ['a']],
        ),
        ({'anyOf': [{'type': 'number'}, {'type': 'null'}]}, [1, None], ['a']),
        ({'oneOf': [{'required': ['a']}, {'required': ['b']}]}, [{'a': 1}, {'b': 1}], [{}, {'a': 1, 'b': 1}]),
        ({'allOf': [{'minimum': 1}, {'maximum': 2}]}, [1, 2], [0, 3]),
        ({'$ref': '#/$defs/n', '$defs': {'n': {'type': 'number'}}}, [1], ['a']),
        (
            {'type': 'object', 'properties': {'o': {'type': 'object', 'additionalProperties': False}}},
            [{'o': {}}],
            [{'o': {'x': 1}}],
        ),
    ],
)
def test_schema_keywords(schema: dict[str, Any], good: list[Any], bad: list[Any]) -> None:
    assert [value for value in good if check(value, schema)] == []
    assert [value for value in bad if not check(value, schema)] == []


def test_a_ring_of_references_ends() -> None:
    assert check(1, {'$ref': '#/$defs/a', '$defs': {'a': {'$ref': '#/$defs/a'}}}) == []


def test_all_faults_come_at_once() -> None:
    faults = check({'x_m': 'a', 'y_m': 2000.0, 'z': 1}, TOOLS['navigate_to'].parameters)
    assert {fault.field for fault in faults} == {'x_m', 'y_m', 'z'}


@pytest.mark.parametrize(
    ('text', 'kind'),
    [
        ('DONE: it is there', ClaimKind.DONE),
        ('**Done:** it is there', ClaimKind.DONE),
        ('answer: two cups', ClaimKind.ANSWER),
        ('FAILED: door closed', ClaimKind.FAILED),
        ('QUESTION: which cup', ClaimKind.QUESTION),
        ('Which cup do you mean?', ClaimKind.QUESTION),
        ('要哪一个？', ClaimKind.QUESTION),
        ('I brought the cup.', ClaimKind.DONE),
        ('Undone: nothing', ClaimKind.DONE),
    ],
)
def test_final_texts_are_read_as_claims(text: str, kind: ClaimKind) -> None:
    assert read_claim(text).kind is kind


def ends(*rows: str) -> list[CallEnd]:
    """Write an end short: `A` acting, `r` reading; `+` succeeded, `-` failed, `=` succeeded but replayed."""
    made = {'+': (Outcome.SUCCEEDED, False), '-': (Outcome.FAILED, False), '=': (Outcome.SUCCEEDED, True)}
    return [CallEnd('skill', row[0] == 'r', *made[row[1]]) for row in rows]


@pytest.mark.parametrize(
    ('kind', 'rows', 'carried'),
    [
        (ClaimKind.DONE, [], False),
        (ClaimKind.DONE, ['r+'], False),
        (ClaimKind.DONE, ['A+'], True),
        (ClaimKind.DONE, ['A-'], False),
        (ClaimKind.DONE, ['A='], False),
        (ClaimKind.DONE, ['A-', 'A+'], True),
        (ClaimKind.DONE, ['A+', 'A-'], False),
        (ClaimKind.DONE, ['A+', 'r-'], False),
        (ClaimKind.DONE, ['A+', 'r+'], True),
        (ClaimKind.DONE, ['r-', 'A+'], True),
        (ClaimKind.DONE, ['A+', 'A='], False),
        (ClaimKind.ANSWER, [], False),
        (ClaimKind.ANSWER, ['r+'], True),
        (ClaimKind.ANSWER, ['r-'], False),
        (ClaimKind.ANSWER, ['r+', 'r-'], False),
        (ClaimKind.ANSWER, ['r-', 'r+'], True),
        (ClaimKind.ANSWER, ['A-', 'r+'], False),
        (ClaimKind.FAILED, [], True),
        (ClaimKind.QUESTION, ['A-'], True),
    ],
)
def test_a_claim_needs_verified_calls(kind: ClaimKind, rows: list[str], carried: bool) -> None:
    assert supported(Claim(kind, ''), ends(*rows)) is carried


@given(st.text(max_size=300), st.integers(1, 100))
def test_cleaned_text_is_bounded_printable_and_stable(text: str, limit: int) -> None:
    cleaned = clean_text(text, limit)
    assert len(cleaned) <= limit
    assert all(character.isprintable() for character in cleaned)
    assert clean_text(cleaned, limit) == cleaned


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=5),
    max_leaves=20,
)


@given(st.dictionaries(st.text(max_size=20), JSON, max_size=5))
def test_nothing_inside_closes_the_data_marks(value: dict[str, Any]) -> None:
    text = fence(value)
    assert text.startswith('<data>')
    assert text.endswith('</data>')
    assert '<' not in text[len('<data>'): -len('</data>')]
    assert len(text) <= 6 * MAX_DATA
    assert isinstance(unfence(text), dict)


def test_hidden_and_turning_characters_are_dropped() -> None:
    assert clean_text('a\x00b\u202ec\u200bd\ne\x1b[31m') == 'abcd e[31m'


def test_a_small_result_survives_the_fence() -> None:
    value = {'objects': [{'id': 'cup_1', 'label': '杯子 <b>', 'x_m': 1.5}], 'ok': True, 'n': None}
    assert unfence(fence(value)) == value


def test_a_huge_result_is_cut() -> None:
    text = fence({f'k{i}': 'x' * 400 for i in range(40)})
    assert len(text) < MAX_DATA + 100
    assert 'cut_off' in unfence(text)


def asked(task_id: str, instruction: str, at_s: float = 100.0) -> TaskRequest:
    return TaskRequest(task_id, instruction, at_s)


def test_admission_of_tasks() -> None:
    running = TaskRecord('a', 'go')
    assert admit(asked('a', 'go'), None, None, 600.0) == Admission()
    assert admit(asked('a', 'go'), running, None, 600.0) == Admission(attach=True)
    busy = admit(asked('b', 'go'), running, None, 600.0).end
    other = admit(asked('a', 'stop'), running, None, 600.0).end
    assert busy is not None
    assert (busy.status, busy.error) == (TaskStatus.FAILED, ErrorCode.RESOURCE_BUSY)
    assert other is not None
    assert other.error is ErrorCode.IDEMPOTENCY_MISMATCH
    end = TaskEnd(TaskStatus.SUCCEEDED, 'there')
    for running_now in (None, TaskRecord('b', 'go')):
        assert admit(asked('a', 'go'), running_now, TaskRecord('a', 'go', end=end), 600.0) == Admission(end=end)


def test_an_interrupted_task_is_taken_up_again_while_it_is_fresh_and_nothing_else_runs() -> None:
    known = TaskRecord('a', 'go', last_at_s=100.0)
    assert admit(asked('a', 'go', 700.0), None, known, 600.0) == Admission(resume=True)
    assert admit(asked('a', 'go'), TaskRecord('b', 'go'), known, 600.0).end is not None
    for at_s in (701.0, -501.0):
        late = admit(asked('a', 'go', at_s), None, known, 600.0)
        assert late.end is not None
        assert (late.end.status, late.end.error) == (TaskStatus.NEEDS_OPERATOR, ErrorCode.RESTARTED)
        assert 'resume_within_s = 600' in late.end.summary
        assert late.keep
        assert not late.resume


def test_a_memory_without_a_disk_forgets_the_oldest() -> None:
    store = MemoryTaskStore(capacity=2)
    for task_id in ('a', 'b', 'c'):
        store.begin(task_id, 'go')
    assert store.find('a') is None
    assert store.find('c') is not None


@pytest.mark.parametrize('task_id', ['', 'a b', 'a/b', 'x' * 97, 'ä', 'a\n'])
def test_a_bad_task_id_is_refused(task_id: str) -> None:
    end = admit(asked(task_id, 'go'), None, None, 600.0).end
    assert end is not None
    assert end.error is ErrorCode.INVALID_ARGUMENT


@pytest.mark.parametrize('instruction', ['', ' \n ', 'x' * 2001])
def test_a_bad_instruction_is_refused(instruction: str) -> None:
    end = admit(asked('t', instruction), None, None, 600.0).end
    assert end is not None
    assert end.error is ErrorCode.INVALID_ARGUMENT


@pytest.mark.parametrize(
    'text',
    ['', '[]', '{}', '[{"name": "a b"}]', 'x' * 400_001, json.dumps(json.loads(SKILLS_JSON)[:1] * 2), '[' * 100_000],
)
def test_an_unusable_description_of_skills_is_refused(text: str) -> None:
    with pytest.raises(ToolsError):
        parse_tools(text)


def test_tools_are_read_again_only_when_their_hash_is_new() -> None:
    box = Toolbox()
    box.load(SKILLS_JSON, 'h1')
    box.load('not JSON', 'h1')
    assert set(box.skills) == set(TOOLS)
    assert set(box.by_name) == {*TOOLS, 'finish_task'}
    box.load(json.dumps(json.loads(SKILLS_JSON)[:2]), 'h2')
    assert len(box.skills) == 2


def test_only_a_call_that_never_started_may_be_sent_again() -> None:
    assert refused(ErrorCode.SAFETY_LOCKED).may_be_sent_again
    assert not refused(ErrorCode.INVALID_ARGUMENT).may_be_sent_again
    assert not succeeded().may_be_sent_again
