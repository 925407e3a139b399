"""A robot whose odometry drifts from the map, on real processes: it still finds places, and its way to a safe pose."""

from __future__ import annotations

from collections.abc import Iterator

from players.start import wait_ready
import pytest
from robot_tool_agent.core.outcomes import Effect, Outcome
from robot_tool_agent.core.safety_state import SafetyMode
from robot_tool_agent_sim.harness.domains import free_domain
from robot_tool_agent_sim.harness.probe import Probe
from robot_tool_agent_sim.harness.system import RunningSystem
from sim_house import robot_description

pytestmark = pytest.mark.slow


@pytest.fixture(scope='module')
def drifting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RunningSystem, Probe]]:
    """Return a running system in the world `house_drift`."""
    domain_id = free_domain()
    home = tmp_path_factory.mktemp('drift')
    with RunningSystem(domain_id, home, ['--world', 'house_drift']) as system, Probe(domain_id) as probe:
        wait_ready(system, probe)
        yield system, probe


def test_places_and_a_safe_pose_are_reached(drifting: tuple[RunningSystem, Probe]) -> None:
    system, probe = drifting
    robot = robot_description()
    for place in ('living_room', 'kitchen'):
        end = probe.call_skill('navigate_to', {'place': place}, timeout_s=90.0).result
        assert (end.outcome, end.effect) == (Outcome.SUCCEEDED, Effect.DONE), end
        assert probe.true_pose().distance_to(robot.places[place].pose) < 0.12
    probe.send_skill('navigate_to', {'place': 'living_room'})
    start_m = probe.counters()['travelled_m']
    probe.wait_until(lambda: probe.counters()['travelled_m'] - start_m > 1.5, 30.0, 'under way')
    system.kill('executor')
    probe.wait_state(SafetyMode.SAFE, 60.0)
    assert min(probe.true_pose().distance_to(pose.pose) for pose in robot.safe_poses.values()) < 0.15
