"""Rows of the journal's table as records."""

from __future__ import annotations

import sqlite3

from robot_tool_agent.core.journal.records import Admission, CallEnd, CallRecord, CallState
from robot_tool_agent.core.outcomes import Effect, ErrorCode, Outcome


def record_of(row: sqlite3.Row) -> CallRecord:
    """Return a row of `calls` as a record."""
    return CallRecord(
        admission=_admission_of(row),
        state=CallState(row['state']),
        end=None if row['outcome'] is None else _end_of(row),
        start_json=row['start_json'],
        admitted_at_s=row['admitted_at_s'],
        started_at_s=row['started_at_s'],
        ended_at_s=row['ended_at_s'],
        resolved_by=row['resolved_by'],
    )


def _admission_of(row: sqlite3.Row) -> Admission:
    return Admission(
        call_id=row['call_id'],
        fingerprint=row['fingerprint'],
        task_id=row['task_id'],
        skill=row['skill'],
        arguments_json=row['arguments_json'],
        requested_by=row['requested_by'],
        resources=frozenset(name for name in row['resources'].split(',') if name),
        idempotent=bool(row['idempotent']),
        reads_only=bool(row['reads_only']),
    )


def _end_of(row: sqlite3.Row) -> CallEnd:
    return CallEnd(
        outcome=Outcome(row['outcome']),
        effect=Effect(row['effect']),
        error=ErrorCode(row['error_code']) if row['error_code'] else None,
        message=row['message'],
        result_json=row['result_json'],
        evidence_json=row['evidence_json'],
        attempts=row['attempts'],
    )
