"""Every malformed reply gets its exact code and a fault a model can act on, and nothing reaches the executor."""

from __future__ import annotations

import json
from pathlib import Path

from malformed_replies import Line, ROWS, TABLES
from planning_lines import outcome, rig, table
from planning_rig import refused, Rig
import pytest
from robot_tool_agent.core.outcomes import ErrorCode, TaskStatus
from robot_tool_agent.core.planning.limits import PlannerLimits
from robot_tool_agent.llm.script_file import read_script
from robot_tool_agent.llm.scripted import calls

MAX_TOLD = 8000


def played(folder: Path, line: Line, **limits: int) -> Rig:
    """Run a task whose model says this line again and again; every call that is sent would be counted."""
    path = folder / 'script.json'
    path.write_text(json.dumps([line] * 4), encoding='utf-8')
    bench = Rig(read_script(str(path)), table(refused(ErrorCode.GAVE_UP)), **limits)  # type: ignore[arg-type]
    bench.run()
    return bench


def test_there_are_enough_rows_and_no_name_twice() -> None:
    assert len(ROWS) >= 60
    assert len({name for name, _, _ in ROWS}) == sum(len(rows) for rows in TABLES.values())


@pytest.mark.parametrize(('name', 'line', 'code'), ROWS, ids=[row[0] for row in ROWS])
def test_a_malformed_reply_gets_its_code_and_moves_nothing(tmp_path: Path, name: str, line: Line, code: str) -> None:
    bench = played(tmp_path, line)
    status = TaskStatus.UNVERIFIED if code == 'VERIFICATION_FAILED' else TaskStatus.FAILED
    assert bench.loop.end is not None
    assert outcome(bench.loop.end) == (status, ErrorCode[code])
    assert bench.sent == []
    replies = 1 if code == 'VERIFICATION_FAILED' else PlannerLimits().max_corrections + 1
    assert bench.loop.end.llm_calls == replies


TOLD = [row for row in ROWS if row[1].get('calls') and row[2] != 'VERIFICATION_FAILED']


@pytest.mark.parametrize(('name', 'line', 'code'), TOLD, ids=[row[0] for row in TOLD])
def test_the_model_is_told_code_reason_and_what_is_valid(tmp_path: Path, name: str, line: Line, code: str) -> None:
    bench = played(tmp_path, line, max_corrections=0)
    rows = [bench.data(-1 - place) for place in range(min(len(line['calls']), 9))]
    for data in rows:
        assert (data['error_code'], data['sent']) == (code, False)
        assert data['message']
        assert data['advice'] == ErrorCode[code].advice.value
        text = json.dumps(data, ensure_ascii=False)
        assert len(text) < MAX_TOLD
        assert not any(word in text for word in ('Traceback', 'File "', 'pydantic', 'Error('))
    faults = [fault for data in rows for fault in data.get('faults', ())]
    assert all({'field', 'value', 'expected'} <= fault.keys() for fault in faults)
    if code == 'UNKNOWN_SKILL':
        valid = {value for data in rows for value in data.get('valid_values', ())}
        assert 'move_relative' in valid | {value for fault in faults for value in fault.get('valid_values', ())}
    elif not {'truncated'} & line.keys() and len(line['calls']) == 1:
        assert faults, 'no fault names the offending value'


@pytest.mark.parametrize(
    ('name', 'values'),
    [
        ('unknown place', {'kitchen', 'table'}),
        ('other case of a place', {'kitchen'}),
        ('place without a surface', {'table'}),
    ],
)
def test_valid_values_are_listed_where_there_are_few(tmp_path: Path, name: str, values: set[str]) -> None:
    line = TABLES['INVALID_ARGUMENT'][name]
    (fault,) = played(tmp_path, line, max_corrections=0).data()['faults']
    assert values <= set(fault['valid_values'])
    assert fault['value'] == json.loads(line['calls'][0]['arguments'])['place']


def test_a_reply_is_counted_once_with_its_code(tmp_path: Path) -> None:
    counters = played(tmp_path, TABLES['INVALID_JSON']['nan']).loop._state.counters
    assert counters.as_data()['faulty_replies'] == {'INVALID_JSON': 4}
    assert counters.replies == 4


@pytest.mark.parametrize('limit', [0, 1, 3])
def test_corrections_are_limited(limit: int) -> None:
    bench = rig(*[calls(('look', '{'))] * 9, max_corrections=limit)
    end = bench.run()
    assert end.llm_calls == limit + 1
    assert f'max_corrections = {limit}' in end.summary
