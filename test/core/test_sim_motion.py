"""Kinematics of the simulated base against values worked out by hand (limits of sim_house.yaml)."""

import math

import pytest
from robot_tool_agent.core.geometry import Pose2D, Twist2D
from robot_tool_agent_sim.wheels import ramp
from sim_house import drive, house, wait


def test_ramp_is_exact_through_zero_and_past_the_target():
    # From -0.3 with 1.5 m/s^2 to zero in 0.2 s, then with 0.8 m/s^2 to 0.4 in 0.5 s, then 0.3 s at 0.4.
    end, way = ramp(-0.3, 0.4, 0.8, 1.5, 1.0)
    assert end == 0.4
    assert way == pytest.approx(-0.5 * 0.3 * 0.2 + 0.5 * 0.4 * 0.5 + 0.4 * 0.3)


def test_accelerates_with_the_limit_and_holds_the_command():
    world = house()
    drive(world, 0.4, 0.0, 0.25)
    assert world.twist.v_mps == pytest.approx(0.2)
    assert world.pose.x_m == pytest.approx(1.0 + 0.5 * 0.8 * 0.25**2)
    drive(world, 0.4, 0.0, 1.25)
    # 0.5 s of acceleration, 1.0 s at full speed
    assert world.pose.x_m == pytest.approx(1.0 + 0.1 + 0.4)


@pytest.mark.parametrize('dt_s', [0.005, 0.01, 0.02, 0.05])
def test_braking_distance_does_not_depend_on_the_step(dt_s: float):
    world = house()
    drive(world, 0.4, 0.0, 1.0, dt_s)
    start_m = world.pose.x_m
    drive(world, 0.0, 0.0, 0.5, dt_s)
    assert world.twist == Twist2D(0.0, 0.0)
    assert world.pose.x_m - start_m == pytest.approx(0.4**2 / (2 * 1.5))


def test_brakes_by_itself_a_quarter_second_after_the_last_command():
    world = house()
    drive(world, 0.4, 0.0, 1.0)
    start_m = world.pose.x_m
    # The last command came 0.01 s before now.
    wait(world, 0.24)
    assert world.twist.v_mps == 0.4
    assert world.pose.x_m - start_m == pytest.approx(0.4 * 0.24)
    wait(world, 0.01)
    assert world.twist.v_mps == pytest.approx(0.4 - 1.5 * 0.01)
    wait(world, 0.5)
    assert world.twist.v_mps == 0.0
    assert world.pose.x_m - start_m == pytest.approx(0.4 * 0.24 + 0.4**2 / (2 * 1.5))


def test_drives_an_exact_arc():
    world = house(2.0, 2.0)
    drive(world, 0.2, 0.5, 1.0)
    start = world.pose
    drive(world, 0.2, 0.5, math.pi, math.pi / 1000)
    # radius 0.4 m, quarter turn
    expected = start.compose(Pose2D(0.4, 0.4, math.pi / 2))
    assert world.pose.distance_to(expected) < 1e-9
    assert world.pose.yaw_rad == pytest.approx(expected.yaw_rad)


@pytest.mark.parametrize(
    ('asked', 'got'),
    [((9.0, 0.0), (0.5, 0.0)), ((-9.0, 0.0), (-0.3, 0.0)), ((0.0, 9.0), (0.0, 1.6)), ((0.0, -9.0), (0.0, -1.6))],
)
def test_clamps_to_the_limits(asked: tuple[float, float], got: tuple[float, float]):
    world = house(2.0, 1.9)
    drive(world, *asked, 1.0)
    assert (world.twist.v_mps, world.twist.w_radps) == got


@pytest.mark.parametrize('v_mps', [math.nan, math.inf, -math.inf])
def test_a_command_that_is_no_number_does_not_count_as_one(v_mps: float):
    world = house()
    drive(world, 0.4, 0.0, 1.0)
    drive(world, v_mps, 0.0, 0.6)
    assert world.twist.v_mps == 0.0
    assert world.pose.is_finite()


def test_odometry_starts_at_zero_and_carries_the_spawn_pose_to_the_map():
    spawn = Pose2D(2.8, 4.5, 1.2)
    world = house(spawn.x_m, spawn.y_m, spawn.yaw_rad)
    assert world.odom().pose == Pose2D(0.0, 0.0, 0.0)
    drive(world, 0.3, -0.4, 2.0)
    odom = world.odom()
    assert odom.pose.x_m > 0.3
    assert spawn.compose(odom.pose).distance_to(world.global_pose().pose) < 1e-9
    assert odom.twist == Twist2D(0.3, -0.4)


def test_counts_way_and_turn_both_ways():
    world = house(2.0, 1.9)
    drive(world, 0.2, 0.0, 1.0)
    drive(world, -0.2, 0.0, 1.0)
    wait(world, 1.0)
    drive(world, 0.0, 0.5, 1.0)
    drive(world, 0.0, -0.5, 1.0)
    wait(world, 1.0)
    way_m = 2 * (0.2 - 0.2**2 / (2 * 0.8)) + 0.2**2 / (2 * 1.5) * 2 - 0.2 * 0.2 / 1.5 + 0.2 * 0.24
    assert world.truth().travelled_m == pytest.approx(way_m, abs=1e-4)
    turn_rad = 2 * (0.5 - 0.5**2 / (2 * 4.0)) + 0.5**2 / (2 * 6.0) * 2 - 0.5 * 0.5 / 6.0 + 0.5 * 0.24
    assert world.truth().turned_rad == pytest.approx(turn_rad, abs=1e-4)


def test_stamps_rise_with_simulated_time_or_are_given():
    world = house()
    world.step(0.02)
    assert (world.odom().stamp_s, world.odom().received_s) == (0.02, 0.02)
    world.step(0.02, stamp_s=1234.5)
    assert (world.scan().stamp_s, world.scan().received_s) == (1234.5, 0.04)


@pytest.mark.parametrize('dt_s', [0.0, -0.1, math.nan, math.inf])
def test_refuses_a_step_that_is_none(dt_s: float):
    with pytest.raises(ValueError, match='dt_s'):
        house().step(dt_s)
