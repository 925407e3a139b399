"""The relay's table of saboteurs: each differs from the honest one in what its name says, and luck is seeded."""

from __future__ import annotations

from dataclasses import fields
import math

import pytest
from robot_tool_agent_sim.relay.saboteurs import (
    AT_ONCE,
    Chance,
    HONEST,
    NAMES,
    NEVER,
    RELAYED_TOPICS,
    Saboteur,
    SABOTEURS,
    TOPIC_SABOTEURS,
)

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


def test_every_relayed_topic_can_be_lost_thinned_delayed_doubled_and_mixed_up() -> None:
    ways = ('lost', 'dropped', 'delayed', 'duplicated', 'reordered')
    assert set(TOPIC_SABOTEURS) == {f'{topic}_{way}' for topic in RELAYED_TOPICS for way in ways}
    assert len(NAMES) == len(set(NAMES)) == len(SABOTEURS) + len(TOPIC_SABOTEURS)
    for topic in RELAYED_TOPICS:
        lost, thin, late, double, mixed = (TOPIC_SABOTEURS[f'{topic}_{way}'] for way in ways)
        assert {item.topic for item in (lost, thin, late, double, mixed)} == {topic}
        assert (lost.lost_share, thin.lost_share, late.lost_share) == (1.0, 0.3, 0.0)
        assert late.copies == ((0.5, 0.5),)
        assert len(double.copies) == 2
        assert double.copies[0] == AT_ONCE
        ((least_s, most_s),) = mixed.copies
        assert least_s < most_s


def test_losses_come_as_often_as_they_say_and_repeat_with_the_seed() -> None:
    first, second = Chance(1), Chance(1)
    struck = [first.strikes(0.3) for _ in range(1000)]
    assert struck == [second.strikes(0.3) for _ in range(1000)]
    assert 250 < sum(struck) < 350
    assert not any(Chance(3).strikes(0.0) for _ in range(100))
    assert all(Chance(3).strikes(1.0) for _ in range(100))
