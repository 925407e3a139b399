"""How fast the journal answers and commits. Works on files of its own."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
import random
import sqlite3
import time

from robot_tool_agent.core.journal import Admission, Journal
from robot_tool_agent_sim.bench.figures import percentile

FEW_ROWS, MANY_ROWS = 1_000, 1_000_000
_TEXT = 'x' * 80
_BULK = f"""
WITH RECURSIVE counter(number) AS (SELECT 0 UNION ALL SELECT number + 1 FROM counter WHERE number + 1 < ?)
INSERT INTO calls (call_id, fingerprint, task_id, skill, arguments_json, requested_by, resources, idempotent,
    reads_only, state, outcome, effect, message, admitted_at_s)
SELECT printf('bulk-%07d', number), '{_TEXT}', 'task', 'move_relative', '{{"distance_m":0.5}}', 'planner', 'base', 0,
    0, 'ENDED', 1, 2, '{_TEXT}', number FROM counter
"""


def filled_journal(path: Path, rows: int) -> Journal:
    """Return a new journal with as many ended calls, inserted in bulk."""
    Journal.open(str(path)).close()
    with sqlite3.connect(path) as connection:
        connection.execute('PRAGMA synchronous=OFF')
        connection.execute(_BULK, (rows,))
    connection.close()
    return Journal.open(str(path))


def lookup_ratio(folder: Path, lookups: int, many_rows: int = MANY_ROWS) -> float:
    """
    Return the p95 of a look-up among many rows over that among a thousand, both asked in turn.

    A look-up is what every admission asks: the call's own record, and all unresolved calls.
    """
    few = filled_journal(folder / 'few.sqlite3', FEW_ROWS)
    many = filled_journal(folder / 'many.sqlite3', many_rows)
    try:
        chance = random.Random(1)
        pairs = [(journal, rows) for journal, rows in ((few, FEW_ROWS), (many, many_rows))]
        times: list[list[float]] = [[], []]
        for _ in range(lookups):
            for spent, (journal, rows) in zip(times, pairs, strict=True):
                spent.append(_lookup_s(journal, f'bulk-{chance.randrange(rows):07d}'))
    finally:
        few.close()
        many.close()
    few_s, many_s = (percentile(sorted(spent), 0.95) for spent in times)
    return many_s / few_s


def _lookup_s(journal: Journal, call_id: str) -> float:
    began_s = time.perf_counter()
    record, unresolved = journal.record(call_id), journal.unresolved()
    spent_s = time.perf_counter() - began_s
    if record is None or unresolved:
        raise ValueError(f'{call_id}: {record}, {len(unresolved)} unresolved')
    return spent_s


def commits(path: Path) -> Generator[float, None, None]:
    """Yield the seconds of one durable transaction each: the admission of a new call."""
    journal = Journal.open(str(path))
    try:
        number = 0
        while True:
            number += 1
            call = Admission(f'commit-{number}', f'print-{number}', '', 'move_relative', '{}', '', frozenset(), True)
            began_s = time.perf_counter()
            journal.admit(call, float(number))
            yield time.perf_counter() - began_s
    finally:
        journal.close()
