"""Results stay small: what does not fit is left out and named."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st
from robot_tool_agent.core.execution.results import bounded_json, bounded_text, MAX_JSON_CHARS


def test_what_fits_stays_whole() -> None:
    value = {'pose': {'x_m': 1.0}, 'note': 'Küche'}
    assert bounded_json(value) == '{"pose":{"x_m":1.0},"note":"Küche"}'


def test_a_key_that_does_not_fit_is_named_and_those_after_it_stay() -> None:
    text = bounded_json({'first': 1, 'long': 'x' * 100, 'last': 2}, 80)
    assert json.loads(text) == {'first': 1, 'last': 2, 'truncated': ['long']}


def test_a_megabyte_becomes_a_mark() -> None:
    text = bounded_json({'evidence': 'y' * 1_000_000})
    assert json.loads(text) == {'truncated': ['evidence']}
    assert len(text) <= MAX_JSON_CHARS


NAMES = st.text(st.characters(codec='ascii', categories=('Ll',)), min_size=1, max_size=6)


@settings(derandomize=True, max_examples=200, deadline=None)
@given(st.dictionaries(NAMES, st.text(max_size=60), max_size=8))
def test_every_key_is_kept_or_named(value: dict[str, str]) -> None:
    kept = json.loads(bounded_json(value, 200))
    dropped = kept.pop('truncated', [])
    assert {**kept} == {key: item for key, item in value.items() if key not in dropped}
    assert set(dropped) | set(kept) == set(value)


def test_text_is_one_printable_line_with_a_mark_where_it_was_cut() -> None:
    assert bounded_text('a\nb\x1b[31mc') == 'a b [31mc'
    assert bounded_text('x' * 500, 10) == 'xxxxxxxxx…'
    assert bounded_text('x' * 10, 10) == 'x' * 10
