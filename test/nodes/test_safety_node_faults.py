"""The safety node as a real process: faults that only a real graph, clock or queue can show, and diagnostics."""

from __future__ import annotations

from collections.abc import Iterator
import math
import os
import signal
import time
from typing import Any

from builtin_interfaces.msg import Time
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from geometry_msgs.msg import Twist
import pytest
from robot_tool_agent.nodes.qos import COMMAND
from robot_tool_agent.nodes.stall_guard import StallGuard
from robot_tool_agent_interfaces.msg import Heartbeat, SafetyState
from robot_tool_agent_sim.harness.ranges import open_ranges
from robot_tool_agent_sim.harness.stand_ins import scan_message
from rosgraph_msgs.msg import Clock
from safety_process import Bench, safety_process

SHARED_DOMAIN, CLOCK_DOMAIN, OFF_DOMAIN = 36, 37, 38
DEADLINE_S = 5.0


@pytest.fixture(scope='module')
def shared() -> Iterator[tuple[Bench, int]]:
    with safety_process(SHARED_DOMAIN) as process:
        bench = Bench(SHARED_DOMAIN)
        try:
            yield bench, process.pid
        finally:
            bench.close()


@pytest.fixture
def bench(shared: tuple[Bench, int]) -> Bench:
    """Return the shared system in READY with a robot that stands."""
    bench = shared[0]
    bench.robot.silent.clear()
    bench.executor.command = None
    bench.until_state(SafetyState.READY, SafetyState.SAFE, SafetyState.HOLDING, SafetyState.ESTOPPED)
    bench.probe.until(lambda: bench.state == SafetyState.READY or bench.states[-1].resettable)
    assert bench.reset().success
    bench.until_state(SafetyState.READY)
    bench.probe.until(lambda: bench.speed_mps == 0.0)
    return bench


def statuses(bench: Bench, wanted: Any) -> dict[str, DiagnosticStatus]:
    """Return the statuses of the first array on /diagnostics that is as wanted."""
    heard: list[DiagnosticArray] = []
    subscription = bench.probe.node.create_subscription(DiagnosticArray, '/diagnostics', heard.append, 10)
    try:
        bench.probe.until(lambda: heard and wanted(by_name(heard[-1])), DEADLINE_S)
        return by_name(heard[-1])
    finally:
        bench.probe.node.destroy_subscription(subscription)


def by_name(message: DiagnosticArray) -> dict[str, DiagnosticStatus]:
    return {status.name.removeprefix('safety: '): status for status in message.status}


def values(status: DiagnosticStatus) -> dict[str, str]:
    return {item.key: item.value for item in status.values}


def test_diagnostics_tell_state_inputs_and_counters(bench: Bench):
    bench.cruise(0.2)
    found = statuses(bench, lambda by: 'accepted' in values(by['gate']))
    assert set(found) == {'state', 'input odom', 'input scan', 'input bumper', 'input executor', 'gate'}
    assert (found['state'].level, found['state'].message) == (DiagnosticStatus.OK, 'READY')
    assert found['state'].hardware_id == '/safety'
    odom = values(found['input odom'])
    assert 0.0 <= float(odom['age_s']) < float(odom['limit_s']) == 0.25
    bench.executor.command = None
    bench.robot.silent.add('odom')
    found = statuses(bench, lambda by: by['state'].message == 'HOLDING: ODOM_STALE')
    assert found['state'].level == DiagnosticStatus.ERROR
    assert found['input odom'].level == DiagnosticStatus.STALE
    assert float(values(found['input odom'])['age_s']) > 0.25
    assert found['input scan'].level == DiagnosticStatus.OK


def test_another_publisher_of_cmd_vel_holds_the_robot_until_it_ends(bench: Bench):
    rival = bench.probe.node.create_publisher(Twist, 'cmd_vel', 10)
    try:
        bench.until_state(SafetyState.HOLDING, limit_s=6.0)
        assert bench.states[-1].fault == 'RIVAL_PUBLISHER'
        assert '/probe on cmd_vel' in bench.states[-1].detail
        assert not bench.reset().success
    finally:
        bench.probe.node.destroy_publisher(rival)
    bench.probe.until(lambda: bench.states[-1].resettable, DEADLINE_S)


def test_a_scan_of_a_foreign_frame_is_refused_by_name(bench: Bench):
    bench.robot.silent.add('scan')
    publisher = bench.robot.scans

    def publish() -> None:
        message = scan_message(open_ranges(), bench.probe.node.get_clock().now().to_msg())
        message.header.frame_id = 'kitchen'
        publisher.publish(message)

    timer = bench.probe.node.create_timer(0.05, publish)
    try:
        bench.until_state(SafetyState.HOLDING, limit_s=4.0)
        assert bench.states[-1].fault == 'SCAN_STALE'
        assert "'kitchen', not 'base_scan'" in bench.states[-1].detail
    finally:
        bench.probe.node.destroy_timer(timer)


def test_a_kilohertz_of_commands_does_not_slow_the_gate(bench: Bench):
    timer = bench.probe.node.create_timer(0.001, lambda: bench.executor.send(bench.command(0.2)))
    try:
        bench.probe.until(lambda: bench.speed_mps == 0.2, DEADLINE_S)
        bench.velocities.clear()
        began_s = time.monotonic()
        bench.probe.until(lambda: len(bench.velocities) >= 60, DEADLINE_S)
        assert 60 / (time.monotonic() - began_s) > 35.0
        assert bench.state == SafetyState.READY
    finally:
        bench.probe.node.destroy_timer(timer)


def test_commands_that_waited_behind_a_suspended_node_move_nothing(shared: tuple[Bench, int], bench: Bench):
    pid = shared[1]
    bench.probe.until(lambda: bench.speed_mps == 0.0)
    os.kill(pid, signal.SIGSTOP)
    try:
        bench.probe.listen(1.0)
        for _ in range(10):
            bench.executor.send(bench.command(0.4, 'stale'))
        bench.probe.listen(0.3)
    finally:
        bench.velocities.clear()
        os.kill(pid, signal.SIGCONT)
    bench.probe.until(lambda: len(bench.velocities) >= 30, DEADLINE_S)
    assert all(message.linear.x == 0.0 for _, message in bench.velocities)
    statuses(bench, lambda by: {'waited', 'not_ready'} & set(values(by['gate'])))


def test_a_planner_that_falls_silent_is_told(bench: Bench):
    publisher = bench.probe.node.create_publisher(Heartbeat, 'heartbeat', COMMAND)
    try:
        bench.probe.until(lambda: publisher.get_subscription_count() > 0, DEADLINE_S)
        publisher.publish(Heartbeat(node='planner', boot_id=1, sequence=1))
        bench.probe.until(lambda: 'PLANNER_LOST' in bench.states[-1].detail, DEADLINE_S)
        assert bench.state == SafetyState.READY
        publisher.publish(Heartbeat(node='planner', boot_id=1, sequence=2))
        bench.probe.until(lambda: 'PLANNER_LOST' not in bench.states[-1].detail, DEADLINE_S)
    finally:
        bench.probe.node.destroy_publisher(publisher)


def test_an_impossible_time_is_no_news_a_frozen_clock_holds_and_a_running_one_makes_it_ready_again():
    with safety_process(CLOCK_DOMAIN, '-p', 'use_sim_time:=true'):
        bench = Bench(CLOCK_DOMAIN)
        try:
            _freeze_and_thaw(bench)
        finally:
            bench.close()


def _freeze_and_thaw(bench: Bench) -> None:
    publisher = bench.probe.node.create_publisher(Clock, '/clock', 10)
    began_s = time.monotonic()
    frozen = [False]

    def publish() -> None:
        if not frozen[0]:
            part, whole = math.modf(100.0 + time.monotonic() - began_s)
            publisher.publish(Clock(clock=Time(sec=int(whole), nanosec=int(part * 1e9))))

    bench.probe.node.create_timer(0.02, publish)
    bench.until_state(SafetyState.READY)
    for _ in range(5):
        publisher.publish(Clock(clock=Time(sec=-1)))
    bench.states.clear()
    bench.probe.until(lambda: len(bench.states) >= 10)
    assert {state.state for state in bench.states} == {SafetyState.READY}
    epoch = bench.states[-1].epoch
    frozen[0] = True
    bench.until_state(SafetyState.HOLDING, limit_s=4.0)
    assert bench.states[-1].fault == 'CLOCK_FROZEN'
    assert not bench.states[-1].resettable
    frozen[0] = False
    bench.until_state(SafetyState.READY, limit_s=6.0)
    assert bench.states[-1].epoch == epoch + 2


def test_switched_off_checks_are_shouted_in_the_log_and_in_the_state():
    with safety_process(OFF_DOMAIN, '-p', 'disabled_faults:=[TILT, BUMPER_CONTACT]') as process:
        bench = Bench(OFF_DOMAIN)
        try:
            bench.until_state(SafetyState.READY)
            bench.robot.pressed = True
            bench.probe.listen(0.3)
            assert bench.state == SafetyState.READY
            assert all('SWITCHED OFF: TILT, BUMPER_CONTACT' in state.detail for state in bench.states)
            process.send_signal(signal.SIGTERM)
            bench.probe.until(lambda: process.poll() is not None, DEADLINE_S)
        finally:
            bench.close()
        assert process.returncode == 0
        assert process.stdout is not None
        errors = [line for line in process.stdout.read().splitlines() if '[ERROR]' in line]
    assert any('SWITCHED OFF: TILT, BUMPER_CONTACT' in line for line in errors)


def test_a_guard_that_was_stopped_stays_quiet_and_may_be_stopped_again():
    fired: list[bool] = []
    guard = StallGuard(lambda: fired.append(True), wake_period_s=0.01)
    guard.start()
    guard.stop()
    guard.stop()
    assert not guard._thread.is_alive()
    assert fired == []
