"""Which samples count: freshness, order, odometry carried into the map, heartbeats."""

import math

import pytest
from robot_tool_agent.core.geometry import Point, Pose2D, Twist2D
from robot_tool_agent.core.heartbeats import HeartbeatMonitor
from robot_tool_agent.core.localization import Localizer
from robot_tool_agent.core.samples import (
    BatterySample,
    GlobalPoseSample,
    JointSample,
    ObjectsSample,
    OdomSample,
    SeenObject,
)
from robot_tool_agent.core.sensors import Instant, newer, SensorView
from sim_house import robot_description


def odom(stamp_s, x_m=0.0, yaw_rad=0.0, received_s=None, v_mps=0.0):
    received_s = stamp_s if received_s is None else received_s
    return OdomSample(stamp_s, received_s, Pose2D(x_m, 0.0, yaw_rad), Twist2D(v_mps, 0.0))


@pytest.fixture
def view():
    return SensorView(robot_description())


def test_a_topic_is_stale_after_three_periods_or_a_quarter_second(view):
    view.on_odom(odom(10.0))
    assert view.is_fresh('odom', 10.24)
    assert not view.is_fresh('odom', 10.26)
    view.on_global_pose(GlobalPoseSample(10.0, 10.0, Pose2D(0.0, 0.0, 0.0)))
    assert view.is_fresh('global_pose', 10.29)
    assert not view.is_fresh('global_pose', 10.31)
    assert not view.is_fresh('scan', 10.0)
    assert not view.is_fresh('imu', 10.0)


def test_a_stamp_that_does_not_rise_is_no_news(view):
    view.on_odom(odom(10.0))
    view.on_odom(odom(10.0, x_m=5.0, received_s=11.0))
    assert view.odom.pose.x_m == 0.0
    assert not view.is_fresh('odom', 11.0)


def test_a_sample_that_overtook_another_is_no_news(view):
    view.on_odom(odom(10.0))
    view.on_odom(odom(9.9, x_m=6.0, received_s=10.1))
    assert view.odom.pose.x_m == 0.0


def test_a_clock_that_was_set_back_is_believed_once_the_input_is_stale(view):
    view.on_odom(odom(1000.0, received_s=10.0))
    view.on_odom(odom(900.0, received_s=10.1))
    assert view.odom.stamp_s == 1000.0
    view.on_odom(odom(900.3, received_s=10.4))
    assert view.is_fresh('odom', 10.4)
    view.on_odom(odom(900.32, received_s=10.42))
    assert view.odom.stamp_s == 900.32


def test_one_stamp_from_the_future_does_not_blind(view):
    view.on_odom(odom(10.0))
    view.on_odom(odom(4e9, received_s=10.02))
    view.on_odom(odom(10.04))
    assert view.odom.stamp_s == 10.04


def test_samples_that_come_late_are_not_the_present(view):
    for tick in range(50):
        view.on_odom(odom(10.0 + 0.02 * tick))
    view.on_odom(odom(11.0, received_s=11.8))
    assert not view.is_fresh('odom', 11.8)
    view.on_odom(odom(11.02, received_s=11.82))
    assert not view.is_fresh('odom', 11.82)
    view.on_odom(odom(11.84, received_s=11.85))
    assert view.is_fresh('odom', 11.85)


@pytest.mark.parametrize('bad', [math.nan, math.inf, 1e300])
def test_poses_that_make_no_sense_are_no_news(view, bad):
    view.on_odom(odom(10.0))
    view.on_odom(odom(10.02, x_m=bad))
    assert view.odom.stamp_s == 10.0
    view.on_global_pose(GlobalPoseSample(10.0, 10.0, Pose2D(0.0, bad, 0.0)))
    assert view.global_pose is None


def test_what_is_not_measured_is_left_out(view):
    view.on_battery(BatterySample(1.0, 1.0, math.nan))
    assert view.battery is None
    view.on_joints(JointSample(1.0, 1.0, {'gripper_joint': math.nan, 'arm': 0.5}))
    assert view.joints.positions == {'arm': 0.5}
    ball = SeenObject('ball', 'ball', Point(1.0, 2.0), 0.9)
    ghost = SeenObject('ghost', 'ghost', Point(math.nan, 2.0), 0.9)
    view.on_objects(ObjectsSample(1.0, 1.0, (ball, ghost)))
    assert view.objects.objects == (ball,)


def test_joints_rest_once_none_of_them_moves(view):
    view.on_joints(JointSample(1.0, 1.0, {'gripper_joint': 0.10}))
    view.on_joints(JointSample(1.05, 1.05, {'gripper_joint': 0.09}))
    view.on_joints(JointSample(1.10, 1.10, {'gripper_joint': 0.09}))
    assert not view.joints_rest(0.1)
    view.on_joints(JointSample(1.20, 1.20, {'gripper_joint': 0.09}))
    assert view.joints_rest(0.1)


def test_newer_needs_both_clocks():
    since = Instant(10.0, 20.0)
    assert newer(odom(10.1, received_s=20.1), since)
    assert not newer(odom(9.9, received_s=20.1), since)
    assert not newer(odom(10.1, received_s=19.9), since)
    assert not newer(None, since)


def test_standstill_is_below_both_limits(view):
    view.on_odom(odom(1.0, v_mps=0.009))
    assert view.base_stands()
    view.on_odom(odom(2.0, v_mps=-0.02))
    assert not view.base_stands()
    view.on_odom(OdomSample(3.0, 3.0, Pose2D(0, 0, 0), Twist2D(0.0, 0.04)))
    assert not view.base_stands()


def test_the_gripper_opening_is_its_joint(view):
    assert view.gripper_opening_m() is None
    view.on_joints(JointSample(1.0, 1.0, {'other': 3.0}))
    assert view.gripper_opening_m() is None
    view.on_joints(JointSample(2.0, 2.0, {'gripper_joint': 0.06}))
    assert view.gripper_opening_m() == 0.06


def test_odometry_is_carried_by_the_last_correction():
    localizer = Localizer(has_global_pose=True)
    assert localizer.to_map(Pose2D(0, 0, 0)) is None
    localizer.on_odom(odom(1.0, x_m=2.0))
    localizer.on_odom(odom(1.2, x_m=3.0))
    localizer.on_global_pose(GlobalPoseSample(1.0, 1.3, Pose2D(5.0, 5.0, math.pi / 2)))
    moved = localizer.to_map(Pose2D(3.0, 0.0, 0.0))
    assert (moved.x_m, moved.y_m, moved.yaw_rad) == pytest.approx((5.0, 6.0, math.pi / 2))
    back = localizer.to_odom(moved)
    assert (back.x_m, back.y_m, back.yaw_rad) == pytest.approx((3.0, 0.0, 0.0), abs=1e-9)


def test_an_old_global_pose_corrects_nothing():
    localizer = Localizer(has_global_pose=True)
    localizer.on_odom(odom(1.0))
    localizer.on_global_pose(GlobalPoseSample(1.0, 1.0, Pose2D(1.0, 0.0, 0.0)))
    localizer.on_odom(odom(2.0))
    localizer.on_global_pose(GlobalPoseSample(0.5, 2.0, Pose2D(9.0, 0.0, 0.0)))
    assert localizer.to_map(Pose2D(0, 0, 0)).x_m == 1.0
    localizer.restart()
    assert localizer.map_from_odom is None


def test_a_jump_of_odometry_leaves_the_map_pose_unknown_until_localization_speaks(view):
    view.on_odom(odom(10.0))
    view.on_global_pose(GlobalPoseSample(10.0, 10.0, Pose2D(4.0, 4.0, 0.0)))
    view.on_odom(odom(10.02, x_m=0.01))
    assert view.map_pose() == Pose2D(4.01, 4.0, 0.0)
    view.on_odom(odom(10.04, x_m=-3.0))
    assert view.map_pose() is None
    view.on_global_pose(GlobalPoseSample(10.03, 10.05, Pose2D(4.0, 4.0, 0.0)))
    assert view.map_pose() is None
    view.on_global_pose(GlobalPoseSample(10.1, 10.1, Pose2D(1.0, 1.0, 0.0)))
    assert view.map_pose() == Pose2D(1.0, 1.0, 0.0)


def test_without_localization_the_map_is_odom_until_odometry_jumps():
    localizer = Localizer(has_global_pose=False)
    assert localizer.to_map(Pose2D(1.0, 2.0, 0.5)) == Pose2D(1.0, 2.0, 0.5)
    localizer.restart()
    assert localizer.to_map(Pose2D(1.0, 2.0, 0.5)) is None
    localizer.acknowledge_jump()
    assert localizer.to_map(Pose2D(1.0, 2.0, 0.5)) == Pose2D(1.0, 2.0, 0.5)


def test_a_heartbeat_counts_only_while_its_sequence_rises():
    monitor = HeartbeatMonitor(0.3)
    assert not monitor.alive('executor', 0.0)
    monitor.heard('executor', 5, 1, 0.0)
    assert monitor.alive('executor', 0.3)
    monitor.heard('executor', 5, 1, 0.3)
    monitor.heard('executor', 4, 99, 0.3)
    assert not monitor.alive('executor', 0.35)
    monitor.heard('executor', 6, 1, 0.4)
    assert monitor.alive('executor', 0.5)
    assert monitor.boot_id('executor') == 6
    assert not monitor.known('planner')
