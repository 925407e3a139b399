"""The simulator as a real process: topics and rates, commands, faults at run time, reset, exit codes."""

from __future__ import annotations

from collections.abc import Iterator
import json
from pathlib import Path
import signal
import time
from typing import Any

from geometry_msgs.msg import TwistStamped
from nav_msgs.msg import Odometry
import pytest
from rcl_interfaces.msg import ParameterType, ParameterValue
from robot_tool_agent.nodes.clock import seconds
from rosgraph_msgs.msg import Clock
from sim_house import ROBOT_FILE
from sim_process import KINDS, Probe, simulator
from std_msgs.msg import Bool
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint
import yaml

SHARED_DOMAIN, CLOCK_DOMAIN, EXIT_DOMAIN = 20, 21, 22
RATES_HZ = {
    'odom': 50.0,
    'global_pose': 10.0,
    'scan': 20.0,
    'joint_states': 20.0,
    'detected_objects': 10.0,
    'sim/ground_truth': 50.0,
}


@pytest.fixture(scope='module')
def running() -> Iterator[tuple[Probe, Any]]:
    with simulator(SHARED_DOMAIN) as process:
        probe = Probe(SHARED_DOMAIN)
        try:
            yield probe, process
        finally:
            probe.close()


@pytest.fixture
def probe(running: tuple[Probe, Any]) -> Probe:
    running[0].reset()
    for messages in running[0].heard.values():
        messages.clear()
    return running[0]


def test_publishes_every_topic_at_its_rate(probe: Probe):
    probe.until(lambda: all(probe.heard[topic] for topic in KINDS))
    for messages in probe.heard.values():
        messages.clear()
    probe.until(lambda: len(probe.heard['detected_objects']) > 20)
    for topic, rate_hz in RATES_HZ.items():
        stamps = [seconds(message.header.stamp) for message in probe.heard[topic]]
        assert stamps == sorted(set(stamps))
        measured_hz = (len(stamps) - 1) / (stamps[-1] - stamps[0])
        assert measured_hz == pytest.approx(rate_hz, rel=0.2), topic
    assert abs(seconds(probe.fresh('odom').header.stamp) - time.time()) < 1.0


def test_frames_and_content_at_spawn(probe: Probe):
    scan, odom, pose = probe.fresh('scan'), probe.fresh('odom'), probe.fresh('global_pose')
    assert scan.header.frame_id == 'base_scan'
    assert len(scan.ranges) == 360
    assert scan.ranges[0] == pytest.approx(1.0)
    assert (odom.header.frame_id, odom.child_frame_id) == ('odom', 'base_link')
    assert (odom.pose.pose.position.x, odom.pose.pose.orientation.w) == (0.0, 1.0)
    assert (pose.header.frame_id, pose.pose.pose.position.x) == ('map', 1.0)
    assert not probe.fresh('bumper').data
    assert list(probe.fresh('joint_states').name) == ['gripper_joint']
    assert probe.fresh('battery_state').percentage == pytest.approx(1.0, abs=0.01)
    assert probe.truth() == {
        'held': None,
        'contacts': 0,
        'travelled_m': 0.0,
        'turned_rad': 0.0,
        'picks': 0,
        'places': 0,
        'fault': 'none',
    }


def test_drives_while_commanded_and_stops_by_itself(probe: Probe):
    with probe.driving(0.4):
        probe.until(lambda: probe.fresh('sim/ground_truth').pose.pose.position.x > 1.4)
    probe.until(lambda: probe.fresh('sim/ground_truth').twist.twist.linear.x == 0.0, 2.0)
    truth, odom = probe.fresh('sim/ground_truth'), probe.fresh('odom')
    assert truth.header.frame_id == 'map'
    assert odom.pose.pose.position.x == pytest.approx(truth.pose.pose.position.x - 1.0)
    assert probe.truth()['travelled_m'] == pytest.approx(odom.pose.pose.position.x)


def test_gripper_follows_the_last_point_of_a_trajectory(probe: Probe):
    publisher = probe.node.create_publisher(JointTrajectory, 'joint_trajectory', 10)
    try:
        probe.until(publisher.get_subscription_count)
        points = [JointTrajectoryPoint(positions=[opening_m]) for opening_m in (0.09, 0.03)]
        publisher.publish(JointTrajectory(joint_names=['gripper_joint'], points=points))
        probe.until(lambda: probe.fresh('joint_states').position[0] == pytest.approx(0.03))
        publisher.publish(JointTrajectory(joint_names=['other_joint'], points=points))
        publisher.publish(JointTrajectory())
        probe.listen(0.3)
        assert probe.fresh('joint_states').position[0] == pytest.approx(0.03)
    finally:
        probe.node.destroy_publisher(publisher)


def test_fault_is_set_and_reset_at_run_time(probe: Probe):
    probe.fresh('odom')
    assert probe.set_fault('odom_frozen').successful
    assert probe.truth()['fault'] == 'odom_frozen'
    first, second = probe.fresh('odom'), probe.fresh('odom')
    assert first == second
    probe.reset()
    assert probe.fault() == 'none'
    assert probe.truth()['fault'] == 'none'
    assert probe.fresh('odom') != second


def test_unknown_fault_is_refused_with_the_valid_names(probe: Probe):
    result = probe.set_fault('gremlins')
    assert not result.successful
    assert 'gremlins' in result.reason
    assert 'none, gripper_slips, odom_frozen, scan_lost, wheels_stuck, bumper_hit, motion_lies' in result.reason
    assert probe.fault() == 'none'
    number = ParameterValue(type=ParameterType.PARAMETER_INTEGER, integer_value=3)
    assert not probe.set_parameter('fault', number).successful
    assert not probe.set_parameter('seed', number).successful
    assert probe.truth()['fault'] == 'none'


def test_scan_lost_silences_the_scan_alone(probe: Probe):
    assert probe.set_fault('scan_lost').successful
    probe.until(lambda: json.loads(probe.fresh('sim/truth_json').data)['fault'] == 'scan_lost')
    probe.heard['scan'].clear()
    for _ in range(20):
        probe.fresh('odom')
    assert probe.heard['scan'] == []
    assert probe.set_fault('none').successful
    probe.fresh('scan')


def test_a_stopped_process_does_not_make_the_world_leap(running: tuple[Probe, Any], probe: Probe):
    process = running[1]
    with probe.driving(0.4):
        probe.until(lambda: probe.fresh('sim/ground_truth').pose.pose.position.x > 1.3)
        process.send_signal(signal.SIGSTOP)
        try:
            probe.listen(1.5)
            before = probe.heard['sim/ground_truth'][-1]
            probe.heard['sim/ground_truth'].clear()
        finally:
            process.send_signal(signal.SIGCONT)
        probe.until(lambda: probe.heard['sim/ground_truth'])
        after = probe.heard['sim/ground_truth'][0]
    gap_s = seconds(after.header.stamp) - seconds(before.header.stamp)
    assert gap_s > 1.0
    assert after.pose.pose.position.x - before.pose.pose.position.x < 0.4 * 0.2


def test_clock_scale_namespace_stamped_commands_and_renamed_topics(tmp_path: Path):
    description = yaml.safe_load(ROBOT_FILE.read_text(encoding='utf-8'))
    description['topics']['cmd_vel']['stamped'] = True
    description['topics']['odom'] = {'rate_hz': 50.0, 'name': 'wheel/odom'}
    del description['topics']['bumper']
    robot = tmp_path / 'robot.yaml'
    robot.write_text(yaml.safe_dump(description), encoding='utf-8')
    options = ['-p', 'publish_clock:=true', '-p', 'time_scale:=4.0', '-r', '__ns:=/second']
    kinds = {'/clock': Clock, 'wheel/odom': Odometry, 'sim/ground_truth': Odometry, 'bumper': Bool}
    with simulator(CLOCK_DOMAIN, *options, robot=robot):
        probe = Probe(CLOCK_DOMAIN, 'second', kinds)
        try:
            probe.until(lambda: probe.heard['/clock'])
            start_s, clock = time.monotonic(), seconds(probe.fresh('/clock').clock)
            with probe.driving(0.4, TwistStamped):
                probe.until(lambda: probe.fresh('sim/ground_truth').pose.pose.position.x > 1.3)
            probe.until(lambda: seconds(probe.fresh('/clock').clock) > clock + 6.0)
            elapsed_s = time.monotonic() - start_s
            ran_s = seconds(probe.heard['/clock'][-1].clock) - clock
            assert ran_s / elapsed_s == pytest.approx(4.0, rel=0.25)
            assert abs(seconds(probe.fresh('wheel/odom').header.stamp) - seconds(probe.fresh('/clock').clock)) < 1.0
            assert probe.heard['bumper'] == []
        finally:
            probe.close()


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_with_exit_code_0(number: signal.Signals):
    with simulator(EXIT_DOMAIN) as process:
        probe = Probe(EXIT_DOMAIN)
        try:
            probe.until(lambda: probe.heard['odom'])
            process.send_signal(number)
            probe.until(lambda: process.poll() is not None, 5.0)
        finally:
            probe.close()
        assert process.returncode == 0


def failed_start(*arguments: str, **files: Path) -> str:
    """Return what the node prints when it refuses to start with exit code 2."""
    with simulator(EXIT_DOMAIN, *arguments, **files) as process:
        output, _ = process.communicate(timeout=20.0)
        assert process.returncode == 2, output
        return str(output)


def test_bad_files_are_refused_with_every_fault_of_both(tmp_path: Path):
    robot, world = tmp_path / 'robot.yaml', tmp_path / 'world.yaml'
    robot.write_text('name: x\nfootprnt: {}\n', encoding='utf-8')
    world.write_text('spawn: {x_m: 1.0, y_m: one}\n', encoding='utf-8')
    output = failed_start(robot=robot, world=world)
    for part in (f'{robot}: footprnt', f'{robot}: limits', f"{world}: spawn.y_m = 'one'"):
        assert part in output
    assert 'Traceback' not in output


def test_bad_parameters_are_refused_all_at_once():
    output = failed_start('-p', 'fault:=gremlins', '-p', 'step_rate_hz:=1.0', '-p', 'seed:=-1')
    for part in ("fault = 'gremlins'", 'motion_lies', 'step_rate_hz = 1.0', 'allowed: 20.0 to 500.0', 'seed = -1'):
        assert part in output
    assert 'time_scale' in failed_start('-p', 'time_scale:=2.0')
    too_slow = failed_start('-p', 'publish_clock:=true', '-p', 'time_scale:=0.1')
    assert 'time_scale = 0.1' in too_slow
    assert 'allowed: 0.5 to 10.0' in too_slow
