"""
The file of a journal: SQLite in WAL mode with full synchronisation, one writer by file lock.

Its defaults are the executor's journal; other journals bring steps of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
import fcntl
import sqlite3
from typing import IO

from robot_tool_agent.core.journal.records import JournalError, JournalInUseError

BUSY_TIMEOUT_S = 2.0
FULL = 2

_CALLS = """
CREATE TABLE calls (
    call_id TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    task_id TEXT NOT NULL,
    skill TEXT NOT NULL,
    arguments_json TEXT NOT NULL,
    requested_by TEXT NOT NULL,
    resources TEXT NOT NULL,
    idempotent INTEGER NOT NULL,
    reads_only INTEGER NOT NULL,
    state TEXT NOT NULL,
    outcome INTEGER,
    effect INTEGER,
    error_code TEXT NOT NULL DEFAULT '',
    message TEXT NOT NULL DEFAULT '',
    result_json TEXT NOT NULL DEFAULT '{}',
    evidence_json TEXT NOT NULL DEFAULT '{}',
    attempts INTEGER NOT NULL DEFAULT 0,
    start_json TEXT NOT NULL DEFAULT '{}',
    admitted_at_s REAL NOT NULL,
    started_at_s REAL,
    ended_at_s REAL,
    resolved_by TEXT NOT NULL DEFAULT ''
) WITHOUT ROWID;
CREATE INDEX calls_open ON calls (state) WHERE state IN ('ADMITTED', 'STARTED') OR effect = 3;
CREATE INDEX calls_by_time ON calls (admitted_at_s);
"""
_ATTEMPTS = """
CREATE TABLE attempts (
    call_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    evidence_json TEXT NOT NULL,
    begun_at_s REAL NOT NULL,
    PRIMARY KEY (call_id, number)
) WITHOUT ROWID;
"""
# What brings a journal from one version to the next; a new one takes all steps.
MIGRATIONS = (_CALLS, _ATTEMPTS)
SCHEMA = ''.join(MIGRATIONS)


def lock(path: str, owner: str = 'executor') -> IO[bytes]:
    """Take the journal's lock file for this process. Raise JournalInUseError if another `owner` has it."""
    try:
        handle = open(f'{path}.lock', 'ab')  # noqa: SIM115 (held as long as the journal)
    except OSError as error:
        raise JournalError(f'{path}.lock: {error.strerror}') from None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        handle.close()
        raise JournalInUseError(f'{path} is in use by another {owner}') from None
    return handle


def connect(path: str, migrations: Sequence[str] = MIGRATIONS) -> sqlite3.Connection:
    """
    Open a journal for writing, made new if there is none. Raise JournalError if it cannot be trusted.

    `migrations[n]` brings version n to version n + 1.
    """
    try:
        connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False)
        _set_pragmas(connection, path)
        _ensure_schema(connection, path, migrations)
    except sqlite3.Error as error:
        raise JournalError(f'{path}: {error}') from None
    return connection


def connect_read_only(path: str, table: str = 'calls') -> sqlite3.Connection:
    """Open an existing journal for reading only. Raise JournalError if there is none."""
    try:
        connection = sqlite3.connect(f'file:{path}?mode=ro', uri=True, timeout=BUSY_TIMEOUT_S, isolation_level=None)
        connection.execute(f'SELECT count(*) FROM {table} WHERE 0')
    except sqlite3.Error as error:
        raise JournalError(f'{path}: {error}') from None
    return connection


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Run one durable transaction: all of it or nothing. Raise JournalError if it cannot be done."""
    with told_as_journal_error():
        connection.execute('BEGIN IMMEDIATE')
        try:
            yield
            connection.execute('COMMIT')
        except BaseException:
            if connection.in_transaction:
                connection.execute('ROLLBACK')
            raise


@contextmanager
def told_as_journal_error() -> Iterator[None]:
    """Raise JournalError for what SQLite says, and for content that is not what was written."""
    try:
        yield
    except (sqlite3.Error, ValueError) as error:
        raise JournalError(str(error)) from error


def _set_pragmas(connection: sqlite3.Connection, path: str) -> None:
    mode = connection.execute('PRAGMA journal_mode=WAL').fetchone()[0]
    connection.execute('PRAGMA synchronous=FULL')
    synchronous = connection.execute('PRAGMA synchronous').fetchone()[0]
    if mode != 'wal' or synchronous != FULL:
        raise JournalError(f'{path}: needs WAL with synchronous=FULL, has {mode} with {synchronous}')


def _ensure_schema(connection: sqlite3.Connection, path: str, migrations: Sequence[str]) -> None:
    version = connection.execute('PRAGMA user_version').fetchone()[0]
    if not 0 <= version <= len(migrations):
        raise JournalError(f'{path}: schema version {version}, this program knows {len(migrations)}')
    for step in range(version, len(migrations)):
        connection.executescript(f'BEGIN IMMEDIATE; {migrations[step]} PRAGMA user_version={step + 1}; COMMIT;')
    damage = connection.execute('PRAGMA quick_check(1)').fetchone()[0]
    if damage != 'ok':
        raise JournalError(f'{path}: damaged: {damage}')
