"""Starts the system of a set-up as processes of its own, and ends it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
import json
from pathlib import Path
import sys

from players.stage import Stage
from rehearsal.cast import VARIABLE
from robot_tool_agent.core.safety_state import SafetyMode
from robot_tool_agent.share_files import find_config
from robot_tool_agent_sim.harness.domains import free_domain
from robot_tool_agent_sim.harness.probe import Probe
from robot_tool_agent_sim.harness.system import READY_LINE, RunningSystem, UP
from scenario_setups import HOUSE, SetUp

TEST = Path(__file__).resolve().parents[1]
READY_TIMEOUT_S = 45.0
REHEARSAL_UP = (sys.executable, '-m', 'rehearsal.up', 'up')
System = tuple[RunningSystem, Stage]


@contextmanager
def running(home: Path, set_up: SetUp = HOUSE) -> Iterator[System]:
    """Start a system on a domain of its own, wait until it is ready, end it."""
    domain_id = free_domain()
    home.mkdir(parents=True, exist_ok=True)
    command = REHEARSAL_UP if set_up.cast else UP
    options = [word for name, value in launch_options(home, set_up).items() for word in (f'--{name}', value)]
    with (
        RunningSystem(domain_id, home, options, command, environment(set_up)) as system,
        Probe(domain_id) as probe,
    ):
        wait_ready(system, probe)
        yield system, Stage(probe, system.kill, system.stop, system.home, domain_id, set_up)


def launch_options(home: Path, set_up: SetUp) -> dict[str, str]:
    """Return the options of `rta up`, which are the arguments of the launch file, and write the file they name."""
    params_file = home / 'scenario_parameters.json'
    content = {f'/**/{node}': {'ros__parameters': dict(values)} for node, values in set_up.parameters.items()}
    # JSON is YAML, so rcl reads it.
    params_file.write_text(json.dumps(content), encoding='utf-8')
    return {
        'robot': _robot(home, set_up),
        'world': str(TEST / set_up.world),
        'params-file': str(params_file),
    }


def _robot(home: Path, set_up: SetUp) -> str:
    """Return the robot of a set-up: its name, or the path of a file in which the changes are made."""
    if not set_up.robot_changes:
        return set_up.robot
    text = find_config(set_up.robot, 'robots').read_text(encoding='utf-8')
    for old, new in set_up.robot_changes:
        assert old in text, old
        text = text.replace(old, new)
    changed = home / f'{set_up.name}_robot.yaml'
    changed.write_text(text, encoding='utf-8')
    return str(changed)


def environment(set_up: SetUp) -> dict[str, str]:
    """Return what the nodes of a rehearsal must find in their environment."""
    return {VARIABLE: ','.join(set_up.cast), 'PYTHONPATH': str(TEST)} if set_up.cast else {}


def wait_ready(system: RunningSystem, probe: Probe) -> None:
    """
    Wait until the system can take calls.

    While all processes start at once on a busy machine, odometry can fall silent for longer than the robot may be
    blind. The safety node then holds, as it should, until a person resets it: here that is the probe.
    """

    def ready() -> bool:
        state = probe.state()
        if state is not None and state.mode is SafetyMode.HOLDING and state.resettable:
            probe.reset_safety()
        return READY_LINE in system.lines or system.exit_code is not None

    probe.wait_until(ready, READY_TIMEOUT_S, f'{READY_LINE}; {probe.state()}')
    assert system.exit_code is None, system.tail()
