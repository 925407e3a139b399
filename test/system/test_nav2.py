"""navigate_to through Nav2's action on real processes: a stand-in steers, the gate stays in the path, sensors judge."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
import subprocess
import sys

from players.start import wait_ready
import pytest
from robot_tool_agent.core.geometry import Point
from robot_tool_agent.core.outcomes import Effect, Outcome
from robot_tool_agent_sim.harness.domains import free_domain
from robot_tool_agent_sim.harness.fresh_start import fresh_start
from robot_tool_agent_sim.harness.goals import Goal
from robot_tool_agent_sim.harness.probe import Probe
from robot_tool_agent_sim.harness.system import RunningSystem
from sim_house import ROBOT_FILE
from stand_in_interfaces import environment_with

pytestmark = pytest.mark.slow
STAND_IN = Path(__file__).resolve().parents[1] / 'nav2_stand_in.py'
AHEAD = '{"x_m": 2.2, "y_m": 1.0, "yaw_rad": 0.0}'


@pytest.fixture(scope='module')
def environment() -> dict[str, str]:
    """Return an environment in which nav2_msgs can be imported."""
    return environment_with('nav2_msgs')


@pytest.fixture(scope='module')
def running(tmp_path_factory: pytest.TempPathFactory, environment: dict[str, str]) -> Iterator[tuple[Probe, Path]]:
    """Return the probe and the journal of a system whose robot is driven by Nav2."""
    home, domain_id = tmp_path_factory.mktemp('nav2'), free_domain()
    robot_file = home / 'robot.yaml'
    text = ROBOT_FILE.read_text(encoding='utf-8')
    robot_file.write_text(f'{text}\nnavigation: {{backend: nav2}}\n', encoding='utf-8')
    options = ['--robot', str(robot_file)]
    with (
        RunningSystem(domain_id, home, options, extra=environment) as system,
        Probe(domain_id) as probe,
    ):
        wait_ready(system, probe)
        yield probe, system.journal_path


@pytest.fixture
def probe(running: tuple[Probe, Path]) -> Probe:
    """Return the probe after a fresh start."""
    fresh_start(*running)
    return running[0]


@contextmanager
def nav2(probe: Probe, environment: dict[str, str], mode: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a stand-in for Nav2; ends it by its pid."""
    remapped = ['--ros-args', '-r', 'cmd_vel:=cmd_vel_nav', '-p', f'mode:={mode}']
    process = subprocess.Popen(
        [sys.executable, str(STAND_IN), *remapped],
        env={**environment, 'ROS_DOMAIN_ID': str(probe.domain_id), 'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST'},
    )
    try:
        probe.wait_until(lambda: probe.publishers_of('cmd_vel_nav'), 20.0, 'the stand-in for Nav2')
        yield process
    finally:
        process.kill()
        process.wait(10.0)
        probe.wait_until(lambda: not probe.publishers_of('cmd_vel_nav'), 30.0, 'the stand-in is gone')


def navigate(probe: Probe) -> Goal:
    """Send the goal, again while the executor has not yet found the stand-in, and return it once it runs or ended."""
    found: list[Goal] = []

    def taken() -> bool:
        goal = probe.send_skill('navigate_to', AHEAD)
        probe.wait_until(lambda: goal.done or any(item.phase == 'running' for item in goal.feedback), 10.0, 'a start')
        if goal.done and goal.result(1.0).result.error_code == 'PRECONDITION_FAILED':
            return False
        found.append(goal)
        return True

    probe.wait_until(taken, 30.0, 'a goal that Nav2 takes')
    return found[0]


def x_m(probe: Probe) -> float:
    """Return how far along x the robot truly is."""
    return probe.true_pose().x_m


def test_it_arrives_and_sensors_prove_it(probe: Probe, environment: dict[str, str]) -> None:
    with nav2(probe, environment, 'honest'):
        end = navigate(probe).result(60.0).result
    assert (end.outcome, end.effect) == (Outcome.SUCCEEDED, Effect.DONE), end
    assert probe.true_pose().distance_to(Point(2.2, 1.0)) < 0.12
    assert probe.publishers_of('cmd_vel') == ['safety']


def test_a_success_it_only_claims_is_none(probe: Probe, environment: dict[str, str]) -> None:
    with nav2(probe, environment, 'lies'):
        end = navigate(probe).result(60.0).result
    assert (end.outcome, end.effect, end.error_code) == (Outcome.FAILED, Effect.PARTIAL, 'VERIFICATION_FAILED'), end
    assert end.attempts == 2


def test_it_gives_up(probe: Probe, environment: dict[str, str]) -> None:
    with nav2(probe, environment, 'aborts'):
        end = navigate(probe).result(60.0).result
    assert (end.outcome, end.effect, end.error_code) == (Outcome.FAILED, Effect.PARTIAL, 'EXECUTION_ERROR'), end
    assert 'the way is blocked' in end.message


def test_it_refuses_or_is_not_there(probe: Probe, environment: dict[str, str]) -> None:
    end = probe.send_skill('navigate_to', AHEAD).result(30.0).result
    assert (end.outcome, end.error_code) == (Outcome.REJECTED, 'PRECONDITION_FAILED'), end
    with nav2(probe, environment, 'refuses'):
        end = navigate(probe).result(30.0).result
    assert (end.outcome, end.effect) == (Outcome.FAILED, Effect.NONE), end
    assert x_m(probe) == pytest.approx(1.0, abs=0.01)


def test_a_cancel_stops_both(probe: Probe, environment: dict[str, str]) -> None:
    with nav2(probe, environment, 'honest'):
        goal = navigate(probe)
        probe.wait_until(lambda: x_m(probe) > 1.2, 20.0, 'under way')
        goal.cancel()
        end = goal.result(20.0).result
        assert (end.outcome, end.effect) == (Outcome.CANCELED, Effect.PARTIAL), end
        before_m = probe.counters()['travelled_m']
        again = probe.send_skill('wait', '{"duration_s": 1.5}').result(20.0).result
        assert again.outcome == Outcome.SUCCEEDED
        assert probe.counters()['travelled_m'] - before_m < 0.01


def test_its_death_on_the_way_ends_the_motion(probe: Probe, environment: dict[str, str]) -> None:
    with nav2(probe, environment, 'honest') as process:
        goal = navigate(probe)
        probe.wait_until(lambda: x_m(probe) > 1.2, 20.0, 'under way')
        process.kill()
        probe.wait_until(lambda: probe.true_speed() < 0.01, 3.0, 'standstill')
        assert x_m(probe) < 2.0
        end = goal.result(100.0).result
    assert (end.outcome, end.effect) == (Outcome.FAILED, Effect.PARTIAL), end
