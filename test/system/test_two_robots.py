"""Two robots in one graph, each in its namespace: what happens to one does not reach the other, by both truths."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

from players.start import wait_ready
import pytest
from robot_tool_agent.core.outcomes import Effect, Outcome, TaskStatus
from robot_tool_agent.core.safety_state import SafetyMode
from robot_tool_agent_sim.harness.domains import free_domain
from robot_tool_agent_sim.harness.probe import Probe
from robot_tool_agent_sim.harness.system import RunningSystem

# Eight processes at once: left to the long run.
pytestmark = pytest.mark.slow
AHEAD = '{"distance_m": 0.5}'
NAMES = ('r1', 'r2')


@pytest.fixture(scope='module')
def robots(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, tuple[RunningSystem, Probe]]]:
    """Return two running systems in one domain, with a probe in the namespace of each."""
    domain_id = free_domain()
    with ExitStack() as stack:
        made = {}
        for name in NAMES:
            home = tmp_path_factory.mktemp(name)
            system = stack.enter_context(RunningSystem(domain_id, home, ['--namespace', name]))
            probe = stack.enter_context(Probe(domain_id, name))
            wait_ready(system, probe)
            made[name] = system, probe
        yield made


@pytest.fixture
def probes(robots: dict[str, tuple[RunningSystem, Probe]]) -> tuple[Probe, Probe]:
    """Return the probes of two robots that are READY."""
    first, second = (robots[name][1] for name in NAMES)
    for probe in (first, second):
        state = probe.state()
        if state is not None and state.mode is not SafetyMode.READY:
            probe.reset_safety()
        probe.wait_state(SafetyMode.READY, 15.0)
    return first, second


def test_a_call_moves_its_own_robot(probes: tuple[Probe, Probe]) -> None:
    first, second = probes
    before = [probe.counters()['travelled_m'] for probe in probes]
    end = first.send_skill('move_relative', AHEAD, 'one-id').result(30.0).result
    assert (end.outcome, end.effect) == (Outcome.SUCCEEDED, Effect.DONE), end
    moved = [probe.counters()['travelled_m'] - start_m for probe, start_m in zip(probes, before, strict=True)]
    assert moved == [pytest.approx(0.5, abs=0.06), pytest.approx(0.0, abs=0.001)]
    # The other robot's journal does not know the id: there it is a new call.
    end = second.send_skill('move_relative', AHEAD, 'one-id').result(30.0).result
    assert (end.outcome, end.replayed) == (Outcome.SUCCEEDED, False), end


def test_a_task_uses_its_own_executor(probes: tuple[Probe, Probe]) -> None:
    first, second = probes
    before_m = first.counters()['travelled_m']
    end = second.run_task('go to the living room', timeout_s=60.0).result
    assert end.status == TaskStatus.SUCCEEDED, end
    assert first.counters()['travelled_m'] - before_m < 0.001


def test_a_stop_stops_its_own_robot(probes: tuple[Probe, Probe]) -> None:
    first, second = probes
    assert first.trip().success
    first.wait_state(SafetyMode.ESTOPPED, 5.0)
    end = second.send_skill('rotate_relative', '{"angle_rad": 0.8}').result(30.0).result
    assert end.outcome == Outcome.SUCCEEDED, end
    state = second.state()
    assert state is not None
    assert state.mode is SafetyMode.READY


def test_a_dead_executor_is_missed_by_its_own_safety_node(
    robots: dict[str, tuple[RunningSystem, Probe]], probes: tuple[Probe, Probe]
) -> None:
    first, second = probes
    robots['r1'][0].kill('executor')
    first.wait_until(lambda: (state := first.state()) is not None and state.fault == 'EXECUTOR_LOST', 5.0, 'the loss')
    state = second.state()
    assert state is not None
    assert (state.mode, state.fault) == (SafetyMode.READY, '')
