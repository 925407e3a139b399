"""The simulated robot with arm, attitude sensor, stop button and its own clock: a process struck by faults."""

from __future__ import annotations

from collections.abc import Iterator
import math

from nav_msgs.msg import Odometry
import pytest
from robot_tool_agent.nodes.clock import seconds
from robot_tool_agent_sim.faults import FAULTS
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import Imu, JointState, LaserScan
from sim_house import CONFIG
from sim_process import Probe, simulator
from std_msgs.msg import Bool, String
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

ARM_DOMAIN = 23
ARM_FILE = CONFIG / 'robots' / 'sim_house_arm.yaml'


@pytest.fixture(scope='module')
def armed() -> Iterator[Probe]:
    """Run the robot with arm, attitude sensor and stop button on a clock of its own."""
    kinds = {'/clock': Clock, 'imu': Imu, 'estop': Bool, 'joint_states': JointState, 'odom': Odometry}
    with simulator(ARM_DOMAIN, '-p', 'publish_clock:=true', robot=ARM_FILE):
        probe = Probe(ARM_DOMAIN, kinds={**kinds, 'scan': LaserScan, 'sim/truth_json': String})
        try:
            probe.until(lambda: probe.heard['odom'])
            yield probe
        finally:
            probe.close()


def strike(probe: Probe, fault: str) -> None:
    """Set a fault and forget everything that was said before it struck."""
    assert probe.set_fault(fault).successful
    probe.until(lambda: probe.truth()['fault'] == fault)
    for messages in probe.heard.values():
        messages.clear()


def test_attitude_and_stop_button_are_published_and_can_be_struck(armed: Probe):
    strike(armed, 'none')
    upright = armed.fresh('imu')
    assert upright.header.frame_id == 'base_link'
    assert (upright.orientation.x, upright.orientation.y, upright.orientation.w) == (0.0, 0.0, 1.0)
    assert upright.linear_acceleration.z == pytest.approx(9.80665)
    assert not armed.fresh('estop').data
    armed.until(lambda: len(armed.heard['imu']) > 25)
    stamps = [seconds(message.header.stamp) for message in armed.heard['imu']]
    assert (len(stamps) - 1) / (stamps[-1] - stamps[0]) == pytest.approx(50.0, rel=0.2)
    strike(armed, 'tilted')
    tilted = armed.fresh('imu')
    assert 2.0 * math.atan2(tilted.orientation.x, tilted.orientation.w) == pytest.approx(0.6)
    assert math.atan2(tilted.linear_acceleration.y, tilted.linear_acceleration.z) == pytest.approx(0.6)
    strike(armed, 'estop_pressed')
    assert armed.fresh('estop').data
    strike(armed, 'none')
    assert not armed.fresh('estop').data


def test_arm_joints_follow_a_trajectory(armed: Probe):
    strike(armed, 'none')
    names = ['gripper_joint', 'arm_shoulder', 'arm_elbow']
    start = armed.fresh('joint_states')
    assert list(start.name) == names
    assert list(start.position) == pytest.approx([0.1, -1.2, 2.0])
    publisher = armed.node.create_publisher(JointTrajectory, 'joint_trajectory', 10)
    try:
        armed.until(publisher.get_subscription_count)
        point = JointTrajectoryPoint(positions=[1.0, -0.2])
        publisher.publish(JointTrajectory(joint_names=['arm_elbow', 'arm_shoulder'], points=[point]))
        armed.until(lambda: list(armed.fresh('joint_states').position) == pytest.approx([0.1, -0.2, 1.0]))
    finally:
        armed.node.destroy_publisher(publisher)
    armed.reset()
    assert list(armed.fresh('joint_states').position) == pytest.approx([0.1, -1.2, 2.0])


def test_the_clock_stops_alone_and_jumps_with_all_stamps(armed: Probe):
    strike(armed, 'clock_stop')
    for _ in range(20):
        armed.fresh('odom')
    assert armed.heard['/clock'] == []
    strike(armed, 'none')
    before = seconds(armed.fresh('/clock').clock)
    strike(armed, 'clock_jump')
    clock, odom = seconds(armed.fresh('/clock').clock), seconds(armed.fresh('odom').header.stamp)
    assert before + 5.0 <= clock < before + 8.0
    assert abs(odom - clock) < 0.5
    strike(armed, 'none')
    assert seconds(armed.fresh('/clock').clock) < clock


def test_senseless_readings_reach_the_wire_as_they_are(armed: Probe):
    strike(armed, 'scan_nan')
    assert all(math.isnan(value) for value in armed.fresh('scan').ranges)
    strike(armed, 'scan_short')
    short = armed.fresh('scan')
    assert len(short.ranges) == 100
    assert short.angle_max - short.angle_min == pytest.approx(math.radians(359.0))
    strike(armed, 'odom_nan')
    odom = armed.fresh('odom')
    assert math.isnan(odom.pose.pose.position.x)
    assert math.isnan(odom.pose.pose.orientation.z)
    assert seconds(odom.header.stamp) > 0.0
    strike(armed, 'none')
    assert not math.isnan(armed.fresh('odom').pose.pose.position.x)


def test_every_fault_can_be_set_at_run_time(armed: Probe):
    for name in FAULTS:
        assert armed.set_fault(name).successful, name
        assert armed.fault() == name
    armed.reset()
    assert armed.truth()['fault'] == 'none'
    assert armed.fresh('odom').pose.pose.position.x == pytest.approx(0.0, abs=0.01)
