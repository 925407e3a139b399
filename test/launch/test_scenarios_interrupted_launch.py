"""The rows that end the system: each starts it with `ros2 launch` and sends that SIGINT."""

from __future__ import annotations

from pathlib import Path

from players.play import play
from players.stage import Stage
from players.start import launch_options, TEST
import pytest
from robot_tool_agent.core.safety_state import SafetyMode
from robot_tool_agent_sim.harness.domains import free_domain
from robot_tool_agent_sim.harness.probe import Probe
from robot_tool_agent_sim.harness.system import RunningSystem
from scenario_setups import INTERRUPTED
from scenario_types import Scenario
from scenarios import rows_of

COMMAND = ('ros2', 'launch', str(TEST.parent / 'launch' / 'agent.launch.py'))
READY_TIMEOUT_S = 45.0


@pytest.mark.parametrize('scenario', rows_of(INTERRUPTED), ids=lambda row: row.name)
def test_scenario(tmp_path: Path, scenario: Scenario) -> None:
    domain_id = free_domain()
    options = launch_options(tmp_path, INTERRUPTED).items()
    words = [f'{name.replace("-", "_")}:={value}' for name, value in options]
    with RunningSystem(domain_id, tmp_path, words, COMMAND) as system, Probe(domain_id) as probe:
        probe.wait_state(SafetyMode.READY, READY_TIMEOUT_S)
        play(stage_of(system, probe), scenario)


def stage_of(system: RunningSystem, probe: Probe) -> Stage:
    return Stage(probe, system.kill, system.stop, system.home, system.domain_id, INTERRUPTED)
