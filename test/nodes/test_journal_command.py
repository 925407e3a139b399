"""`rta journal export` on a journal that a test wrote."""

import json
from pathlib import Path
import subprocess
import sys

import pytest
from robot_tool_agent.core.journal import Admission, CallEnd, Journal
from robot_tool_agent.core.outcomes import Effect, ErrorCode, Outcome


@pytest.fixture
def path(tmp_path: Path) -> Path:
    journal = Journal.open(str(tmp_path / 'journal.sqlite3'))
    for number, call_id in enumerate(('first', 'second')):
        admission = Admission(call_id, call_id, 't', 'navigate_to', '{"place":"厨房"}', 'me', frozenset({'base'}), True)
        journal.admit(admission, 10.0 + number)
        journal.start(call_id, '{}', 11.0 + number)
    journal.note_attempt('first', 2, '{"measured":0.0}', 12.0)
    journal.end('first', CallEnd(Outcome.FAILED, Effect.NONE, ErrorCode.EXECUTION_ERROR, 'stuck', attempts=2), 13.0)
    journal.close()
    return tmp_path / 'journal.sqlite3'


def rta(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, '-m', 'robot_tool_agent.cli', *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_export_prints_every_call_oldest_first_one_a_line(path):
    done = rta('journal', '--path', str(path), 'export')
    assert done.returncode == 0, done.stderr
    calls = [json.loads(line) for line in done.stdout.splitlines()]
    assert [call['call_id'] for call in calls] == ['first', 'second']
    assert calls[0]['arguments'] == {'place': '厨房'}
    assert calls[0]['end']['error_code'] == 'EXECUTION_ERROR'
    assert calls[0]['attempts'] == [{'number': 2, 'evidence': '{"measured":0.0}'}]
    assert calls[1]['unresolved']
    assert calls[1]['end'] is None


def test_a_missing_journal_is_said_so(tmp_path):
    done = rta('journal', '--path', str(tmp_path / 'none.sqlite3'), 'export')
    assert done.returncode == 2
    assert 'none.sqlite3' in done.stderr


@pytest.mark.parametrize('word', ['approve', 'deny', 'pause', 'resume'])
def test_what_a_person_decides_needs_a_call(word):
    assert rta(word).returncode == 2
