"""Each saboteur of a sensor or of the clock: what it says instead, and that the world and the rest stay as they are."""

import math

import numpy as np
import pytest
from robot_tool_agent.core.geometry import Twist2D
from robot_tool_agent_sim.world import World
from sim_house import drive, house, wait


def moving(fault: str, seed: int = 0) -> World:
    """Return a world whose base drives with 0.4 m/s, 1 s after its start, struck by a fault just now."""
    world = house(1.0, 1.5, seed=seed)
    drive(world, 0.4, 0.0, 1.0)
    world.set_fault(fault)
    return world


def test_odom_stuck_values_keeps_the_values_while_the_stamps_rise():
    world = moving('odom_stuck_values')
    first = world.odom()
    drive(world, 0.4, 0.0, 1.0)
    stuck = world.odom()
    assert (stuck.pose, stuck.twist) == (first.pose, first.twist)
    assert first.twist == Twist2D(0.4, 0.0)
    assert (stuck.stamp_s, stuck.received_s) == (pytest.approx(2.0), pytest.approx(2.0))
    assert world.global_pose().pose.x_m == pytest.approx(first.pose.x_m + 1.4)


def test_odom_frozen_on_goal_freezes_when_the_base_comes_to_rest():
    world = moving('odom_frozen_on_goal')
    drive(world, 0.4, 0.0, 1.0)
    assert world.odom().stamp_s == world.stamp_s
    for _ in range(100):
        world.command_base(Twist2D(0.0, 0.0))
        world.step(0.01)
        world.odom()
    frozen = world.odom()
    # at rest 0.4 / 1.5 s after the stop at 2 s, seen in the step after
    assert frozen.stamp_s == pytest.approx(2.27)
    assert frozen.twist == Twist2D(0.0, 0.0)
    assert frozen.pose.x_m == pytest.approx(world.pose.x_m - 1.0)
    drive(world, 0.4, 0.0, 1.0)
    assert world.odom() is frozen


def test_odom_frozen_on_goal_waits_for_a_motion():
    world = house(fault='odom_frozen_on_goal')
    wait(world, 1.0)
    assert world.odom().stamp_s == pytest.approx(1.0)
    drive(world, 0.0, 0.5, 1.0)
    assert world.odom().stamp_s == pytest.approx(2.0)
    wait(world, 1.0)
    frozen = world.odom()
    wait(world, 1.0)
    assert world.odom() is frozen


def test_odom_jump_goes_half_a_metre_ahead_once():
    world = house(2.0, 1.5, math.pi / 2)
    drive(world, 0.0, 0.5, 1.0)
    wait(world, 1.0)
    before, true_pose = world.odom().pose, world.pose
    world.set_fault('odom_jump')
    after = world.odom().pose
    assert before.distance_to(after) == pytest.approx(0.5)
    assert before.bearing_to(after) == pytest.approx(0.0)
    assert world.pose == true_pose
    wait(world, 1.0)
    assert world.odom().pose == after
    world.set_fault('none')
    assert world.odom().pose == after


@pytest.mark.parametrize(('fault', 'read'), [('odom_late', World.odom), ('scan_late', World.scan)])
def test_late_sensors_tell_what_was_0_8_s_ago(fault: str, read):
    world = moving(fault)
    arrived = []
    for _ in range(100):
        world.command_base(Twist2D(0.4, 0.0))
        world.step(0.02)
        sample = read(world)
        if sample is not None:
            arrived.append(sample)
    # struck at 1.0 s, samples from 1.02 s on, the first one here at 1.82 s
    assert arrived[0].received_s == pytest.approx(1.82)
    assert arrived[0].stamp_s == pytest.approx(1.02)
    assert len(arrived) == 60
    assert {round(sample.received_s - sample.stamp_s, 6) for sample in arrived} == {0.8}
    stamps = [sample.stamp_s for sample in arrived]
    assert stamps == sorted(set(stamps))
    if fault == 'odom_late':
        assert arrived[-1].pose.x_m == pytest.approx(world.pose.x_m - 1.0 - 0.4 * 0.8)


def test_odom_noisy_scatters_round_the_truth():
    world = house(fault='odom_noisy', seed=5)
    samples = []
    for _ in range(500):
        world.step(0.02)
        sample = world.odom()
        samples.append(
            (sample.pose.x_m, sample.pose.y_m, sample.pose.yaw_rad, sample.twist.v_mps, sample.twist.w_radps)
        )
    values = np.array(samples)
    assert np.abs(values.mean(axis=0)).max() < 0.01
    assert values.std(axis=0) == pytest.approx([0.02, 0.02, 0.02, 0.05, 0.05], rel=0.15)
    assert world.pose == house().pose


def test_odom_nan_has_no_number_and_a_good_stamp():
    world = moving('odom_nan')
    drive(world, 0.4, 0.0, 0.5)
    sample = world.odom()
    assert not sample.pose.is_finite()
    assert math.isnan(sample.twist.v_mps)
    assert math.isnan(sample.twist.w_radps)
    assert sample.stamp_s == pytest.approx(1.5)
    assert world.pose.is_finite()


def test_scan_frozen_repeats_one_scan_while_odometry_goes_on():
    world = moving('scan_frozen')
    first = world.scan()
    drive(world, 0.4, 0.0, 1.0)
    assert world.scan() is first
    assert world.odom().stamp_s == pytest.approx(2.0)


@pytest.mark.parametrize(
    ('fault', 'rays', 'value_m'), [('scan_nan', 360, math.nan), ('scan_zero', 360, 0.0), ('scan_short', 100, None)]
)
def test_senseless_scans(fault: str, rays: int, value_m: float | None):
    world = moving(fault)
    honest = house(1.0, 1.5)
    drive(honest, 0.4, 0.0, 1.0)
    scan, expected = world.scan(), honest.scan()
    assert scan.ranges_m.shape == (rays,)
    wanted = expected.ranges_m[:rays] if value_m is None else np.full(rays, value_m)
    np.testing.assert_array_equal(scan.ranges_m, wanted)
    assert scan.stamp_s == pytest.approx(1.0)
    assert (scan.angle_min_rad, scan.angle_increment_rad) == (expected.angle_min_rad, expected.angle_increment_rad)


@pytest.mark.parametrize(('fault', 'alone'), [('bumper_stuck', 'bumper'), ('estop_pressed', 'estop')])
def test_a_stuck_switch_is_pressed_and_the_other_is_not(fault: str, alone: str):
    world = moving(fault)
    for _ in range(3):
        assert {name for name in ('bumper', 'estop') if getattr(world, name)().pressed} == {alone}
        wait(world, 1.0)
    assert world.truth().contacts == 0


def test_battery_low_is_below_what_motion_needs():
    world = moving('battery_low')
    assert world.battery().fraction == pytest.approx(0.5 * world.robot.limits.min_battery_fraction) == 0.05


def test_imu_is_upright_and_turns_with_the_base_until_tilted():
    world = house()
    drive(world, 0.0, 0.5, 1.0)
    upright = world.imu()
    assert (upright.roll_rad, upright.pitch_rad) == (0.0, 0.0)
    assert (upright.yaw_rad, upright.w_radps) == (world.pose.yaw_rad, 0.5)
    world.set_fault('tilted')
    assert (world.imu().roll_rad, world.imu().yaw_rad) == (0.6, world.pose.yaw_rad)


def test_clock_stop_silences_the_clock_alone():
    world = moving('clock_stop')
    wait(world, 0.5)
    assert world.clock() is None
    assert world.odom().stamp_s == pytest.approx(1.5)
    world.set_fault('none')
    assert world.clock().stamp_s == pytest.approx(1.5)


def test_clock_jump_sets_every_stamp_ahead_together():
    world = moving('clock_jump')
    wait(world, 0.5)
    for name in ('clock', 'odom', 'scan', 'global_pose', 'bumper', 'joints', 'battery', 'objects', 'imu', 'estop'):
        sample = getattr(world, name)()
        assert (sample.stamp_s, sample.received_s) == (pytest.approx(6.5), pytest.approx(1.5)), name
    assert world.stamp_s == pytest.approx(1.5)


def test_scan_skips_loses_every_fifth_scan_and_no_more():
    world = moving('scan_skips')
    heard = [world.scan() is not None for _ in range(20)]
    assert heard == [True, True, True, True, False] * 4
    assert world.odom() is not None


def test_scan_inf_sees_nothing_and_bumper_lost_says_nothing():
    assert np.isposinf(moving('scan_inf').scan().ranges_m).all()
    lost = moving('bumper_lost')
    assert lost.bumper() is None
    assert lost.scan() is not None
