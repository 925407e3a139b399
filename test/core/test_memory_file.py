"""The memory of tasks on disk: durable, one writer, bounded, without secrets and without loss."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
import sqlite3

import pytest
from robot_tool_agent.core.journal import JournalError, JournalInUseError
from robot_tool_agent.core.outcomes import Effect, ErrorCode, Outcome, TaskStatus
from robot_tool_agent.core.planning.calls import SkillResult
from robot_tool_agent.core.planning.conversation import Message, ModelReply, Role, ToolCall, Usage
from robot_tool_agent.core.planning.memory.events import CallDone, Event, ReplyTaken, Resumed, StopAsked, ToolsRead
from robot_tool_agent.core.planning.memory.journal_file import TaskJournal
from robot_tool_agent.core.planning.memory.writes import Begin, End, Note, Turn, Write
from robot_tool_agent.core.planning.record import TaskEnd
from robot_tool_agent.core.planning.redaction import Redactor, REMOVED

END = TaskEnd(TaskStatus.CANCELED, 'canceled on request', ErrorCode.CANCELED, 2, 3)
ODD = SkillResult(
    Outcome.FAILED, Effect.PARTIAL, 'TIMEOUT', 'a\x00b\ud800', 'STOP', {'x': float('inf')}, {'e': [1]}, True
)
EVENTS: list[Event] = [
    ToolsRead('[{"name": "look"}]', 'h1'),
    ReplyTaken(ModelReply('\ud800\x00 ü', (ToolCall('c0', 'pick', r'{"o": "\ud800"}'),), Usage(3, 4), True)),
    CallDone('t:1:0', ODD),
    CallDone('t:1:1', SkillResult(Outcome.SUCCEEDED)),
    StopAsked(END),
    Resumed(),
]


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / 'tasks.sqlite3')


@pytest.fixture
def journal(path: str) -> Iterator[TaskJournal]:
    opened = TaskJournal.open(path)
    yield opened
    opened.close()


def test_what_was_written_comes_back_without_loss(path: str) -> None:
    journal = TaskJournal.open(path)
    turn = Message(Role.TOOL, '<data>{}</data>', ref='c0')
    notes = [Note('t', 0.5 * place, event) for place, event in enumerate(EVENTS)]
    journal.write([Begin('t', 'go'), *notes[:3]], 10.0)
    journal.write([*notes[3:], Turn('t', turn), End('t', END)], 20.0)
    journal.close()
    again = TaskJournal.open(path)
    record = again.find('t')
    again.close()
    assert record is not None
    assert [entry.event for entry in record.entries] == EVENTS
    assert [entry.elapsed_s for entry in record.entries] == [0.0, 0.5, 1.0, 1.5, 2.0, 2.5]
    assert (record.instruction, record.turns, record.end) == ('go', [turn], END)
    assert (record.begun_at_s, record.last_at_s) == (10.0, 20.0)


def test_the_file_is_as_durable_as_the_journal(journal: TaskJournal) -> None:
    pragma = {
        name: journal._connection.execute(f'PRAGMA {name}').fetchone()[0] for name in ('journal_mode', 'synchronous')
    }
    assert pragma == {'journal_mode': 'wal', 'synchronous': 2}


def test_a_second_planner_is_refused_and_a_reader_is_not(path: str, journal: TaskJournal) -> None:
    journal.write([Begin('t', 'go')], 1.0)
    with pytest.raises(JournalInUseError, match='another planner'):
        TaskJournal.open(path)
    reader = TaskJournal.read_only(path)
    assert [record.task_id for record in reader.records(5)] == ['t']
    with pytest.raises(JournalError):
        reader.write([Begin('u', 'go')], 2.0)
    reader.close()


def test_a_description_of_skills_is_kept_once(journal: TaskJournal) -> None:
    tools = ToolsRead('x' * 1000, 'h')
    for task_id in ('a', 'b'):
        journal.write([Begin(task_id, 'go'), Note(task_id, 0.0, tools), End(task_id, END)], 1.0)
    assert journal._connection.execute('SELECT count(*) FROM skills').fetchone()[0] == 1
    assert len(journal.lines('b')[0][2]) < 100
    assert journal.find('b').entries[0].event == tools  # type: ignore[union-attr]


def test_the_oldest_tasks_are_forgotten(path: str) -> None:
    journal = TaskJournal.open(path, keep=3)
    for number in range(6):
        name = f't{number}'
        journal.write([Begin(name, 'go'), Note(name, 0.0, ToolsRead('x', f'h{number}')), End(name, END)], float(number))
    assert [record.task_id for record in journal.records(10)] == ['t5', 't4', 't3']
    assert journal.find('t0') is None
    assert journal.lines('t0') == []
    assert journal._connection.execute('SELECT count(*) FROM skills').fetchone()[0] == 3
    journal.close()


def test_a_transaction_is_whole_or_not_at_all(journal: TaskJournal) -> None:
    journal.write([Begin('t', 'go')], 1.0)
    with pytest.raises(JournalError):
        journal.write([Note('t', 0.0, Resumed()), Begin('t', 'go')], 2.0)
    record = journal.find('t')
    assert record is not None
    assert (record.entries, record.end) == ([], None)


def test_a_full_disk_and_damage_are_told(path: str) -> None:
    journal = TaskJournal.open(path)
    pages = journal._connection.execute('PRAGMA page_count').fetchone()[0]
    journal._connection.execute(f'PRAGMA max_page_count={pages}')
    big: list[Write] = [Begin('t', 'go'), Note('t', 0.0, ReplyTaken(ModelReply('x' * 100_000)))]
    with pytest.raises(JournalError, match='full'):
        journal.write(big, 1.0)
    assert journal.find('t') is None
    journal.close()
    Path(path).write_bytes(b'no database at all' * 1000)
    with pytest.raises(JournalError):
        TaskJournal.open(path)


@pytest.mark.parametrize('content', ['', '{}', '[]', 'null', '{"reply": 1}', '{"reply": {"calls": [{"x": 1}]}}'])
def test_an_entry_that_cannot_be_read_is_an_error_of_the_memory(path: str, journal: TaskJournal, content: str) -> None:
    journal.write([Begin('t', 'go'), Note('t', 0.0, ReplyTaken(ModelReply('x')))], 1.0)
    other = sqlite3.connect(path)
    other.execute('UPDATE entries SET content = ?', (content,))
    other.commit()
    other.close()
    with pytest.raises(JournalError):
        journal.find('t')


CANARY = 'q7Zr-canary-value-41'
KEY_LIKE = {
    'openai': 'sk-proj-abcdEFGH1234ijklMNOP5678',
    'anthropic': 'sk-ant-api03-abcdEFGH1234_ijkl-MNOP',
    'google': 'AIzaSyA1234567890abcdefghijklmnopqrstuv',
    'github': 'ghp_abcdefghij1234567890ABCDEFGHIJ123456',
    'slack': 'xoxb-123456789012-abcdefghijkl',
    'aws': 'AKIAIOSFODNN7EXAMPLE',
    'groq': 'gsk_abcdefghij1234567890',
    'hugging face': 'hf_abcdefghij1234567890abcd',
    'jwt': 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc-def_123',
    'pem': '-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nabc\n-----END RSA PRIVATE KEY-----',
    'environment': CANARY,
}
AROUND = ('the key is {}.', '"{}"', 'x={}&y=1', '\x00{}\n')


@pytest.mark.parametrize('secret', KEY_LIKE.values(), ids=KEY_LIKE)
def test_no_secret_reaches_the_disk(path: str, secret: str) -> None:
    redact = Redactor({'OPENAI_API_KEY': CANARY, 'HOME': '/root'})
    journal = TaskJournal.open(path, redact)
    for place, text in enumerate(around.format(secret) for around in AROUND):
        reply = ModelReply(text, (ToolCall(text, text, '{"object": "' + text + '"}'),))
        result = SkillResult(Outcome.FAILED, message=text, result={text: [text]}, evidence={'a': {'b': text}})
        events: list[Event] = [ReplyTaken(reply), CallDone('c', result), StopAsked(TaskEnd(TaskStatus.FAILED, text))]
        name = f't{place}'
        notes = [Note(name, 0.0, event) for event in events]
        turn = Message(Role.TOOL, text, reply.calls, text)
        end = TaskEnd(TaskStatus.FAILED, text)
        journal.write([Begin(name, text), *notes, Turn(name, turn), End(name, end)], 1.0)
        assert REMOVED in journal.find(name).instruction  # type: ignore[union-attr]
    journal.close()
    for file in Path(path).parent.iterdir():
        assert secret.split('\n')[-1].encode() not in file.read_bytes(), file
        assert secret[5:30].encode() not in file.read_bytes(), file


@pytest.mark.parametrize(
    ('text', 'expected'),
    [
        ('Authorization: Bearer abc.def-ghi', f'Authorization: Bearer {REMOVED}'),
        ('https://ann:hunter2@host/x', f'https://{REMOVED}@host/x'),
        ('api_key = "abcdef123"', f'api_key = "{REMOVED}"'),
        ('password: hunter22, next', f'password: {REMOVED}, next'),
    ],
)
def test_secrets_in_their_usual_places(text: str, expected: str) -> None:
    assert Redactor()(text) == expected


@pytest.mark.parametrize(
    'text',
    ['go to the kitchen', 'task-1764541234567890123:1:0', 'sk-1', 'the secret: a cup', 'cup_1 at 0.52 m', '去厨房'],
)
def test_ordinary_text_stays(text: str) -> None:
    assert Redactor({'SSH_AUTH_SOCK': '/tmp/agent', 'A_KEY': 'kit', 'EMPTY_TOKEN': ''})(text) == text
