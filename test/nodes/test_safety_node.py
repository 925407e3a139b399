"""The safety node as a real process: the stream of commands, faults, services, exit codes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
import math
from pathlib import Path
import signal
import subprocess
import threading
import time

from geometry_msgs.msg import TwistStamped
import pytest
from robot_tool_agent.core.safety.config import SafetyConfig
from robot_tool_agent.nodes.qos import LATCHED
from robot_tool_agent.nodes.stall_guard import StallGuard
from robot_tool_agent_interfaces.msg import SafetyState
from robot_tool_agent_sim.harness.stand_ins import StandInExecutor, velocity_command
from safety_process import Bench, PARAMETERS, safety_process
from sim_house import ROBOT_FILE
from sim_process import KINDS, Probe, simulator
from std_msgs.msg import Bool

SHARED_DOMAIN, ENDING_DOMAIN, BAD_DOMAIN, RESTART_DOMAIN, SIM_DOMAIN, STAMPED_DOMAIN = range(30, 36)
EARLIER_NS = 10**11


@pytest.fixture(scope='module')
def shared() -> Iterator[Bench]:
    with safety_process(SHARED_DOMAIN):
        bench = Bench(SHARED_DOMAIN)
        try:
            yield bench
        finally:
            bench.close()


@pytest.fixture
def bench(shared: Bench) -> Bench:
    """Return the shared system in READY with a robot that stands and sensors that speak."""
    shared.robot.silent.clear()
    shared.robot.pressed = False
    shared.executor.beating, shared.executor.command = True, None
    shared.until_state(SafetyState.READY, SafetyState.SAFE, SafetyState.HOLDING, SafetyState.ESTOPPED)
    shared.probe.until(lambda: shared.state == SafetyState.READY or shared.states[-1].resettable)
    assert shared.reset().success
    shared.until_state(SafetyState.READY)
    shared.probe.until(lambda: shared.speed_mps == 0.0)
    return shared


def test_zeros_go_out_at_the_gate_rate(bench: Bench):
    bench.velocities.clear()
    began_s = time.monotonic()
    bench.probe.until(lambda: len(bench.velocities) >= 100)
    assert 40.0 < 100 / (time.monotonic() - began_s) < 60.0
    assert all(message.linear.x == 0.0 == message.angular.z for _, message in bench.velocities)


def test_the_state_is_told_at_ten_hertz(bench: Bench):
    bench.states.clear()
    began_s = time.monotonic()
    bench.probe.until(lambda: len(bench.states) >= 20)
    assert 7.0 < 20 / (time.monotonic() - began_s) < 13.0
    assert all(state.motion_allowed and state.fault == '' for state in bench.states)


def test_a_command_passes_with_bounded_acceleration_and_stops_when_it_is_not_repeated(bench: Bench):
    bench.cruise(0.3)
    speeds = [message.linear.x for _, message in bench.velocities]
    rises = [after - before for before, after in pairwise(speeds)]
    assert max(rises) <= 0.8 * 0.04 + 1e-9
    bench.executor.command = None
    bench.probe.until(lambda: bench.speed_mps == 0.0, limit_s=2.0)
    assert bench.state == SafetyState.READY


@pytest.mark.parametrize('offset', [-1, 1])
def test_a_command_of_another_epoch_moves_nothing(bench: Bench, offset: int):
    bench.executor.command = bench.command(0.3, epoch=bench.states[-1].epoch + offset)
    bench.velocities.clear()
    bench.probe.until(lambda: len(bench.velocities) >= 25)
    assert all(message.linear.x == 0.0 for _, message in bench.velocities)


@pytest.mark.parametrize(('topic', 'fault'), [('odom', 'ODOM_STALE'), ('scan', 'SCAN_STALE')])
def test_a_silent_sensor_brakes_the_robot_and_holds(bench: Bench, topic: str, fault: str):
    bench.cruise(0.3)
    began_s = time.monotonic()
    bench.robot.silent.add(topic)
    bench.probe.until(lambda: bench.speed_mps == 0.0, limit_s=3.0)
    assert bench.velocities[-1][0] - began_s < 1.0
    bench.until_state(SafetyState.HOLDING, limit_s=4.0)
    assert bench.states[-1].fault == fault
    assert not bench.reset().success
    bench.robot.silent.clear()
    bench.probe.until(lambda: bench.states[-1].resettable, limit_s=2.0)


def test_an_operator_stop_is_zero_at_once_and_a_named_reset_starts_anew(bench: Bench):
    bench.cruise(0.3)
    epoch = bench.states[-1].epoch
    bench.velocities.clear()
    assert bench.trip('OPERATOR_STOP').success
    bench.until_state(SafetyState.ESTOPPED, limit_s=1.0)
    bench.probe.until(lambda: bench.speed_mps == 0.0, limit_s=0.5)
    assert {message.linear.x for _, message in bench.velocities} <= {0.3, 0.0}, 'no slope'
    bench.probe.until(lambda: bench.states[-1].resettable, limit_s=2.0)
    assert not bench.reset('').success
    assert bench.reset('Ada').success
    bench.until_state(SafetyState.READY)
    bench.velocities.clear()
    bench.probe.until(lambda: len(bench.velocities) >= 25)
    assert bench.states[-1].epoch == epoch + 2
    assert all(message.linear.x == 0.0 for _, message in bench.velocities), 'the old command is still repeated'
    assert bench.reset('Ada').message == 'nothing to reset'


def test_a_bumper_and_a_command_that_is_no_number_stop_without_waiting_for_the_period(bench: Bench):
    bench.cruise(0.3)
    bench.robot.silent.add('bumper')
    bench.robot.bumps.publish(Bool(data=True))
    bench.until_state(SafetyState.STOPPING, SafetyState.HOLDING, limit_s=1.0)
    assert bench.states[-1].fault == 'BUMPER_CONTACT'
    bench.probe.until(lambda: bench.speed_mps == 0.0, limit_s=0.5)
    bench.robot.silent.clear()
    bench.until_state(SafetyState.HOLDING, limit_s=3.0)
    bench.probe.until(lambda: bench.states[-1].resettable, limit_s=2.0)
    assert bench.reset().success
    bench.cruise(0.3, 'again')
    bench.executor.command = bench.command(math.nan, 'again')
    bench.until_state(SafetyState.HOLDING, limit_s=3.0)
    assert bench.states[-1].fault == 'COMMAND_INVALID'
    assert all(math.isfinite(message.linear.x) for _, message in bench.velocities)


def test_a_lost_executor_parks_the_robot(bench: Bench):
    bench.cruise(0.3)
    bench.probe.listen(1.0)
    bench.executor.beating = False
    bench.executor.command = None
    bench.until_state(SafetyState.RETREATING, limit_s=3.0)
    bench.until_state(SafetyState.SAFE, limit_s=40.0)
    assert bench.states[-1].fault == 'EXECUTOR_LOST'
    assert math.hypot(bench.robot.pose.x_m, bench.robot.pose.y_m) < 0.1, 'the dock, where it came from'


def test_a_trip_is_answered_and_an_ended_epoch_has_no_effect(bench: Bench):
    answer = bench.trip('SKILL_FAILED', epoch=bench.states[-1].epoch - 1)
    assert not answer.success
    assert 'OPERATOR_STOP' in bench.trip('nonsense').message
    assert bench.state == SafetyState.READY


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_moving_robot_with_zero_and_exit_code_0(number: signal.Signals):
    with safety_process(ENDING_DOMAIN) as process:
        bench = Bench(ENDING_DOMAIN)
        try:
            bench.cruise(0.3)
            began_s = time.monotonic()
            process.send_signal(number)
            bench.probe.until(lambda: process.poll() is not None, limit_s=3.0)
            assert process.returncode == 0
            assert time.monotonic() - began_s < 2.0
            bench.probe.listen(0.2)
            assert bench.speed_mps == 0.0
            assert bench.velocities[-1][0] > began_s
        finally:
            bench.close()


def run_to_end(*arguments: str, robot: Path = ROBOT_FILE) -> tuple[int, str]:
    with safety_process(BAD_DOMAIN, *arguments, robot=robot) as process:
        output, _ = process.communicate(timeout=20.0)
        return process.returncode, output


def test_every_bad_parameter_is_named_and_the_exit_code_is_2():
    code, output = run_to_end('-p', 'settle_s:=9.0', '-p', 'on_skill_failed:=dance', '-p', 'command_timeout_s:=0.0')
    assert code == 2
    assert all(name in output for name in ('settle_s', 'on_skill_failed', 'command_timeout_s'))


def test_a_bad_robot_file_ends_with_2(tmp_path: Path):
    code, output = run_to_end(robot=tmp_path / 'missing.yaml')
    assert code == 2
    assert 'missing.yaml' in output
    bad = tmp_path / 'bad.yaml'
    bad.write_text(ROBOT_FILE.read_text().replace('max_speed_mps: 0.5', 'max_speed_mps: 50.0'), encoding='utf-8')
    code, output = run_to_end(robot=bad)
    assert code == 2
    assert 'limits.max_speed_mps' in output


def test_a_restart_under_a_running_executor_starts_in_holding():
    with safety_process(RESTART_DOMAIN):
        bench = Bench(RESTART_DOMAIN, boot_id=time.time_ns() - EARLIER_NS, sequence=900)
        try:
            bench.until_state(SafetyState.HOLDING)
            assert bench.states[-1].fault == 'SAFETY_RESTARTED'
            assert SafetyState.READY not in [state.state for state in bench.states]
            bench.probe.until(lambda: bench.states[-1].resettable)
            assert bench.reset().success
            bench.until_state(SafetyState.READY)
        finally:
            bench.close()


def test_stamped_velocities_carry_frame_and_stamp():
    with safety_process(STAMPED_DOMAIN, '-p', 'cmd_vel_stamped:=true'):
        probe = Probe(STAMPED_DOMAIN, kinds={'cmd_vel': TwistStamped})
        try:
            message = probe.fresh('cmd_vel')
            assert message.header.frame_id == 'base_link'
            assert message.header.stamp.sec > 0
        finally:
            probe.close()


def test_the_file_of_parameters_lists_every_parameter_with_its_default():
    text = PARAMETERS.read_text(encoding='utf-8')
    for name, value in SafetyConfig().model_dump().items():
        assert f'    {name}: {value} ' in text or (name == 'disabled_faults' and '# disabled_faults:' in text)


def test_a_loop_that_turns_is_left_alone_and_one_that_stalls_is_ended():
    stalled = threading.Event()
    guard = StallGuard(stalled.set, wake_period_s=0.02)
    guard.start()
    deadline_s = time.monotonic() + 0.6
    while time.monotonic() < deadline_s:
        guard.beat()
        assert not stalled.wait(0.005)
    assert stalled.wait(5.0)
    guard.stop()


def test_with_the_simulated_robot_a_killed_safety_node_leaves_it_standing_within_a_second():
    with simulator(SIM_DOMAIN), safety_process(SIM_DOMAIN) as process:
        probe = Probe(SIM_DOMAIN, kinds={'sim/ground_truth': KINDS['sim/ground_truth']})
        try:
            _drive_then_kill(probe, process)
        finally:
            probe.close()


def _drive_then_kill(probe: Probe, process: subprocess.Popen[str]) -> None:
    states: list[SafetyState] = []
    probe.node.create_subscription(SafetyState, 'safety_state', states.append, LATCHED)
    executor = StandInExecutor(probe.node)
    probe.until(lambda: states and states[-1].state == SafetyState.READY)
    executor.command = velocity_command(0.3, states[-1].epoch)
    truth = probe.heard['sim/ground_truth']
    probe.until(lambda: truth and truth[-1].twist.twist.linear.x > 0.28)
    process.kill()
    killed_s = time.monotonic()
    probe.until(lambda: abs(truth[-1].twist.twist.linear.x) < 0.01, limit_s=3.0)
    assert time.monotonic() - killed_s < 1.0
