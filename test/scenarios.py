"""
The one table of failure scenarios. Real processes (test/system) and launch_testing (test/launch) both play it.

Every file in test/scenario_rows is a group and holds its rows as SCENARIOS. Every row begins with the robot at rest at
the spawn pose of its set-up's world.
"""

from __future__ import annotations

import importlib
from pathlib import Path

from scenario_setups import SET_UPS, SetUp
from scenario_types import Scenario

GROUPS = tuple(sorted(path.stem for path in (Path(__file__).parent / 'scenario_rows').glob('*.py')))
SCENARIOS: tuple[Scenario, ...] = tuple(
    scenario for group in GROUPS for scenario in importlib.import_module(f'scenario_rows.{group}').SCENARIOS
)


def rows_of(set_up: SetUp) -> tuple[Scenario, ...]:
    """Return the rows that share one running system."""
    return tuple(scenario for scenario in SCENARIOS if scenario.set_up == set_up)


def in_order() -> tuple[Scenario, ...]:
    """Return all rows, set-up by set-up."""
    return tuple(scenario for set_up in SET_UPS for scenario in rows_of(set_up))
