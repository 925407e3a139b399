"""Seeded episodes on the virtual clock: they repeat exactly, keep every invariant, and beat the obvious agent."""

from __future__ import annotations

from pathlib import Path
import re
import subprocess
import sys

import pytest
from robot_tool_agent.core.geometry import Pose2D
from robot_tool_agent_sim.evidence.baseline_episode import BaselineEpisode
from robot_tool_agent_sim.evidence.counts import INVARIANTS, OTHERS
from robot_tool_agent_sim.evidence.episode import Episode
from robot_tool_agent_sim.evidence.goals import missed_goals
from robot_tool_agent_sim.evidence.kinds import KINDS
from robot_tool_agent_sim.evidence.plan import draw_plan
from robot_tool_agent_sim.evidence.runner import run_all
from robot_tool_agent_sim.evidence.table import document
from robot_tool_agent_sim.evidence.totals import evidence_of, Totals

# A fetch task with a moved object, a killed process, and messages that are dropped.
SEEDS = (5, 31, 26)
DIGEST = """
import sys
from robot_tool_agent_sim.evidence.episode import Episode
from robot_tool_agent_sim.evidence.plan import draw_plan
print(*(Episode(draw_plan(int(seed))).run().digest for seed in sys.argv[1:]))
"""


def digests(seeds: tuple[int, ...]) -> list[str]:
    return [Episode(draw_plan(seed)).run().digest for seed in seeds]


def test_one_seed_replays_one_episode_in_this_process_and_in_another() -> None:
    here = digests(SEEDS)
    assert len(set(here)) == len(SEEDS)
    assert digests(SEEDS) == here
    command = [sys.executable, '-c', DIGEST, *map(str, SEEDS)]
    other = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert other.stdout.split() == here


@pytest.fixture(scope='module')
def totals() -> tuple[Totals, Totals]:
    ours, baseline = Totals(), Totals()
    for chunk in run_all(0, 40, 1):
        for pair in chunk:
            ours.add(pair.ours, pair.ours_s)
            baseline.add(pair.baseline, pair.baseline_s)
    return ours, baseline


def test_no_episode_breaks_an_invariant(totals: tuple[Totals, Totals]) -> None:
    ours, _ = totals
    assert not ours.broken()
    assert {key: ours.values[key] for key in INVARIANTS} == dict.fromkeys(INVARIANTS, 0)


def test_the_figures_have_the_promised_keys_and_meet_the_goals(totals: tuple[Totals, Totals]) -> None:
    figures = evidence_of(*totals)
    keys = {
        'episodes', 'skill_calls', 'faults_injected', 'false_success', 'missed_success', 'unknown_outcomes',
        'duplicate_motions', 'motion_while_latched', 'limit_violations', 'collisions', 'unfinished', 'nuisance_trips',
        'sim_seconds_per_second', 'task_success_rate_no_fault', 'task_success_rate_recoverable',
        'duration_ratio_no_fault',
    }
    assert keys <= figures.keys()
    assert keys <= figures['baseline'].keys()
    assert figures['episodes'] == figures['baseline']['episodes'] == 40
    assert missed_goals(figures) == []
    text = document(figures, 'by hand')
    assert f"| {figures['baseline']['false_success']} |" in text
    assert '| gripper_slips (recoverable) |' in text


def test_the_obvious_agent_breaks_what_ours_keeps(totals: tuple[Totals, Totals]) -> None:
    _, baseline = totals
    assert baseline.values['false_success'] > 0
    assert baseline.values['collisions'] > 0
    assert baseline.values['late_stops'] > 0


def test_a_goal_that_is_missed_is_named(totals: tuple[Totals, Totals]) -> None:
    figures = evidence_of(*totals)
    figures |= {'collisions': 1, 'duration_ratio_no_fault': 1.2, 'task_success_rate_recoverable': 0.5}
    figures['faults_injected'] = {'rare': 1, 'often': 5000}
    lines = missed_goals(figures)
    assert [line.split(' ')[0] for line in lines] == [
        'collisions', 'task_success_rate_recoverable', 'duration_ratio_no_fault', 'faults_injected.rare',
    ]


def test_every_kind_of_fault_has_its_turn() -> None:
    drawn = {plan.kind.name for plan in map(draw_plan, range(100)) if plan.kind is not None}
    assert drawn == {kind.name for kind in KINDS}


def test_the_document_names_every_kind_and_every_figure() -> None:
    text = (Path(__file__).parents[2] / 'docs' / 'evidence.md').read_text(encoding='utf-8')
    named = set(re.findall(r'`([a-z_]+)`', text))
    assert {kind.name for kind in KINDS} | set(INVARIANTS) | set(OTHERS) <= named


def test_without_a_fault_both_do_the_same_task_from_the_same_place() -> None:
    plan = draw_plan(10)
    ours, baseline = Episode(plan), BaselineEpisode(plan)
    assert ours.world.pose == baseline.world.pose
    assert isinstance(ours.world.pose, Pose2D)
    ends = ours.run(), baseline.run()
    assert [(end.claimed, end.reached, dict(end.values)) for end in ends] == [(True, True, {})] * 2
