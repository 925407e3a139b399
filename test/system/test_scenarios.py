"""The table of scenarios on real processes, judged by ground truth."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

from players.play import play
from players.start import running, System
import pytest
from robot_tool_agent_sim.harness.system import RunningSystem
from scenario_setups import SetUp
from scenario_types import Scenario
from scenarios import in_order

CASES = [
    pytest.param(scenario, id=scenario.name, marks=() if scenario.quick else (pytest.mark.slow,))
    for scenario in in_order()
]
Playing = Callable[[SetUp], System]
# Of the short run, `rta up` itself counted.
MOST_LAUNCHES = 25


@pytest.fixture(scope='module')
def on_stage(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Playing]:
    """Return a function that gives the running system of a set-up. Rows come set-up by set-up: one runs at a time."""
    now: list[System] = []
    started: list[RunningSystem] = []
    with ExitStack() as stack:

        def on_stage(set_up: SetUp) -> System:
            if not now or now[0][1].set_up != set_up or set_up.single_use:
                stack.close()
                now[:] = [stack.enter_context(running(tmp_path_factory.mktemp('ros_home'), set_up))]
                started.append(now[0][0])
            return now[0]

        yield on_stage
    if all(not item.get_closest_marker('slow') for item in request.session.items):
        assert sum(system.launches for system in started) <= MOST_LAUNCHES


@pytest.mark.parametrize('scenario', CASES)
def test_scenario(on_stage: Playing, scenario: Scenario) -> None:
    system, stage = on_stage(scenario.set_up)
    assert system.exit_code is None, system.tail()
    try:
        play(stage, scenario)
    finally:
        print(system.tail())
