"""The relay's table of saboteurs: each differs from the honest one in what its name says, and luck is seeded."""

from __future__ import annotations

import math
from dataclasses import fields

import pytest

from robot_tool_agent_sim.relay.saboteurs import HONEST, NEVER, SABOTEURS, Chance, Saboteur

CHANGES = {
    'goal_lost': {'copies', 'acceptance'},
    'goal_duplicated': {'copies'},
    'goal_response_delayed': {'acceptance'},
    'goal_response_dropped': {'acceptance'},
    'reply_dropped': {'reply'},
    'reply_late': {'reply'},
    'cancel_dropped': {'passes_cancel'},
    'success_claimed': {'claims_at'},
}


def test_the_honest_one_passes_everything_on_once_and_at_once() -> None:
    assert SABOTEURS[HONEST] == Saboteur(copies=((0.0, 0.0),), acceptance=(0.0, 0.0), reply=(0.0, 0.0))


def test_every_saboteur_is_listed_here() -> None:
    assert set(SABOTEURS) == {HONEST, *CHANGES}


@pytest.mark.parametrize('name', CHANGES)
def test_a_saboteur_changes_only_what_it_is_named_after(name: str) -> None:
    honest, other = SABOTEURS[HONEST], SABOTEURS[name]
    changed = {item.name for item in fields(Saboteur) if getattr(honest, item.name) != getattr(other, item.name)}
    assert changed == CHANGES[name]


def test_delays_lie_in_their_span_and_repeat_with_the_seed() -> None:
    first, second, other = Chance(1), Chance(1), Chance(2)
    drawn = [first.delay_s((2.0, 3.0)) for _ in range(50)]
    assert drawn == [second.delay_s((2.0, 3.0)) for _ in range(50)]
    assert drawn != [other.delay_s((2.0, 3.0)) for _ in range(50)]
    assert all(2.0 <= delay_s <= 3.0 for delay_s in drawn)


def test_what_is_lost_never_comes() -> None:
    assert Chance(0).delay_s(NEVER) == math.inf
