"""Each saboteur of wheels and way: what the base really does, and what odometry says of it."""

import math

import pytest
from robot_tool_agent.core.geometry import Twist2D
from robot_tool_agent_sim.faults import OBSTACLE_RADIUS_M, PERSON_RADIUS_M, PERSON_STAYS_S
from robot_tool_agent_sim.world import World
from sim_house import drive, house, wait

AHEAD = 180
AHEAD_M = 0.6


def honest(world: World) -> bool:
    """Tell whether odometry and the global pose tell the same."""
    return world._description.spawn.pose.compose(world.odom().pose).distance_to(world.pose) < 1e-9


def test_ignores_stop_runs_on_for_three_seconds():
    world = house(1.0, 1.5, fault='ignores_stop')
    drive(world, 0.3, 0.0, 1.0)
    start_m = world.pose.x_m
    drive(world, 0.0, 0.0, 3.0)
    assert world.twist == Twist2D(0.3, 0.0) == world.odom().twist
    assert world.pose.x_m - start_m == pytest.approx(0.9)
    drive(world, 0.0, 0.0, 0.5)
    assert world.twist == Twist2D(0.0, 0.0)
    assert world.pose.x_m - start_m == pytest.approx(0.9 + 0.3**2 / (2 * 1.5))
    wait(world, 3.0)
    assert world.twist == Twist2D(0.0, 0.0)
    assert honest(world)


def test_ignores_stop_takes_up_the_speed_from_before_the_braking():
    world = house(1.0, 1.5, fault='ignores_stop')
    drive(world, 0.3, 0.1, 1.0)
    for step in range(20, 0, -1):
        drive(world, 0.3 * step / 20, 0.1 * step / 20, 0.01)
    drive(world, 0.0, 0.0, 1.0)
    assert world.twist == Twist2D(0.3, 0.1)


def test_ignores_stop_without_a_command_before_stands_and_silence_counts_as_a_stop():
    world = house(1.0, 1.5, fault='ignores_stop')
    drive(world, 0.0, 0.0, 1.0)
    assert world.truth().travelled_m == 0.0
    drive(world, 0.3, 0.0, 1.0)
    wait(world, 3.0)
    assert world.twist == Twist2D(0.3, 0.0)
    wait(world, 0.6)
    assert world.twist == Twist2D(0.0, 0.0)


def test_moves_alone_creeps_without_a_command_and_obeys_one():
    world = house(1.0, 1.5, fault='moves_alone')
    wait(world, 1.0)
    assert world.twist == Twist2D(0.1, 0.0) == world.odom().twist
    drive(world, 0.0, 0.0, 1.0)
    assert world.twist == Twist2D(0.1, 0.0)
    assert world.pose.x_m == pytest.approx(1.0 + 0.1 * 2.0 - 0.1**2 / (2 * 0.8))
    drive(world, -0.2, 0.0, 1.0)
    assert world.twist == Twist2D(-0.2, 0.0)
    assert honest(world)


def test_slow_wheels_reach_half_of_both_speeds():
    world = house(2.0, 1.5, fault='slow_wheels')
    drive(world, 0.4, 0.6, 2.0)
    assert world.twist == Twist2D(0.2, 0.3) == world.odom().twist
    assert honest(world)
    drive(world, 0.0, 0.0, 1.0)
    assert world.twist == Twist2D(0.0, 0.0)


def test_obstacle_appears_once_ahead_of_the_moving_base_and_stays():
    world = house(1.0, 1.5, fault='obstacle_appears')
    drive(world, 0.0, 0.5, 1.0)
    drive(world, 0.0, -0.5, 1.0)
    wait(world, 0.5)
    free_m = float(world.scan().ranges_m[AHEAD])
    assert free_m > 3.0
    drive(world, 0.4, 0.0, 0.14)
    assert world.scan().ranges_m[AHEAD] == pytest.approx(AHEAD_M, abs=0.002)
    drive(world, 0.4, 0.0, 5.0)
    assert world.truth().contacts == 1
    assert world.scan().ranges_m[AHEAD] == pytest.approx(0.18, abs=0.001)
    wait(world, 60.0)
    drive(world, -0.3, 0.0, 1.0)
    assert float(world.scan().ranges_m[AHEAD]) < 0.5
    world.set_fault('none')
    assert float(world.scan().ranges_m[AHEAD]) > 3.0
    drive(world, 0.4, 0.0, 3.0)
    assert world.truth().contacts == 1


def test_obstacle_appears_behind_a_base_that_backs():
    world = house(2.0, 1.5, fault='obstacle_appears')
    drive(world, -0.2, 0.0, 0.14)
    assert world.scan().ranges_m[0] == pytest.approx(AHEAD_M, abs=0.002)
    expected_rays = 2 * math.degrees(math.asin(OBSTACLE_RADIUS_M / (AHEAD_M + OBSTACLE_RADIUS_M)))
    assert (world.scan().ranges_m[-60:] < 0.75).sum() == pytest.approx(expected_rays / 2, abs=1.0)


def test_obstacle_appears_far_enough_ahead_to_brake():
    world = house(1.0, 1.5, fault='obstacle_appears')
    drive(world, 0.5, 0.0, 0.14)
    drive(world, 0.5, 0.0, 0.5)
    drive(world, 0.0, 0.0, 1.0)
    assert world.truth().contacts == 0


def test_person_steps_in_and_leaves_after_four_seconds():
    world = house(1.0, 1.5, fault='person_steps_in')
    drive(world, 0.3, 0.0, 0.5)
    here_m = world.pose.x_m
    near_m = float(world.scan().ranges_m[AHEAD])
    assert 0.4 < near_m < AHEAD_M
    assert here_m + near_m + PERSON_RADIUS_M < 2.0
    # appeared at 0.13 s, when the base ran faster than 0.1 m/s
    wait(world, PERSON_STAYS_S - 0.4)
    assert float(world.scan().ranges_m[AHEAD]) < AHEAD_M
    wait(world, 0.1)
    assert float(world.scan().ranges_m[AHEAD]) > 3.0
    drive(world, 0.3, 0.0, 5.0)
    assert float(world.scan().ranges_m[AHEAD]) > 3.0
    assert world.truth().contacts == 0


def test_reset_takes_the_obstacle_away():
    world = house(1.0, 1.5, fault='obstacle_appears')
    drive(world, 0.4, 0.0, 0.5)
    world.reset()
    assert world.scan().ranges_m[AHEAD] == pytest.approx(7.4)


def test_no_obstacle_meets_a_fault_set_anew():
    world = house(1.0, 1.5, fault='person_steps_in')
    drive(world, 0.4, 0.0, 0.5)
    world.set_fault('scan_lost')
    world.set_fault('none')
    assert float(world.scan().ranges_m[AHEAD]) > 3.0


def test_slipping_wheels_come_half_the_way_and_odometry_counts_the_wheels():
    world = house(1.0, 1.5, fault='wheels_slip')
    drive(world, 0.3, 0.0, 2.0)
    told_m = world.odom().pose.x_m
    assert world.pose.x_m - 1.0 == pytest.approx(0.5 * told_m)
    assert told_m > 0.5
    assert (world.twist, world.odom().twist) == (Twist2D(0.15, 0.0), Twist2D(0.3, 0.0))


def test_carried_away_puts_the_base_a_metre_to_its_left_and_odometry_does_not_notice():
    world = house(1.0, 1.5)
    world.set_fault('carried_away')
    wait(world, 0.1)
    assert (world.pose.x_m, world.pose.y_m) == (pytest.approx(1.0), pytest.approx(2.5))
    assert (world.odom().pose.x_m, world.odom().pose.y_m) == (0.0, 0.0)
    assert world.global_pose().pose == world.pose
    assert world.truth().travelled_m == 0.0
