"""The one table of failure scenarios. Real processes (test/system) and launch_testing (test/launch) both play it.

The house is config/robots/sim_house.yaml with test/worlds/house_with_ball.yaml; every scenario begins at (1.0, 1.0).
"""

from __future__ import annotations

from scenario_rows import faults, goals, kills, lies, people, refusals
from scenario_types import Scenario
from scenario_words import SUCCEEDED, WORLD, lost, refused

__all__ = ['SCENARIOS', 'SUCCEEDED', 'WORLD', 'Scenario', 'lost', 'refused']

_GROUPS = (goals, faults, lies, people, refusals, kills)
SCENARIOS: tuple[Scenario, ...] = tuple(scenario for group in _GROUPS for scenario in group.SCENARIOS)
