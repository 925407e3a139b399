"""The table of scenarios on real processes, judged by ground truth."""

from __future__ import annotations

import pytest

from play import Stage, play
from robot_tool_agent_sim.harness.system import RunningSystem
from scenarios import SCENARIOS, Scenario


@pytest.mark.parametrize('scenario', SCENARIOS, ids=[scenario.name for scenario in SCENARIOS])
def test_scenario(system: tuple[RunningSystem, Stage], scenario: Scenario) -> None:
    _, stage = system
    play(stage, scenario)
