"""The table of scenarios on real processes, judged by ground truth."""

from __future__ import annotations

import pytest

from play import Stage, play
from robot_tool_agent_sim.harness.system import RunningSystem
from scenarios import SCENARIOS, Scenario

# Left to the long run: what another row shows in less time.
LONG = frozenset(
    {
        'goto_kitchen',
        'executor_killed',
        'planner_killed',
        'odom_late',
        'odom_frozen_on_goal',
        'odom_stuck_values',
        'cancel_that_wheels_ignore',
        'object_moved',
        'object_removed',
        'gripper_lies',
        'executor_killed_in_a_motion_that_nobody_can_judge',
    }
)
CASES = [
    pytest.param(scenario, id=scenario.name, marks=(pytest.mark.slow,) if scenario.name in LONG else ())
    for scenario in SCENARIOS
]


def test_the_long_ones_are_in_the_table() -> None:
    assert {scenario.name for scenario in SCENARIOS} >= LONG


@pytest.mark.parametrize('scenario', CASES)
def test_scenario(system: tuple[RunningSystem, Stage], scenario: Scenario) -> None:
    _, stage = system
    play(stage, scenario)
