"""
The memory of tasks on disk: one SQLite file beside the executor's journal, as durable as that.

It is the transcript too: every reply, call, result and remark to the model, each bounded, secrets removed.
"""

from __future__ import annotations

from collections.abc import Sequence
import sqlite3
from typing import IO

from robot_tool_agent.core.journal import JournalError, storage
from robot_tool_agent.core.outcomes import ErrorCode, TaskStatus
from robot_tool_agent.core.planning.endings import interrupted
from robot_tool_agent.core.planning.memory.coding import decode, decode_turn, encode, KINDS, Redact, TURN
from robot_tool_agent.core.planning.memory.events import Entry, ToolsRead
from robot_tool_agent.core.planning.memory.writes import Begin, End, Note, Turn, Write
from robot_tool_agent.core.planning.record import TaskEnd, TaskRecord

MIGRATIONS = (
    """
CREATE TABLE tasks (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    task_id TEXT NOT NULL UNIQUE,
    instruction TEXT NOT NULL,
    begun_at_s REAL NOT NULL,
    last_at_s REAL NOT NULL,
    status INTEGER,
    summary TEXT NOT NULL DEFAULT '',
    error_code TEXT NOT NULL DEFAULT '',
    skill_calls INTEGER NOT NULL DEFAULT 0,
    llm_calls INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX tasks_open ON tasks (status) WHERE status IS NULL;
CREATE TABLE entries (
    task_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    kind TEXT NOT NULL,
    elapsed_s REAL NOT NULL,
    at_s REAL NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (task_id, number)
) WITHOUT ROWID;
CREATE TABLE skills (schema_hash TEXT PRIMARY KEY, skills_json TEXT NOT NULL) WITHOUT ROWID;
""",
)
OWNER = 'planner'


def as_it_is(text: str) -> str:
    """Return the text."""
    return text


class TaskJournal:
    """Tasks by task_id. Raise JournalError whenever the file cannot be read or written. `keep` tasks are kept."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        lock: IO[bytes] | None = None,
        redact: Redact = as_it_is,
        keep: int = 200,
    ) -> None:
        self._connection = connection
        self._connection.row_factory = sqlite3.Row
        self._lock = lock
        self._redact = redact
        self._keep = keep

    @classmethod
    def open(cls, path: str, redact: Redact = as_it_is, keep: int = 200) -> TaskJournal:
        """Open the one writing memory at a path. Raise JournalError if another planner has it or it is damaged."""
        lock = storage.lock(path, OWNER)
        try:
            return cls(storage.connect(path, MIGRATIONS), lock, redact, keep)
        except JournalError:
            lock.close()
            raise

    @classmethod
    def read_only(cls, path: str) -> TaskJournal:
        """Open a memory for looking at, beside a running planner."""
        return cls(storage.connect_read_only(path, 'tasks'))

    def close(self) -> None:
        """Close the file and free its lock."""
        self._connection.close()
        if self._lock is not None:
            self._lock.close()

    def write(self, writes: Sequence[Write], at_s: float) -> None:
        """Commit these in one durable transaction. `at_s` is wall-clock time, for people and for the age of a task."""
        with storage.transaction(self._connection):
            for item in writes:
                self._write(item, at_s)

    def find(self, task_id: str) -> TaskRecord | None:
        """Return a task, None if it is not known. Raise JournalError if what is stored of it cannot be read."""
        with storage.told_as_journal_error():
            record = self.head(task_id)
            return None if record is None else self._filled(record)

    def head(self, task_id: str) -> TaskRecord | None:
        """Return a task without what happened in it, None if it is not known."""
        with storage.told_as_journal_error():
            row = self._connection.execute('SELECT * FROM tasks WHERE task_id = ?', (task_id,)).fetchone()
            return None if row is None else _record(row)

    def records(self, limit: int) -> list[TaskRecord]:
        """Return the newest tasks, newest first, without what happened in them."""
        with storage.told_as_journal_error():
            rows = self._connection.execute('SELECT * FROM tasks ORDER BY number DESC LIMIT ?', (limit,))
            return [_record(row) for row in rows]

    def lines(self, task_id: str) -> list[tuple[float, str, str]]:
        """Return wall-clock time, kind and JSON text of everything kept of a task, oldest first."""
        with storage.told_as_journal_error():
            query = 'SELECT at_s, kind, content FROM entries WHERE task_id = ? ORDER BY number'
            return [(row['at_s'], row['kind'], row['content']) for row in self._connection.execute(query, (task_id,))]

    def _filled(self, record: TaskRecord) -> TaskRecord:
        query = 'SELECT kind, elapsed_s, content FROM entries WHERE task_id = ? ORDER BY number'
        for row in self._connection.execute(query, (record.task_id,)):
            if row['kind'] == TURN:
                record.turns.append(decode_turn(row['content']))
                continue
            event = decode(row['kind'], row['content'])
            if isinstance(event, ToolsRead):
                event = ToolsRead(self._skills(event.schema_hash), event.schema_hash)
            record.entries.append(Entry(row['elapsed_s'], event))
        return record

    def _skills(self, schema_hash: str) -> str:
        row = self._connection.execute('SELECT * FROM skills WHERE schema_hash = ?', (schema_hash,)).fetchone()
        if row is None:
            raise ValueError(f'no description of the skills {schema_hash}')
        return str(row['skills_json'])

    def _write(self, item: Write, at_s: float) -> None:
        if isinstance(item, Begin):
            self._begin(item, at_s)
        elif isinstance(item, End):
            self._end(item.task_id, item.end, at_s)
        elif isinstance(item, Turn):
            self._add(item.task_id, TURN, 0.0, encode(item.turn, self._redact), at_s)
        else:
            self._add(item.task_id, KINDS[type(item.event)], item.elapsed_s, self._note(item), at_s)

    def _note(self, item: Note) -> str:
        event = item.event
        if isinstance(event, ToolsRead):
            values = (event.schema_hash, event.skills_json)
            self._connection.execute('INSERT OR IGNORE INTO skills (schema_hash, skills_json) VALUES (?, ?)', values)
            event = ToolsRead('', event.schema_hash)
        return encode(event, self._redact)

    def _begin(self, item: Begin, at_s: float) -> None:
        """Insert a task. One that was interrupted ends by it: the world has moved on."""
        end = interrupted(f'interrupted by a restart of the planner; task {item.task_id} began since')
        for row in self._connection.execute('SELECT task_id FROM tasks WHERE status IS NULL').fetchall():
            self._end(row['task_id'], end, at_s)
        values = (item.task_id, self._redact(item.instruction), at_s, at_s)
        columns = 'task_id, instruction, begun_at_s, last_at_s'
        self._connection.execute(f'INSERT INTO tasks ({columns}) VALUES (?, ?, ?, ?)', values)
        self._prune()

    def _prune(self) -> None:
        last = 'SELECT task_id FROM tasks ORDER BY number DESC LIMIT -1 OFFSET ?'
        old = self._connection.execute(last, (self._keep,)).fetchall()
        for row in old:
            self._connection.execute('DELETE FROM entries WHERE task_id = ?', (row['task_id'],))
            self._connection.execute('DELETE FROM tasks WHERE task_id = ?', (row['task_id'],))
        if old:
            used = "SELECT json_extract(content, '$.schema_hash') FROM entries WHERE kind = 'tools'"
            self._connection.execute(f'DELETE FROM skills WHERE schema_hash NOT IN ({used})')

    def _end(self, task_id: str, end: TaskEnd, at_s: float) -> None:
        values = (int(end.status), self._redact(end.summary), end.error.value if end.error else '')
        counts = (end.skill_calls, end.llm_calls, at_s, task_id)
        columns = 'status = ?, summary = ?, error_code = ?, skill_calls = ?, llm_calls = ?, last_at_s = ?'
        self._connection.execute(f'UPDATE tasks SET {columns} WHERE task_id = ?', values + counts)

    def _add(self, task_id: str, kind: str, elapsed_s: float, content: str, at_s: float) -> None:
        self._connection.execute(
            'INSERT INTO entries (task_id, number, kind, elapsed_s, at_s, content) VALUES (?1,'
            ' (SELECT count(*) FROM entries WHERE task_id = ?1), ?2, ?3, ?4, ?5)',
            (task_id, kind, elapsed_s, at_s, content),
        )
        self._connection.execute('UPDATE tasks SET last_at_s = ? WHERE task_id = ?', (at_s, task_id))


def _record(row: sqlite3.Row) -> TaskRecord:
    error = ErrorCode(row['error_code']) if row['error_code'] else None
    end = None
    if row['status'] is not None:
        end = TaskEnd(TaskStatus(row['status']), row['summary'], error, row['skill_calls'], row['llm_calls'])
    return TaskRecord(
        row['task_id'], row['instruction'], end=end, begun_at_s=row['begun_at_s'], last_at_s=row['last_at_s']
    )
