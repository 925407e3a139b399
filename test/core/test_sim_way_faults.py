"""Saboteurs of the way, of what is carried, and of what a driver writes round a reading."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from robot_tool_agent.core.geometry import Point
from robot_tool_agent_sim.doorways import doorways
from robot_tool_agent_sim.faults import make_fault
from sim_house import drive, house, wait


def test_the_house_has_its_four_doors():
    world = house(1.0, 1.5)
    middles = {
        (round((first.x_m + second.x_m) / 2, 3), round((first.y_m + second.y_m) / 2, 3))
        for first, second in doorways(list(world.robot.map.walls))
    }
    assert middles == {(4.5, 1.5), (4.5, 4.5), (2.3, 3.0), (6.7, 3.0)}


def test_shut_doors_are_seen_and_felt_and_open_again():
    world = house(3.5, 1.5)
    far_m = world.scan().ranges_m[180]
    world.set_fault('doors_shut')
    assert world.scan().ranges_m[180] == pytest.approx(4.5 - 0.06 - 3.5, abs=0.02)
    assert far_m > 2.0
    drive(world, 0.5, 0.0, 3.0)
    assert world.pose.x_m < 4.5 - 0.18
    assert world.truth().contacts == 1
    world.set_fault('none')
    drive(world, 0.5, 0.0, 3.0)
    assert world.pose.x_m > 4.6


def test_a_door_is_not_shut_on_the_robot():
    world = house(4.5, 1.5, fault='doors_shut')
    drive(world, 0.3, 0.0, 1.0)
    assert world.truth().contacts == 0


def test_what_is_carried_falls_after_a_metre():
    world = house(7.0, 5.08, 1.5708)
    world.command_gripper(0.0)
    wait(world, 1.0)
    world.set_fault('gripper_drops')
    for _ in range(3):
        drive(world, -0.3, 0.0, 1.0)
    assert world.truth().held == 'cup_1'
    drive(world, -0.3, 0.0, 1.0)
    assert world.truth().held is None
    assert world.truth().places == 0
    assert world.object_positions()['cup_1'].distance_to(Point(7.0, 5.48 - 1.0)) < 0.1


@pytest.mark.parametrize(
    ('fault', 'topic'),
    [
        ('odom_wrong_frame', 'odom'),
        ('scan_wrong_frame', 'scan'),
        ('global_pose_wrong_frame', 'global_pose'),
        ('objects_wrong_frame', 'detected_objects'),
    ],
)
def test_a_wrong_frame_is_that_of_one_topic(fault: str, topic: str):
    saboteur = make_fault(fault)
    assert saboteur.worded(topic, _message()).header.frame_id == 'elsewhere'
    assert saboteur.worded('imu', _message()).header.frame_id == 'right'


def test_a_zero_quaternion_is_all_zero():
    rotation = make_fault('odom_zero_quaternion').worded('odom', _message()).pose.pose.orientation
    assert (rotation.x, rotation.y, rotation.z, rotation.w) == (0.0, 0.0, 0.0, 0.0)


def _message() -> SimpleNamespace:
    rotation = SimpleNamespace(x=0.0, y=0.0, z=0.6, w=0.8)
    return SimpleNamespace(
        header=SimpleNamespace(frame_id='right'),
        pose=SimpleNamespace(pose=SimpleNamespace(orientation=rotation)),
    )
