"""The figures of the README are those of the recorded runs, and those runs kept what is promised."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from readme_tables import README
from robot_tool_agent.core.safety.config import SafetyConfig
from robot_tool_agent_sim.bench import table as bench_table
from robot_tool_agent_sim.bench.goals import goals_of
from robot_tool_agent_sim.circumstances import sentence
from robot_tool_agent_sim.evidence import table as evidence_table
from robot_tool_agent_sim.evidence.goals import missed_goals

RESULTS = Path(README).parent / 'docs' / 'results'
EVIDENCE_COMMAND, BENCH_COMMAND = 'make evidence EPISODES=10000', 'make bench'
LEAST_EPISODES = 10_000


def recorded(name: str) -> dict[str, Any]:
    figures: dict[str, Any] = json.loads((RESULTS / f'{name}.json').read_text(encoding='utf-8'))
    return figures


def block(name: str) -> str:
    text = Path(README).read_text(encoding='utf-8')
    return text.partition(f'<!-- {name} begin -->\n')[2].partition(f'<!-- {name} end -->')[0]


def bench_goals() -> str:
    return bench_table.goals_table(goals_of(recorded('bench'), 1e3 / SafetyConfig().gate_rate_hz))


@pytest.mark.parametrize(
    ('name', 'command', 'table'),
    [
        ('evidence', EVIDENCE_COMMAND, lambda: evidence_table.summary(recorded('evidence'))),
        ('bench', BENCH_COMMAND, bench_goals),
    ],
)
def test_the_readme_shows_the_recorded_run(name: str, command: str, table: Any) -> None:
    assert block(name) == f'{sentence(command, recorded(name))}\n\n{table()}'


def test_the_recorded_episodes_are_many_and_broke_nothing() -> None:
    figures = recorded('evidence')
    assert figures['episodes'] >= LEAST_EPISODES
    assert missed_goals(figures) == []
    assert figures['baseline']['false_success'] > 0


def test_the_recorded_bench_was_a_full_one() -> None:
    assert recorded('bench')['quick'] is False


@pytest.mark.parametrize('name', ['evidence', 'bench'])
def test_the_whole_documents_are_of_the_same_runs(name: str) -> None:
    command = EVIDENCE_COMMAND if name == 'evidence' else BENCH_COMMAND
    assert sentence(command, recorded(name)) in (RESULTS / f'{name}.md').read_text(encoding='utf-8')
