"""A running system per module."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from play import Stage
from robot_tool_agent.core.safety_state import SafetyMode
from robot_tool_agent_sim.harness.domains import free_domain
from robot_tool_agent_sim.harness.probe import Probe
from robot_tool_agent_sim.harness.system import READY_LINE, RunningSystem
from scenarios import WORLD

WORLD_FILE = Path(__file__).resolve().parents[1] / WORLD
READY_TIMEOUT_S = 45.0
System = tuple[RunningSystem, Stage]


@contextmanager
def running(home: Path) -> Iterator[System]:
    """Start a system on a domain of its own, wait until it is ready, end it."""
    domain_id = free_domain()
    with RunningSystem(domain_id, home, ['--world', str(WORLD_FILE)]) as system, Probe(domain_id) as probe:
        wait_ready(system, probe)
        yield system, Stage(probe, lambda name: _kill(system, name), system.journal_path)


def wait_ready(system: RunningSystem, probe: Probe) -> None:
    """Wait until the system can take calls.

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


def _kill(system: RunningSystem, name: str) -> None:
    system.kill(name)


@pytest.fixture(scope='module')
def system(tmp_path_factory: pytest.TempPathFactory) -> Iterator[System]:
    """Return one running system for all tests of a module."""
    with running(tmp_path_factory.mktemp('ros_home')) as started:
        yield started


@pytest.fixture(autouse=True)
def _last_lines(request: pytest.FixtureRequest) -> Iterator[None]:
    """Play nothing on a system that has ended; show what it said last in the report of a test that fails."""
    if 'system' not in request.fixturenames:
        yield
        return
    running, _ = request.getfixturevalue('system')
    assert running.exit_code is None, running.tail()
    yield
    print(running.tail())


@pytest.fixture
def start(tmp_path: Path) -> Callable[[], object]:
    """Return a function that starts a system for one test."""
    return lambda: running(tmp_path)
