"""The table of scenarios is whole, and its short run is short."""

from __future__ import annotations

from collections import Counter

from scenario_setups import SET_UPS
from scenario_types import Act, Scenario
from scenarios import SCENARIOS, in_order

MOST_LAUNCHES = 25


def test_every_row_has_a_name_of_its_own_and_a_set_up_that_is_listed() -> None:
    assert not [name for name, count in Counter(row.name for row in SCENARIOS).items() if count > 1]
    assert {row.name for row in in_order()} == {row.name for row in SCENARIOS}


def test_strikes_before_the_start_stand_before_the_others() -> None:
    for row in SCENARIOS:
        early = [strike.before_start for strike in row.strikes]
        assert early == sorted(early, reverse=True), row.name


def _launches(rows: list[Scenario]) -> int:
    """Return how many processes some rows launch: the systems they need, and every node that comes back."""
    kills = sum(strike.act is Act.KILL for row in rows for strike in row.strikes)
    starts = sum(
        set_up.launches * (used if set_up.single_use else min(used, 1))
        for set_up in SET_UPS
        for used in [sum(row.set_up == set_up for row in rows)]
    )
    return starts + kills


def test_the_short_run_launches_few_processes() -> None:
    quick = [row for row in SCENARIOS if row.quick]
    assert 1 <= _launches(quick) <= MOST_LAUNCHES
    assert _launches(list(SCENARIOS)) > MOST_LAUNCHES / 5
