"""The journal: which call may move, which has moved, and how it ended. Every method is one durable transaction."""

from __future__ import annotations

from collections.abc import Iterator
import sqlite3
from typing import IO

from robot_tool_agent.core.journal import rules, storage
from robot_tool_agent.core.journal.records import (
    Admission,
    Admitted,
    CallEnd,
    CallRecord,
    CallState,
    Decision,
    JournalError,
    NotAdmitted,
)
from robot_tool_agent.core.journal.rows import record_of
from robot_tool_agent.core.outcomes import Effect, ErrorCode, Outcome

NOBODY: frozenset[str] = frozenset()
# The condition of the partial index calls_open, word for word: only then SQLite uses it.
_OPEN = "(state IN ('ADMITTED', 'STARTED') OR effect = 3)"
UNRESOLVED_QUERY = f"SELECT * FROM calls WHERE {_OPEN} AND state <> 'ADMITTED'"


class Journal:
    """Calls by call_id. Raise JournalError whenever the file cannot be read or written."""

    def __init__(self, connection: sqlite3.Connection, lock: IO[bytes] | None = None) -> None:
        self._connection = connection
        self._connection.row_factory = sqlite3.Row
        self._lock = lock

    @classmethod
    def open(cls, path: str) -> Journal:
        """Open the one writing journal at a path. Raise JournalError if another process has it or it is damaged."""
        lock = storage.lock(path)
        try:
            return cls(storage.connect(path), lock)
        except JournalError:
            lock.close()
            raise

    @classmethod
    def read_only(cls, path: str) -> Journal:
        """Open a journal for looking at, beside a running executor."""
        return cls(storage.connect_read_only(path))

    def close(self) -> None:
        """Close the file and free its lock."""
        self._connection.close()
        if self._lock is not None:
            self._lock.close()

    def record(self, call_id: str) -> CallRecord | None:
        """Return the record of a call, None if it was never admitted."""
        with storage.told_as_journal_error():
            row = self._connection.execute('SELECT * FROM calls WHERE call_id = ?', (call_id,)).fetchone()
        return None if row is None else record_of(row)

    def rows(self, limit: int = 50) -> list[CallRecord]:
        """Return the newest calls, newest first."""
        with storage.told_as_journal_error():
            query = 'SELECT * FROM calls ORDER BY admitted_at_s DESC LIMIT ?'
            return [record_of(row) for row in self._connection.execute(query, (limit,))]

    def every(self) -> Iterator[CallRecord]:
        """Yield every call, oldest first, without loading all at once."""
        with storage.told_as_journal_error():
            for row in self._connection.execute('SELECT * FROM calls ORDER BY admitted_at_s'):
                yield record_of(row)

    def unresolved(self) -> list[CallRecord]:
        """Return every call that is started without an end or whose effect is unknown."""
        with storage.told_as_journal_error():
            query = f"SELECT * FROM calls WHERE {_OPEN} AND state <> 'ADMITTED'"
            return [record_of(row) for row in self._connection.execute(query)]

    def admit(self, call: Admission, wall_s: float, live: frozenset[str] = NOBODY) -> Decision:
        """Let a call in, or say why not (rules 1 to 6). `live` are calls running in this process."""
        with storage.transaction(self._connection):
            known = self.record(call.call_id)
            decision = rules.decide(call, known, self.unresolved(), live)
            if isinstance(decision, Admitted):
                self._insert(call, wall_s)
            return decision

    def refuse(self, call_id: str, end: CallEnd, wall_s: float) -> None:
        """Store that an admitted call was refused before anything moved."""
        self._finish(call_id, CallState.REFUSED, CallState.ADMITTED, end, wall_s)

    def start(self, call_id: str, start_json: str, wall_s: float) -> Decision:
        """Commit STARTED: from here on the call counts as having moved. Rule 5 is asked again in the transaction."""
        with storage.transaction(self._connection):
            record = self.record(call_id)
            if record is None or record.state is not CallState.ADMITTED:
                raise JournalError(f'{call_id} is not admitted')
            blocked = rules.blocked_by(record.admission, self.unresolved(), NOBODY)
            if blocked is not None:
                return blocked
            self._connection.execute(
                'UPDATE calls SET state = ?, start_json = ?, started_at_s = ? WHERE call_id = ?',
                (CallState.STARTED.value, start_json, wall_s, call_id),
            )
            return Admitted()

    def note_attempt(self, call_id: str, number: int, evidence_json: str, wall_s: float) -> None:
        """Commit that attempt `number` of a started call begins, with what the sensors showed after the one before."""
        with storage.transaction(self._connection):
            record = self.record(call_id)
            if record is None or record.state is not CallState.STARTED:
                raise JournalError(f'{call_id} is not STARTED')
            self._connection.execute(
                'INSERT INTO attempts (call_id, number, evidence_json, begun_at_s) VALUES (?, ?, ?, ?)',
                (call_id, number, evidence_json, wall_s),
            )

    def attempts(self, call_id: str) -> list[tuple[int, str]]:
        """Return number and stored evidence of every attempt after the first."""
        with storage.told_as_journal_error():
            query = 'SELECT number, evidence_json FROM attempts WHERE call_id = ? ORDER BY number'
            return [(row['number'], row['evidence_json']) for row in self._connection.execute(query, (call_id,))]

    def end(self, call_id: str, end: CallEnd, wall_s: float) -> None:
        """Commit the end of a started call."""
        self._finish(call_id, CallState.ENDED, CallState.STARTED, end, wall_s)

    def note_read(self, call: Admission, end: CallEnd, wall_s: float) -> None:
        """
        Store a read-only call with its end in one go; it moved nothing, so it needs no admission.

        A row of another call under the same id is left alone: it may be of a motion.
        """
        with storage.transaction(self._connection):
            known = self.record(call.call_id)
            if known is None or known.admission.fingerprint == call.fingerprint:
                self._insert(call, wall_s)
                self._update_end(call.call_id, CallState.ENDED, end, wall_s)

    def recover(self, wall_s: float) -> list[CallRecord]:
        """Rule 7, at start: admitted calls become refused, started ones UNKNOWN. Return the unresolved calls."""
        refused = CallEnd(Outcome.REJECTED, Effect.NONE, ErrorCode.RESTARTED, 'the executor restarted before it began')
        lost = CallEnd(Outcome.UNKNOWN, Effect.UNKNOWN, ErrorCode.RESTARTED, 'the executor ended in mid-call')
        with storage.transaction(self._connection):
            for state, new_state, end in (
                (CallState.ADMITTED, CallState.REFUSED, refused),
                (CallState.STARTED, CallState.ENDED, lost),
            ):
                for row in self._connection.execute(
                    f'SELECT call_id FROM calls WHERE {_OPEN} AND state = ?',
                    (state.value,),
                ).fetchall():
                    self._update_end(row['call_id'], new_state, end, wall_s)
            return self.unresolved()

    def resolve(
        self, call_id: str, effect: Effect, by: str, evidence_json: str, live: frozenset[str] = NOBODY
    ) -> NotAdmitted | None:
        """
        Rule 8: store what an operator or newer sensor data say of an unresolved call. None when stored.

        A call whose end could not be stored is still STARTED; unless it is live, it ends as UNKNOWN with this effect.
        """
        with storage.transaction(self._connection):
            record = self.record(call_id)
            if record is None:
                return NotAdmitted(ErrorCode.UNKNOWN_ENTITY, f'no call {call_id} in the journal')
            if not record.unresolved or call_id in live:
                message = f'call {call_id} is {record.state.value}, not unresolved'
                return NotAdmitted(ErrorCode.PRECONDITION_FAILED, message)
            self._connection.execute(
                'UPDATE calls SET state = ?, outcome = coalesce(outcome, ?), effect = ?, resolved_by = ?,'
                ' evidence_json = ? WHERE call_id = ?',
                (CallState.ENDED.value, int(Outcome.UNKNOWN), int(effect), by, evidence_json, call_id),
            )
            return None

    def _insert(self, call: Admission, wall_s: float) -> None:
        values = (
            call.call_id,
            call.fingerprint,
            call.task_id,
            call.skill,
            call.arguments_json,
            call.requested_by,
            ','.join(sorted(call.resources)),
            call.idempotent,
            call.reads_only,
            CallState.ADMITTED.value,
            wall_s,
        )
        self._connection.execute(
            'INSERT OR REPLACE INTO calls (call_id, fingerprint, task_id, skill, arguments_json, requested_by,'
            ' resources, idempotent, reads_only, state, admitted_at_s) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
            values,
        )

    def _finish(self, call_id: str, state: CallState, expected: CallState, end: CallEnd, wall_s: float) -> None:
        with storage.transaction(self._connection):
            record = self.record(call_id)
            if record is None or record.state is not expected:
                raise JournalError(f'{call_id} is not {expected.value}')
            self._update_end(call_id, state, end, wall_s)

    def _update_end(self, call_id: str, state: CallState, end: CallEnd, wall_s: float) -> None:
        self._connection.execute(
            'UPDATE calls SET state = ?, outcome = ?, effect = ?, error_code = ?, message = ?, result_json = ?,'
            ' evidence_json = ?, attempts = ?, ended_at_s = ? WHERE call_id = ?',
            (
                state.value,
                int(end.outcome),
                int(end.effect),
                end.error.value if end.error else '',
                end.message,
                end.result_json,
                end.evidence_json,
                end.attempts,
                wall_s,
                call_id,
            ),
        )
