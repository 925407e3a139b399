"""The table of scenarios is whole, and its short run is short."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from robot_tool_agent.core.outcomes import ErrorCode
from robot_tool_agent.core.safety.faults import FaultCode
from scenario_field import FIELD_FAILURES
from scenario_setups import SET_UPS
from scenario_table import (
    between,
    codes_of,
    DOCUMENT,
    faults_of,
    field_lines,
    kind_lines,
    kinds,
    parts,
    README,
    table_lines,
)
from scenario_types import Act, Scenario, Strike
from scenarios import in_order, SCENARIOS

TEST = Path(__file__).resolve().parents[1]
MOST_LAUNCHES = 25


def test_every_row_has_a_name_of_its_own_and_a_set_up_that_is_listed() -> None:
    assert not [name for name, count in Counter(row.name for row in SCENARIOS).items() if count > 1]
    assert {row.name for row in in_order()} == {row.name for row in SCENARIOS}


def test_strikes_before_the_start_stand_before_the_others() -> None:
    for row in SCENARIOS:
        early = [strike.before_start for strike in row.strikes]
        assert early == sorted(early, reverse=True), row.name


def _launches(rows: list[Scenario]) -> int:
    """Return how many processes some rows launch: their systems, nodes that come back, processes from outside."""
    more = sum(_launches_one(strike) for row in rows for part in parts(row) for strike in part.strikes)
    starts = sum(
        set_up.launches * (used if set_up.single_use else min(used, 1))
        for set_up in SET_UPS
        for used in [sum(row.set_up == set_up for row in rows)]
    )
    return starts + more


def _launches_one(strike: Strike) -> bool:
    dies = strike.act is Act.ORDER and strike.subject.startswith(('crash=', 'exit='))
    return dies or strike.act in (Act.KILL, Act.DYING_CLIENT, Act.SECOND_EXECUTOR)


def test_the_short_run_launches_few_processes() -> None:
    quick = [row for row in SCENARIOS if row.quick]
    assert 1 <= _launches(quick) <= MOST_LAUNCHES
    assert _launches(list(SCENARIOS)) > MOST_LAUNCHES / 5


def test_every_error_code_is_proved_by_a_row_that_allows_no_other() -> None:
    proved = {code for row in SCENARIOS for code in codes_of(row)}
    assert proved >= {code.value for code in ErrorCode}


def test_every_fault_of_the_safety_node_is_proved_by_a_row() -> None:
    assert {fault for row in SCENARIOS for fault in faults_of(row)} == {code.value for code in FaultCode}


def test_the_nine_kinds_are_there() -> None:
    assert [row.name for row in kinds()] == [f'kind_{number}' for number in range(1, 10)]
    assert all(row.says for row in kinds())
    assert 1 + len(kinds()[7].then) == 25


def test_there_are_enough_rows() -> None:
    assert len(SCENARIOS) >= 60


def test_the_documents_hold_the_table_of_the_code() -> None:
    assert between(DOCUMENT.read_text(encoding='utf-8'), 'rows') == '\n'.join(table_lines())
    assert between(DOCUMENT.read_text(encoding='utf-8'), 'field') == '\n'.join(field_lines())
    assert between(README.read_text(encoding='utf-8'), 'kinds') == '\n'.join(kind_lines())


def test_launch_plays_every_set_up() -> None:
    files = [path.read_text(encoding='utf-8') for path in (TEST / 'launch').glob('test_*.py')]
    for set_up in SET_UPS:
        assert any(f'import {set_up.name.upper()}\n' in text for text in files), set_up.name


def test_the_failures_of_the_field_are_all_played() -> None:
    named = {name for _, names in FIELD_FAILURES for name in names}
    assert named <= {row.name for row in SCENARIOS}
    assert len(FIELD_FAILURES) == 25
