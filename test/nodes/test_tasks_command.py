"""`rta tasks` on a memory that a test wrote."""

from __future__ import annotations

import json
from pathlib import Path
import subprocess
import sys

import pytest
from robot_tool_agent.core.outcomes import Effect, ErrorCode, Outcome, TaskStatus
from robot_tool_agent.core.planning.calls import SkillResult
from robot_tool_agent.core.planning.conversation import Message, Role
from robot_tool_agent.core.planning.memory.events import CallDone, ReplyTaken, Resumed, ToolsRead
from robot_tool_agent.core.planning.memory.journal_file import TaskJournal
from robot_tool_agent.core.planning.memory.writes import Begin, End, Note, Turn
from robot_tool_agent.core.planning.record import TaskEnd
from robot_tool_agent.core.planning.untrusted import fence
from robot_tool_agent.llm.scripted import calls

SLIPPED = SkillResult(Outcome.FAILED, Effect.NONE, 'VERIFICATION_FAILED', 'it slipped\x1b[2J', 'CHOOSE_ANOTHER')


def rta(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, '-m', 'robot_tool_agent.cli', *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@pytest.fixture
def path(tmp_path: Path) -> str:
    file = str(tmp_path / 'tasks.sqlite3')
    journal = TaskJournal.open(file)
    refused = Turn('first', Message(Role.TOOL, fence({'sent': False, 'message': 'no such tool'}), ref='c0'))
    told = Turn('first', Message(Role.TOOL, fence(SLIPPED.as_data()), ref='c0'))
    pick = ReplyTaken(calls(('pick', {'object': 'cup'})))
    events = [ToolsRead('[]', 'h'), ReplyTaken(calls(('fly', {}))), refused, pick]
    writes = [item if isinstance(item, Turn) else Note('first', 0.0, item) for item in events]
    journal.write([Begin('first', '拿杯子'), *writes], 1.7e9)
    last = [Note('first', 1.0, Resumed()), Note('first', 1.0, CallDone('first:2:0', SLIPPED)), told]
    journal.write([*last, End('first', TaskEnd(TaskStatus.FAILED, 'it slipped', ErrorCode.GAVE_UP, 1, 3))], 1.7e9 + 5)
    journal.write([Begin('second', 'go home')], 1.7e9 + 9)
    journal.close()
    return file


def test_the_list_is_newest_first_and_says_what_is_open(path: str) -> None:
    done = rta('tasks', '--path', path, 'list', '--json')
    assert done.returncode == 0, done.stderr
    second, first = json.loads(done.stdout)
    assert (second['task_id'], second['status']) == ('second', None)
    assert (first['instruction'], first['status'], first['error_code']) == ('拿杯子', 'FAILED', 'GAVE_UP')
    table = rta('tasks', '--path', path, 'list')
    assert 'OPEN' in table.stdout
    assert '拿杯子' in table.stdout


def test_a_transcript_can_be_read_and_breaks_no_terminal(path: str) -> None:
    done = rta('tasks', '--path', path, 'show', 'first')
    assert done.returncode == 0, done.stderr
    lines = [line.split('  ', 1)[1] for line in done.stdout.splitlines()]
    assert lines == [
        'task    拿杯子',
        'model   calls fly {}',
        'remark  <data>{"sent": false, "message": "no such tool"}</data>',
        'model   calls pick {"object": "cup"}',
        'resumed by a new planner process',
        'result  first:2:0 FAILED VERIFICATION_FAILED it slipped [2J',
        'end     FAILED GAVE_UP  it slipped',
    ]


def test_everything_kept_comes_as_json_lines(path: str) -> None:
    done = rta('tasks', '--path', path, 'show', 'first', '--json')
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row['kind'] for row in rows] == ['task', 'tools', 'reply', 'turn', 'reply', 'resumed', 'result', 'turn']
    assert rows[6]['content']['result']['message'] == 'it slipped\x1b[2J'


def test_what_is_not_there_is_said_so(path: str, tmp_path: Path) -> None:
    assert rta('tasks', '--path', path, 'show', 'third').returncode == 1
    missing = rta('tasks', '--path', str(tmp_path / 'none.sqlite3'), 'list')
    assert missing.returncode == 2
    assert 'none.sqlite3' in missing.stderr
    (tmp_path / 'damaged.sqlite3').write_bytes(b'nothing' * 1000)
    assert rta('tasks', '--path', str(tmp_path / 'damaged.sqlite3'), 'list').returncode == 2
