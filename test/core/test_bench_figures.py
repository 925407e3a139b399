"""From samples to stored figures, goals and tables."""

from __future__ import annotations

import copy
import math
from typing import Any

import pytest
from robot_tool_agent_sim.bench.figures import distribution, MICRO, percentile, PLAIN
from robot_tool_agent_sim.bench.goals import goals_of
from robot_tool_agent_sim.bench.merging import merged
from robot_tool_agent_sim.bench.report import rows_of
from robot_tool_agent_sim.bench.table import document, goals_table
from robot_tool_agent_sim.circumstances import sentence

TICK_MS = 20.0


def figure(p50: float, p95: float | None = None) -> dict[str, float]:
    return {'n': 10, 'p50_ms': p50, 'p95_ms': 2.0 * p50 if p95 is None else p95, 'max_ms': 99.0}


def good_figures() -> dict[str, Any]:
    """Figures that meet every goal exactly."""
    events = {kind: figure(1.3, 4.0) for kind in ('operator_stop', 'bumper', 'obstacle', 'invalid_command')}
    timeouts = {kind: figure(21.0, 22.0) for kind in ('odometry_stale', 'executor_killed', 'executor_stopped')}
    return {
        'echo': {name: figure(1.0) for name in ('bool', 'command', 'twist', 'scan')},
        'fault_to_zero': {**events, **timeouts},
        'skill_call': {
            'bare': figure(3.0),
            'read_only': figure(8.0),
            'motion': figure(56.0),
            'commit_ms': figure(4.0),
        },
        'cancel': {'ack_ms': figure(5.0, 50.0), 'standstill_ms': figure(300.0)},
        'journal_lookup_ratio': 2.0,
        'scan_check_us': {'n': 5, 'p50_us': 100.0, 'p95_us': 200.0, 'max_us': 300.0},
        'cpu_percent': {'safety': 45.0, 'bare': 8.0},
    }


def test_percentiles_are_nearest_ranks() -> None:
    ordered = [float(value) for value in range(1, 101)]
    assert percentile(ordered, 0.5) == 50.0
    assert percentile(ordered, 0.95) == 95.0
    assert percentile([7.0], 0.95) == 7.0
    assert percentile([1.0, 2.0, 3.0], 0.5) == 2.0


def test_a_distribution_names_its_unit() -> None:
    assert distribution([0.003, 0.001, 0.002]) == {'n': 3, 'p50_ms': 2.0, 'p95_ms': 3.0, 'max_ms': 3.0}
    assert distribution([2e-6], MICRO) == {'n': 1, 'p50_us': 2.0, 'p95_us': 2.0, 'max_us': 2.0}
    assert distribution([0.5], PLAIN) == {'n': 1, 'p50': 0.5, 'p95': 0.5, 'max': 0.5}


@pytest.mark.parametrize('samples', [[], [1.0, math.nan], [math.inf]])
def test_what_was_not_measured_is_no_figure(samples: list[float]) -> None:
    with pytest.raises(ValueError, match='no finite samples'):
        distribution(samples)


def test_figures_at_their_limits_meet_every_goal() -> None:
    goals = goals_of(good_figures(), TICK_MS)
    assert len(goals) == 20
    assert [goal.name for goal in goals if not goal.met] == []


@pytest.mark.parametrize(
    ('path', 'value', 'missed'),
    [
        (('fault_to_zero', 'bumper', 'p50_ms'), 1.31, 'fault_to_zero bumper p50'),
        (('fault_to_zero', 'obstacle', 'p95_ms'), 4.1, 'fault_to_zero obstacle p95'),
        (('fault_to_zero', 'executor_killed', 'p50_ms'), 21.1, 'fault_to_zero executor_killed p50'),
        (('skill_call', 'read_only', 'p50_ms'), 8.1, 'skill_call read_only p50'),
        (('skill_call', 'motion', 'p50_ms'), 56.1, 'skill_call motion p50'),
        (('cancel', 'ack_ms', 'p95_ms'), 51.0, 'cancel ack p95'),
        (('journal_lookup_ratio',), 2.1, 'journal look-up p95 ratio'),
        (('scan_check_us', 'p50_us'), 101.0, 'scan verdict p50'),
        (('cpu_percent', 'safety'), 46.0, 'safety node'),
    ],
)
def test_each_goal_can_be_missed(path: tuple[str, ...], value: float, missed: str) -> None:
    figures = copy.deepcopy(good_figures())
    inner = figures
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    assert [goal.name for goal in goals_of(figures, TICK_MS) if not goal.met] == [missed]


@pytest.mark.parametrize(('echo', 'kind'), [('scan', 'obstacle'), ('command', 'invalid_command')])
def test_a_fault_is_compared_with_the_echo_of_its_own_message(echo: str, kind: str) -> None:
    figures = good_figures()
    figures['echo'][echo] = figure(0.5, 1.0)
    missed = [goal.name for goal in goals_of(figures, TICK_MS) if not goal.met]
    assert missed == [f'fault_to_zero {kind} p50', f'fault_to_zero {kind} p95']


def test_parts_are_joined_and_never_overwritten() -> None:
    joined = merged({'fault_to_zero': {'bumper': {'n': 4}}}, {'fault_to_zero': {'bumper': {'stop_s': 1}}, 'x': 2})
    assert joined == {'fault_to_zero': {'bumper': {'n': 4, 'stop_s': 1}}, 'x': 2}
    with pytest.raises(ValueError, match='measured twice'):
        merged(joined, {'x': 3})


def test_every_figure_has_a_row() -> None:
    figures = {**good_figures(), 'commit': 'abc', 'quick': True}
    figures['fault_to_zero']['bumper'] |= {'stop_s': distribution([0.5], PLAIN)}
    rows = {name: (unit, cells) for name, unit, cells in rows_of(figures)}
    assert rows['fault_to_zero bumper'] == ('ms', ['10', '1.3', '4', '99'])
    assert rows['fault_to_zero bumper stop_s'] == ('s', ['1', '0.5', '0.5', '0.5'])
    assert rows['scan_check_us'] == ('us', ['5', '100', '200', '300'])
    assert rows['cpu_percent safety'] == ('%', ['', '45', '', ''])
    assert rows['journal_lookup_ratio'] == ('', ['', '2', '', ''])
    assert not {'quick', 'commit'} & set(rows)


def test_a_missed_goal_stands_out_in_the_table() -> None:
    figures = good_figures()
    figures['fault_to_zero']['bumper']['p50_ms'] = 1.31
    lines = goals_table(goals_of(figures, TICK_MS)).splitlines()
    assert '| fault_to_zero bumper p50 | 1.31 | 1.3 | ms | 1.3 x echo bool 1.00 | **missed** |' in lines
    assert sum(line.endswith('| met |') for line in lines) == 19


def test_the_document_says_how_it_came_about_and_holds_every_figure() -> None:
    told = {'commit': '0123456789', 'date': '2026-12-01', 'machine': '2 cores', 'took_s': 90.0}
    how = sentence('make bench', told)
    assert how == 'Written by `make bench` on 2026-12-01 at 0123456, in 1.5 minutes on 2 cores.'
    figures = good_figures()
    text = document(figures, goals_of(figures, TICK_MS), how)
    assert how in text
    assert '| scan_check_us | 5 | 100 | 200 | 300 | us |' in text
    assert all(f'| {name} |' in text for name, _, _ in rows_of(figures))
