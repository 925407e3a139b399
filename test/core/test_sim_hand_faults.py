"""Each saboteur of the grasp: what is really held, what the joint says, where the object is."""

import math

import pytest
from robot_tool_agent.core.geometry import Point, Pose2D
from robot_tool_agent_sim.world import World
from sim_house import drive, house, wait

JOINT = 'gripper_joint'


def before_the_cup(fault: str, away_m: float = 0.4) -> World:
    """Return a world with base_link `away_m` in front of the cup: 0.4 is the reach of the hand."""
    return house(7.0, 5.48 - away_m, math.pi / 2, fault=fault)


def test_gripper_lies_that_something_is_held_and_misses_what_lies_there():
    world = before_the_cup('gripper_lies')
    world.command_gripper(0.0)
    wait(world, 2.0)
    gripper, claimed_m = world.robot.gripper, world.joints().positions[JOINT]
    assert gripper.holds(claimed_m)
    assert claimed_m == pytest.approx(0.055)
    truth = world.truth()
    assert (truth.held, truth.picks, truth.places) == (None, 0, 0)
    drive(world, -0.2, 0.0, 1.0)
    assert [item.position for item in world.objects().objects if item.id == 'cup_1'] == [Point(7.0, 5.48)]
    world.command_gripper(0.1)
    wait(world, 2.0)
    assert world.joints().positions[JOINT] == pytest.approx(0.1)
    assert gripper.is_open(world.joints().positions[JOINT])


def test_gripper_lies_only_while_empty():
    world = before_the_cup('none')
    world.command_gripper(0.0)
    wait(world, 1.0)
    world.set_fault('gripper_lies')
    assert world.joints().positions[JOINT] == 0.06
    world.command_gripper(0.1)
    wait(world, 1.0)
    assert (world.truth().held, world.truth().places) == (None, 1)


@pytest.mark.parametrize('fault', ['object_moved', 'object_removed'])
def test_nothing_happens_to_an_object_until_the_hand_is_near(fault: str):
    world = before_the_cup(fault, away_m=0.4 + 0.26)
    wait(world, 1.0)
    assert world.object_positions()['cup_1'] == Point(7.0, 5.48)


def test_object_moved_goes_to_the_left_once():
    world = before_the_cup('object_moved', away_m=0.4 + 0.24)
    wait(world, 0.01)
    moved = world.object_positions()['cup_1']
    assert moved.distance_to(Point(6.6, 5.48)) < 1e-9
    assert {item.id: item.position for item in world.objects().objects}['cup_1'] == moved
    world.command_gripper(0.0)
    wait(world, 2.0)
    assert world.joints().positions[JOINT] == 0.0
    again = house(6.6, 5.08, math.pi / 2)
    again.hand.things['cup_1'].position = moved
    again.command_gripper(0.0)
    wait(again, 1.0)
    assert again.truth().held == 'cup_1'
    assert world.object_positions()['cup_1'] == moved
    world.reset()
    assert world.object_positions()['cup_1'] == Point(7.0, 5.48)


def test_object_moved_goes_right_where_a_wall_is_on_the_left():
    world = before_the_cup('none')
    world.hand.things['cup_1'].position = Point(6.5, 5.48)
    world.pose = Pose2D(6.5, 5.08, math.pi / 2)
    world.set_fault('object_moved')
    wait(world, 0.01)
    # the counter ends at x 6.2
    assert world.object_positions()['cup_1'].distance_to(Point(6.9, 5.48)) < 1e-9


def test_object_removed_is_gone_for_eyes_and_hand():
    world = before_the_cup('object_removed', away_m=0.4 + 0.24)
    assert 'cup_1' in {item.id for item in world.objects().objects}
    wait(world, 0.01)
    assert 'cup_1' not in {item.id for item in world.objects().objects}
    assert set(world.object_positions()) == {'bottle_1', 'book_1'}
    drive(world, 0.2, 0.0, 1.0)
    world.command_gripper(0.0)
    wait(world, 2.0)
    assert world.truth().picks == 0
    world.reset()
    assert world.object_positions()['cup_1'] == Point(7.0, 5.48)


@pytest.mark.parametrize('fault', ['object_moved', 'object_removed'])
def test_what_is_held_stays_held(fault: str):
    world = before_the_cup('none')
    world.command_gripper(0.0)
    wait(world, 1.0)
    world.set_fault(fault)
    drive(world, -0.2, 0.0, 1.0)
    assert world.truth().held == 'cup_1'
    assert world.joints().positions[JOINT] == 0.06
