"""The journal's rules on a real file."""

from dataclasses import replace
from pathlib import Path
import sqlite3
import subprocess
import sys

from journal_rig import call, DENIED, DONE, LOCKED, UNKNOWN
import pytest
from robot_tool_agent.core.journal import (
    Admission,
    Admitted,
    CallEnd,
    CallState,
    Journal,
    JournalError,
    NotAdmitted,
    Replay,
)
from robot_tool_agent.core.journal.journal import UNRESOLVED_QUERY
from robot_tool_agent.core.journal.storage import MIGRATIONS
from robot_tool_agent.core.outcomes import Effect, ErrorCode, Outcome


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / 'journal.sqlite3')


@pytest.fixture
def journal(path: str):
    opened = Journal.open(path)
    yield opened
    opened.close()


def begin(journal: Journal, admission: Admission, end: CallEnd | None = None) -> None:
    assert journal.admit(admission, 1.0) == Admitted()
    assert journal.start(admission.call_id, '{"x":0}', 2.0) == Admitted()
    if end is not None:
        journal.end(admission.call_id, end, 3.0)


def test_the_same_id_comes_back_with_its_stored_end(journal):
    begin(journal, call(), DONE)
    decision = journal.admit(call(), 9.0)
    assert isinstance(decision, Replay)
    assert decision.record.end == DONE
    assert decision.record.start_json == '{"x":0}'


@pytest.mark.parametrize('stage', ['admitted', 'refused', 'started', 'ended'])
def test_the_same_id_with_other_arguments_is_a_mismatch_in_any_state(journal, stage):
    journal.admit(call(), 1.0)
    if stage == 'refused':
        journal.refuse('a', LOCKED, 2.0)
    if stage in ('started', 'ended'):
        journal.start('a', '{}', 2.0)
    if stage == 'ended':
        journal.end('a', DONE, 3.0)
    decision = journal.admit(call(fingerprint='other'), 9.0)
    assert isinstance(decision, NotAdmitted)
    assert decision.error is ErrorCode.IDEMPOTENCY_MISMATCH


def test_a_call_that_ended_is_replayed_also_while_its_executor_still_holds_it(journal):
    begin(journal, call(), DONE)
    assert isinstance(journal.admit(call(), 9.0, frozenset({'a'})), Replay)


def test_the_same_id_while_started_is_in_progress(journal):
    begin(journal, call())
    decision = journal.admit(call(), 9.0, frozenset({'a'}))
    assert isinstance(decision, NotAdmitted)
    assert decision.error is ErrorCode.IN_PROGRESS


def test_a_started_call_that_nobody_runs_is_unresolved_and_can_be_resolved(journal):
    begin(journal, call())
    assert journal.admit(call(), 9.0).error is ErrorCode.UNRESOLVED_CALL
    assert journal.admit(call('other'), 9.0).error is ErrorCode.UNRESOLVED_CALL
    refused = journal.resolve('a', Effect.DONE, 'operator ann', '{}', live=frozenset({'a'}))
    assert refused.error is ErrorCode.PRECONDITION_FAILED
    assert journal.resolve('a', Effect.DONE, 'operator ann', '{}') is None
    record = journal.record('a')
    assert (record.state, record.end.outcome, record.end.effect) == (CallState.ENDED, Outcome.UNKNOWN, Effect.DONE)
    assert journal.admit(call('other'), 9.0) == Admitted()


def test_a_read_only_call_never_erases_the_row_of_a_motion(journal):
    begin(journal, call(), UNKNOWN)
    seen = CallEnd(Outcome.SUCCEEDED, Effect.NONE, None, 'seen')
    reading = Admission('a', 'other', 't', 'look', '{}', 'planner', frozenset(), True, reads_only=True)
    journal.note_read(reading, seen, 9.0)
    assert journal.record('a').unresolved
    journal.note_read(replace(reading, call_id='b'), seen, 9.0)
    journal.note_read(replace(reading, call_id='b'), seen, 10.0)
    assert journal.record('b').end == seen


def test_attempts_are_kept_with_their_evidence(journal):
    begin(journal, call())
    journal.note_attempt('a', 2, '{"measured":0}', 3.0)
    assert journal.attempts('a') == [(2, '{"measured":0}')]
    with pytest.raises(JournalError):
        journal.note_attempt('a', 2, '{}', 4.0)
    journal.end('a', DONE, 5.0)
    with pytest.raises(JournalError):
        journal.note_attempt('a', 3, '{}', 6.0)


def test_an_older_journal_is_brought_up_to_date_and_keeps_its_rows(path):
    old = sqlite3.connect(path)
    old.executescript(MIGRATIONS[0] + 'PRAGMA user_version=1;')
    columns = 'call_id, fingerprint, task_id, skill, arguments_json, requested_by, resources, idempotent, reads_only'
    row = "'a', 'f', 't', 'pick', '{}', 'p', 'base', 0, 0, 'STARTED', 1"
    old.execute(f'INSERT INTO calls ({columns}, state, admitted_at_s) VALUES ({row})')
    old.commit()
    old.close()
    journal = Journal.open(path)
    assert [record.admission.call_id for record in journal.recover(2.0)] == ['a']
    assert journal.attempts('a') == []
    assert journal._connection.execute('PRAGMA user_version').fetchone()[0] == 2
    journal.close()


def test_look_ups_use_an_index(journal):
    for query in ("SELECT * FROM calls WHERE call_id = 'a'", UNRESOLVED_QUERY):
        plan = ' '.join(row['detail'] for row in journal._connection.execute(f'EXPLAIN QUERY PLAN {query}'))
        assert 'SEARCH' in plan or 'USING INDEX' in plan, plan


@pytest.mark.parametrize(
    ('earlier_end', 'earlier_resources', 'idempotent', 'blocked'),
    [
        (None, {'base'}, False, True),
        (UNKNOWN, {'base'}, False, True),
        (UNKNOWN, {'base', 'gripper'}, False, True),
        (UNKNOWN, {'gripper'}, False, False),
        (UNKNOWN, {'base'}, True, False),
        (DONE, {'base'}, False, False),
    ],
)
def test_a_motion_that_is_not_idempotent_waits_for_unresolved_calls(
    journal, earlier_end, earlier_resources, idempotent, blocked
):
    begin(journal, call('earlier', resources=frozenset(earlier_resources)), earlier_end)
    decision = journal.admit(call('later', idempotent=idempotent), 9.0)
    if blocked:
        assert isinstance(decision, NotAdmitted)
        assert decision.error is ErrorCode.UNRESOLVED_CALL
        assert 'earlier' in decision.message
    else:
        assert decision == Admitted()


def test_a_live_call_does_not_count_as_unresolved_at_admission_but_does_at_start(journal):
    assert journal.admit(call('later'), 1.0) == Admitted()
    begin(journal, call('earlier'))
    assert journal.admit(call('third'), 2.0, frozenset({'earlier'})) == Admitted()
    decision = journal.start('later', '{}', 3.0)
    assert isinstance(decision, NotAdmitted)
    assert decision.error is ErrorCode.UNRESOLVED_CALL
    assert journal.record('later').state is CallState.ADMITTED


def test_a_refused_call_may_be_tried_again_but_a_denied_one_not(journal):
    journal.admit(call('again'), 1.0)
    journal.refuse('again', LOCKED, 2.0)
    assert journal.admit(call('again'), 3.0) == Admitted()
    journal.admit(call('denied'), 1.0)
    journal.refuse('denied', DENIED, 2.0)
    decision = journal.admit(call('denied'), 3.0)
    assert isinstance(decision, Replay)
    assert decision.record.end == DENIED


def test_a_call_cannot_end_twice_or_start_twice(journal):
    begin(journal, call(), DONE)
    with pytest.raises(JournalError):
        journal.end('a', UNKNOWN, 4.0)
    with pytest.raises(JournalError):
        journal.start('a', '{}', 4.0)
    assert journal.record('a').end == DONE


def test_recovery_refuses_admitted_calls_and_makes_started_ones_unknown(path):
    first = Journal.open(path)
    first.admit(call('admitted'), 1.0)
    begin(first, call('done'), DONE)
    begin(first, call('started'))
    first.close()
    second = Journal.open(path)
    unresolved = second.recover(9.0)
    assert [record.admission.call_id for record in unresolved] == ['started']
    assert second.record('started').end.outcome is Outcome.UNKNOWN
    assert second.record('started').end.effect is Effect.UNKNOWN
    assert second.record('started').end.error is ErrorCode.RESTARTED
    assert second.record('admitted').state is CallState.REFUSED
    assert second.record('done').end == DONE
    replay = second.admit(call('started'), 10.0)
    assert isinstance(replay, Replay)
    assert second.admit(call('admitted'), 10.0).error is ErrorCode.UNRESOLVED_CALL
    second.close()


def test_an_operator_resolves_an_unknown_call_once(journal):
    begin(journal, call('lost'), UNKNOWN)
    assert journal.resolve('lost', Effect.NONE, 'operator ann', '{"reason":"saw it"}') is None
    assert journal.record('lost').end.effect is Effect.NONE
    assert journal.record('lost').resolved_by == 'operator ann'
    assert journal.admit(call('next'), 9.0) == Admitted()
    assert journal.resolve('lost', Effect.DONE, 'operator bob', '{}').error is ErrorCode.PRECONDITION_FAILED
    assert journal.resolve('nobody', Effect.DONE, 'operator bob', '{}').error is ErrorCode.UNKNOWN_ENTITY


def test_pragmas_are_those_of_a_durable_journal(path, journal):
    assert journal._connection.execute('PRAGMA journal_mode').fetchone()[0] == 'wal'
    assert journal._connection.execute('PRAGMA synchronous').fetchone()[0] == 2


OPEN_IT = """
import sys
from robot_tool_agent.core.journal import Journal, JournalError
try:
    Journal.open(sys.argv[1])
except JournalError as error:
    sys.exit(f'refused: {error}')
"""


def test_a_second_process_cannot_open_the_journal(path, journal):
    command = [sys.executable, '-c', OPEN_IT, path]
    other = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert other.returncode == 1
    assert other.stderr.startswith('refused: ')
    assert 'in use by another executor' in other.stderr


def test_a_full_disk_is_a_journal_error_and_leaves_no_half_row(journal):
    pages = journal._connection.execute('PRAGMA page_count').fetchone()[0]
    journal._connection.execute(f'PRAGMA max_page_count={pages}')
    big = call('big', fingerprint='x' * 100_000)
    with pytest.raises(JournalError):
        journal.admit(big, 1.0)
    assert journal.record('big') is None


def test_a_damaged_or_foreign_file_is_refused(tmp_path):
    damaged = tmp_path / 'damaged.sqlite3'
    damaged.write_bytes(b'not a database at all' * 100)
    with pytest.raises(JournalError):
        Journal.open(str(damaged))
    newer = tmp_path / 'newer.sqlite3'
    connection = sqlite3.connect(newer)
    connection.execute('PRAGMA user_version=99')
    connection.close()
    with pytest.raises(JournalError, match='schema version 99'):
        Journal.open(str(newer))


def test_a_reader_sees_rows_newest_first_and_cannot_write(path, journal):
    begin(journal, call('one'), DONE)
    journal.admit(call('two', resources=frozenset({'gripper'})), 5.0)
    reader = Journal.read_only(path)
    assert [record.admission.call_id for record in reader.rows()] == ['two', 'one']
    with pytest.raises(JournalError):
        reader.admit(call('three'), 6.0)
    reader.close()
    with pytest.raises(JournalError):
        Journal.read_only(path + '.missing')
