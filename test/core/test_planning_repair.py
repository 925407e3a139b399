"""Only slips that can be mended in one way are mended, and each mending is told."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from planning_lines import DONE, rig
import pytest
from robot_tool_agent.core.outcomes import TaskStatus
from robot_tool_agent.core.planning.repair import COMMA, FENCE, read_object
from robot_tool_agent.llm.scripted import calls

T = '```'


@pytest.mark.parametrize(
    ('text', 'value', 'repairs'),
    [
        ('{"a": 1}', {'a': 1}, ()),
        ('{"a": 1,}', {'a': 1}, (COMMA,)),
        ('{"a": [1, 2, ], "b": {"c": 3 ,\n} , }', {'a': [1, 2], 'b': {'c': 3}}, (COMMA,)),
        ('{"a": ",}", "b": "x,]",}', {'a': ',}', 'b': 'x,]'}, (COMMA,)),
        ('{"a": "\\",}",}', {'a': '",}'}, (COMMA,)),
        (f'{T}json\n{{"a": 1}}\n{T}', {'a': 1}, (FENCE,)),
        (f'  {T}\n{{"a": 1}}{T}\n', {'a': 1}, (FENCE,)),
        (f'{T}JSON \n{{"a": 1,}}\n{T}', {'a': 1}, (FENCE, COMMA)),
        ('{"a": "```"}', {'a': '```'}, ()),
    ],
)
def test_what_is_mended(text: str, value: dict[str, Any], repairs: tuple[str, ...]) -> None:
    assert read_object(text) == (value, repairs)


@pytest.mark.parametrize(
    'text',
    [
        '{,}',
        '{"a": 1,,}',
        '{"a": [,]}',
        '{"a": [1,,]}',
        '{"a":,}',
        '{,"a": 1}',
        '{"a": 1,',
        '{"a": 1},',
        "{'a': 1,}",
        '{"a": 1, "a": 2,}',
        '{"a": NaN,}',
        '[1,]',
        f'{T}json\n{{"a": 1}}',
        f'{{"a": 1}}\n{T}',
        f'{T}json {{"a": 1}} {T}',
        f'text\n{T}\n{{"a": 1}}\n{T}',
        f'{T}\n{{"a": 1}}\n{T}\n{T}\n{{"a": 1}}\n{T}',
        '{"a": "' + 'x' * 20_000 + '",}',
    ],
)
def test_what_is_not_mended(text: str) -> None:
    with pytest.raises(ValueError, match=r'.'):
        read_object(text)


def test_the_fault_told_is_that_of_the_text_as_it_came() -> None:
    with pytest.raises(ValueError, match='at character 12'):
        read_object('{"a": 1, "b",}')


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(alphabet='ab,]}{["\\: `', max_size=6),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.text(alphabet='ab,}"', max_size=3), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=200, derandomize=True, deadline=None)
@given(st.dictionaries(st.text(max_size=3), VALUES, max_size=3))
def test_mending_never_changes_a_value(value: dict[str, Any]) -> None:
    text = json.dumps(value)
    assert read_object(text) == (value, ())
    spoilt = text[:-1] + ',}' if value else text
    fenced = f'{T}json\n{spoilt}\n{T}'
    if T in text:
        with pytest.raises(ValueError, match='Expecting value'):
            read_object(fenced)
    else:
        assert read_object(fenced)[0] == value


def test_a_mended_call_is_sent_counted_and_reported() -> None:
    bench = rig(calls(('navigate_to', f'{T}json\n{{"place": "kitchen",}}\n{T}'), ('look', '{}')), DONE)
    assert bench.run().status is TaskStatus.SUCCEEDED
    assert bench.sent[0].arguments_json == '{"place": "kitchen"}'
    assert bench.loop._state.counters.repaired == 1
    (report,) = [report for report in bench.reports if report.kind == 'repaired']
    assert report.text == 'navigate_to: code fence, trailing comma'


def test_a_number_in_quotes_is_not_mended() -> None:
    bench = rig(calls(('wait', '{"duration_s": "2",}')), DONE)
    bench.run()
    assert bench.sent == []
    assert bench.data()['faults'][0]['value'] == '2'
