"""Grasping, carrying, releasing and seeing objects. The cup lies at (7.0, 5.48) and is 0.06 m wide."""

import math

import pytest
from robot_tool_agent.core.geometry import Point
from robot_tool_agent_sim.world import World
from sim_house import drive, house, wait

CUP = Point(7.0, 5.48)
REACH_M = 0.40


def before_the_cup(short_m: float = 0.0, aside_m: float = 0.0, fault: str = 'none') -> World:
    """Return the house with the robot facing the counter, the grasp point off the cup by the given amounts."""
    return house(CUP.x_m + aside_m, CUP.y_m - REACH_M - short_m, math.pi / 2, fault=fault)


def opening(world: World) -> float:
    joints = world.joints()
    assert joints is not None
    return joints.positions['gripper_joint']


def test_closes_at_its_speed_and_stops_at_the_width_of_the_cup():
    world = before_the_cup()
    assert opening(world) == 0.10
    world.command_gripper(0.0)
    wait(world, 0.2)
    assert opening(world) == pytest.approx(0.08)
    wait(world, 1.5)
    assert opening(world) == 0.06
    truth = world.truth()
    assert (truth.held, truth.picks, truth.places) == ('cup_1', 1, 0)


def test_closes_empty_where_there_is_nothing():
    world = house()
    world.command_gripper(0.0)
    wait(world, 1.1)
    assert opening(world) == 0.0
    assert world.truth().picks == 0


@pytest.mark.parametrize(
    ('short_m', 'aside_m', 'grasps'),
    [(0.059, 0.0, True), (0.061, 0.0, False), (-0.02, 0.0, True), (0.0, 0.059, True), (0.0, -0.061, False)],
)
def test_grasps_only_within_the_tolerance(short_m: float, aside_m: float, grasps: bool):
    world = before_the_cup(short_m, aside_m)
    world.command_gripper(0.0)
    wait(world, 1.5)
    assert (world.truth().held == 'cup_1') is grasps
    assert (opening(world) == 0.06) is grasps
    if not grasps:
        assert world.object_positions()['cup_1'] == CUP


def test_facing_away_grasps_nothing():
    world = house(7.0, 5.08, -math.pi / 2)
    world.command_gripper(0.0)
    wait(world, 1.5)
    assert world.truth().picks == 0


def test_closing_not_far_enough_holds_nothing():
    world = before_the_cup()
    world.command_gripper(0.07)
    wait(world, 1.0)
    assert world.truth().held is None


def test_slow_trajectory_takes_its_time_and_a_fast_one_cannot_hurry():
    slow, fast = house(), house()
    slow.command_gripper(0.0, 4.0)
    fast.command_gripper(0.0, 0.1)
    wait(slow, 2.0)
    wait(fast, 0.5)
    assert opening(slow) == pytest.approx(0.05)
    assert opening(fast) == pytest.approx(0.05)


def test_the_cup_moves_with_the_grasp_point_and_stays_where_it_is_let_go():
    world = before_the_cup(0.03)
    world.command_gripper(0.0)
    wait(world, 1.0)
    drive(world, -0.2, 0.0, 1.5)
    wait(world, 1.0)
    grasp = world.pose.transform_point(Point(REACH_M, 0.0))
    assert world.object_positions()['cup_1'] == grasp
    assert grasp.y_m < CUP.y_m - 0.2
    world.command_gripper(0.1)
    wait(world, 1.0)
    drive(world, -0.2, 0.0, 1.0)
    assert world.object_positions()['cup_1'] == grasp
    truth = world.truth()
    assert (truth.held, truth.picks, truth.places) == (None, 1, 1)


def test_sees_the_held_cup_at_the_grasp_point():
    world = before_the_cup()
    world.command_gripper(0.0)
    wait(world, 1.0)
    drive(world, 0.0, 1.0, 3.0)
    seen = {item.id: item for item in world.objects().objects}
    assert seen['cup_1'].position == world.object_positions()['cup_1']
    assert 'bottle_1' not in seen


@pytest.mark.parametrize(
    ('x_m', 'y_m', 'yaw_rad', 'expected'),
    [
        (7.0, 4.7, math.pi / 2, {'cup_1', 'bottle_1'}),
        (7.0, 4.7, -math.pi / 2, set()),  # facing away
        (6.5, 3.3, math.pi / 2, {'cup_1'}),  # bottle 2.54 m off
        (6.7, 2.8, math.pi / 2, set()),  # cup 2.70 m off
        (5.8, 3.6, math.pi / 4, {'cup_1'}),
        (7.7, 1.4, 0.0, {'book_1'}),
        (4.2, 4.8, 0.2, set()),  # beyond the range
        (1.0, 1.0, 0.0, set()),
    ],
)
def test_detects_what_is_in_range_and_ahead(x_m: float, y_m: float, yaw_rad: float, expected: set[str]):
    assert {item.id for item in house(x_m, y_m, yaw_rad).objects().objects} == expected


def test_a_room_wall_hides_what_is_behind_it():
    world = house(8.0, 3.3, -math.pi / 2)
    assert Point(8.0, 3.3).distance_to(Point(8.48, 1.4)) < 2.5
    assert world.objects().objects == ()


def test_detections_are_in_the_map_frame_with_label_and_confidence():
    cup = house(7.0, 4.7, math.pi / 2).objects().objects[0]
    assert (cup.id, cup.label, cup.position) == ('cup_1', 'cup', CUP)
    assert cup.confidence == pytest.approx(1.0 - 0.2 * 0.78 / 2.5)


@pytest.mark.parametrize('opening_m', [math.nan, math.inf])
def test_an_opening_that_is_no_number_is_ignored(opening_m: float):
    world = house()
    world.command_gripper(opening_m)
    wait(world, 0.5)
    assert opening(world) == 0.10
