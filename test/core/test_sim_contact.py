"""Walls stop the base, and each touch counts once."""

import math

import pytest
from robot_tool_agent.core.geometry import Twist2D
from robot_tool_agent.core.robot import Footprint
from sim_house import drive, house, wait

SQUARE = Footprint(polygon_m=((0.2, 0.15), (-0.2, 0.15), (-0.2, -0.15), (0.2, -0.15)))


def test_stops_at_the_wall_and_counts_one_contact():
    world = house(8.0, 2.6)
    drive(world, 0.5, 0.0, 5.0)
    # outer wall at x 9.0, footprint radius 0.18
    assert world.pose.x_m == pytest.approx(8.82, abs=1e-4)
    assert world.pose.x_m <= 8.82
    assert world.twist == Twist2D(0.0, 0.0)
    assert world.bumper().pressed
    assert world.truth().contacts == 1
    assert world.truth().travelled_m == pytest.approx(0.82, abs=1e-4)


def test_wheels_slip_against_a_wall_and_odometry_counts_them():
    world = house(8.0, 2.6)
    drive(world, 0.5, 0.0, 3.0)
    # 0.625 s of acceleration at 0.8 m/s^2, the rest of 3 s at 0.5 m/s
    assert world.odom().pose.x_m == pytest.approx(0.5 * 0.8 * 0.625**2 + 0.5 * (3.0 - 0.625))
    assert world.odom().twist == Twist2D(0.5, 0.0)
    assert world.global_pose().pose.x_m == pytest.approx(8.82, abs=1e-4)
    drive(world, 0.0, 0.0, 0.5)
    slipped_m = world.odom().pose.x_m - 0.82
    assert world.odom().twist == Twist2D(0.0, 0.0)
    drive(world, -0.3, 0.0, 1.0)
    # off the wall the wheels grip again: odometry keeps the offset it got
    assert world.pose.x_m < 8.82 - 0.2
    assert world.odom().pose.x_m - (world.pose.x_m - 8.0) == pytest.approx(slipped_m, abs=1e-4)


def test_stalling_wheels_are_an_option_and_then_odometry_stays_true():
    world = house(8.0, 2.6, wheels_slip=False)
    drive(world, 0.5, 0.0, 5.0)
    assert world.pose.x_m == pytest.approx(8.82, abs=1e-4)
    assert world.odom().pose.x_m == pytest.approx(0.82, abs=1e-4)
    assert world.odom().twist == Twist2D(0.0, 0.0)
    assert world.truth().contacts == 1


@pytest.mark.parametrize('dt_s', [0.02, 0.1, 0.25])
def test_never_leaps_through_a_wall(dt_s: float):
    world = house(4.0, 3.5)
    drive(world, 0.5, 0.0, 6.0, dt_s)
    assert world.pose.x_m == pytest.approx(4.5 - 0.18, abs=1e-4)


def test_bumper_stays_pressed_while_touching_and_a_little_longer():
    world = house(8.0, 2.6)
    drive(world, 0.3, 0.0, 4.0)
    wait(world, 3.0)
    assert world.bumper().pressed
    drive(world, -0.2, 0.0, 0.15)
    # 0.15 s at 0.8 m/s^2 is 9 mm: off the wall, within the hold
    assert world.pose.x_m < 8.82 - 0.005
    assert world.bumper().pressed
    drive(world, -0.2, 0.0, 0.3)
    assert not world.bumper().pressed
    assert world.truth().contacts == 1


def test_a_second_touch_counts_again():
    world = house(8.0, 2.6)
    for _ in range(2):
        drive(world, 0.3, 0.0, 4.0)
        drive(world, -0.3, 0.0, 1.0)
    assert world.truth().contacts == 2


def test_may_turn_and_drive_away_from_contact():
    world = house(8.5, 2.6)
    drive(world, 0.3, 0.0, 3.0)
    drive(world, 0.0, 1.0, 3.0)
    assert world.truth().turned_rad > 2.0
    drive(world, 0.3, 0.0, 2.0)
    assert world.pose.x_m < 8.5


def test_passes_through_a_door():
    world = house(3.5, 1.5)
    drive(world, 0.5, 0.0, 4.0)
    assert world.pose.x_m > 5.0
    assert world.truth().contacts == 0


def test_polygon_touches_with_its_front_or_its_corner():
    front = house(8.0, 2.6, footprint=SQUARE)
    drive(front, 0.5, 0.0, 4.0)
    assert front.pose.x_m == pytest.approx(9.0 - 0.2, abs=1e-4)
    corner = house(8.0, 2.4, math.pi / 4, footprint=SQUARE)
    drive(corner, 0.5, 0.0, 4.0)
    # the front left corner leads along y: reach (0.2 + 0.15) / sqrt(2) to the wall at y 3.0
    assert corner.pose.y_m == pytest.approx(3.0 - 0.35 / math.sqrt(2), abs=1e-4)
    assert corner.truth().contacts == 1


def test_polygon_cannot_turn_into_a_wall():
    world = house(8.84, 2.5, math.pi / 2, footprint=SQUARE)
    drive(world, 0.0, 1.0, 3.0)
    assert world.truth().contacts == 1
    assert abs(world.pose.yaw_rad - math.pi / 2) < 0.1


def test_refuses_a_spawn_inside_a_wall():
    with pytest.raises(ValueError, match='spawn'):
        house(4.5, 0.5)
