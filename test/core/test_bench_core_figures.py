"""The figures that need no other process."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
import sqlite3

import pytest
from robot_tool_agent.core.journal import CallState, Journal
from robot_tool_agent_sim.bench.journal_figures import commits, filled_journal, lookup_ratio
from robot_tool_agent_sim.bench.planner_checks import validations
from robot_tool_agent_sim.bench.scan_figures import scan_verdicts
from sim_house import robot_description


def test_a_filled_journal_is_one_the_product_reads(tmp_path: Path) -> None:
    journal = filled_journal(tmp_path / 'journal.sqlite3', 1500)
    try:
        record = journal.record('bulk-0001499')
        assert record is not None
        assert record.state is CallState.ENDED
        assert not record.unresolved
        assert journal.record('bulk-0001500') is None
        assert journal.unresolved() == []
        assert len(journal.rows(2000)) == 1500
    finally:
        journal.close()


def test_the_ratio_is_that_of_two_journals(tmp_path: Path) -> None:
    ratio = lookup_ratio(tmp_path, 40, 5000)
    assert 0.1 < ratio < 10.0
    for name, rows in (('few', 1000), ('many', 5000)):
        with sqlite3.connect(tmp_path / f'{name}.sqlite3') as connection:
            assert connection.execute('SELECT count(*) FROM calls').fetchone() == (rows,)
        connection.close()


def test_every_commit_is_a_call_of_its_own_and_the_file_is_free_afterwards(tmp_path: Path) -> None:
    path = tmp_path / 'commits.sqlite3'
    measuring = commits(path)
    spent_s = list(islice(measuring, 3))
    measuring.close()
    assert len(spent_s) == 3
    assert all(0.0 < value < 5.0 for value in spent_s)
    journal = Journal.open(str(path))
    try:
        assert [record.state for record in journal.rows()] == [CallState.ADMITTED] * 3
    finally:
        journal.close()


def test_scans_are_really_judged() -> None:
    spent_s = scan_verdicts(robot_description(), 30)
    assert len(spent_s) == 30
    assert all(1e-6 < value < 0.1 for value in spent_s)


def test_a_verdict_that_sees_nothing_is_no_measurement(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr('robot_tool_agent_sim.bench.scan_figures.corridor_ranges', lambda ahead_m: [8.5] * 360)
    with pytest.raises(ValueError, match='not seen'):
        scan_verdicts(robot_description(), 1)


def test_a_sound_call_and_a_sound_plan_are_checked_so_often() -> None:
    samples = validations(robot_description(), 3)
    assert {kind: len(spent) for kind, spent in samples.items()} == {'call': 3, 'plan': 3}
    assert all(0.0 < spent < 1.0 for each in samples.values() for spent in each)
