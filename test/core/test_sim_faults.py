"""What each fault does, what it leaves alone, and that `none` heals."""

import math
import pickle

import pytest
from robot_tool_agent.core.geometry import Pose2D, Twist2D
from robot_tool_agent_sim.faults import FAULTS, make_fault
from robot_tool_agent_sim.world import World
from sim_house import drive, house, wait

PINNED = {'none', 'gripper_slips', 'odom_frozen', 'scan_lost', 'wheels_stuck', 'bumper_hit', 'motion_lies'}
READINGS = (
    'odom', 'global_pose', 'scan', 'bumper', 'joints', 'battery', 'objects', 'imu', 'estop', 'clock',
)  # fmt: skip


def before_the_cup(fault: str) -> World:
    return house(7.0, 5.08, math.pi / 2, fault=fault)


def opening(world: World) -> float:
    return world.joints().positions['gripper_joint']


def test_table_has_the_pinned_names():
    assert set(FAULTS) >= PINNED


@pytest.mark.parametrize('fault', sorted(FAULTS))
def test_every_fault_heals(fault: str):
    """After `none` the world goes on like one that was never hurt, from the state it was left in."""
    world = house(2.0, 1.9)
    drive(world, 0.3, 0.0, 0.5)
    world.set_fault(fault)
    world.command_gripper(0.0)
    drive(world, 0.3, 0.0, 1.0)
    drive(world, 0.0, 0.0, 1.0)
    world.set_fault('none')
    wait(world, 1.0)
    truth, before = world.truth(), world.pose
    assert truth.fault == 'none'
    assert world.twist == Twist2D(0.0, 0.0)
    assert world.odom().twist == Twist2D(0.0, 0.0)
    for name in READINGS:
        assert getattr(world, name)().stamp_s == world.stamp_s == pytest.approx(3.5), name
    assert not world.bumper().pressed
    assert not world.estop().pressed
    assert world.imu().roll_rad == 0.0
    assert world.battery().fraction > 0.99
    assert opening(world) == 0.0
    assert world.scan().ranges_m.shape == (360,)
    assert world.scan().ranges_m[180] > 0.9
    odom_before = world.odom().pose
    drive(world, 0.2, 0.0, 1.0)
    assert world.pose.x_m - before.x_m == pytest.approx(0.2 - 0.2**2 / (2 * 0.8))
    assert world.odom().pose.x_m - odom_before.x_m == pytest.approx(world.pose.x_m - before.x_m)


@pytest.mark.parametrize('fault', sorted(FAULTS))
def test_every_fault_gives_the_same_bytes_for_the_same_seed(fault: str):
    def tour(seed: int) -> bytes:
        world, seen = house(6.9, 4.6, math.pi / 2, fault=fault, seed=seed), []
        world.command_gripper(0.02)
        for step in range(300):
            world.command_base(Twist2D(0.15 if step < 200 else 0.0, 0.0))
            world.step(0.02)
            seen.append([getattr(world, name)() for name in READINGS if name != 'scan'])
        return pickle.dumps((seen, world.pose, world.truth()))

    assert tour(3) == tour(3)
    assert (tour(3) != tour(4)) == (fault == 'odom_noisy')


def test_unknown_name_is_refused_with_the_valid_ones_and_changes_nothing():
    world = house(fault='scan_lost')
    with pytest.raises(ValueError, match=r"unknown fault 'nonsense'; valid names: none, .*motion_lies"):
        world.set_fault('nonsense')
    assert world.truth().fault == 'scan_lost'
    assert world.scan() is None
    with pytest.raises(ValueError, match='valid names'):
        make_fault('')


def test_odom_frozen_repeats_one_sample_and_leaves_the_rest():
    world = house()
    drive(world, 0.3, 0.0, 1.0)
    world.set_fault('odom_frozen')
    frozen = world.odom()
    drive(world, 0.3, 0.0, 1.0)
    assert world.odom() is frozen
    assert frozen.stamp_s == pytest.approx(1.0)
    assert world.pose.x_m > 1.3
    assert world.global_pose().pose == world.pose
    assert world.scan().stamp_s == pytest.approx(2.0)
    world.set_fault('none')
    assert world.odom().pose.x_m == pytest.approx(world.pose.x_m - 1.0)


def test_scan_lost_is_silent_until_healed():
    world = house(fault='scan_lost')
    assert world.scan() is None
    assert world.odom() is not None
    world.set_fault('none')
    assert world.scan().ranges_m[0] == pytest.approx(1.0)


def test_wheels_stuck_stands_and_says_so():
    world = house()
    drive(world, 0.4, 0.0, 1.0)
    before = world.pose
    world.set_fault('wheels_stuck')
    drive(world, 0.4, 0.5, 1.0)
    assert world.pose == before
    assert world.twist == Twist2D(0.0, 0.0)
    assert world.odom().twist == Twist2D(0.0, 0.0)
    assert world.odom().pose.x_m == pytest.approx(before.x_m - 1.0)
    world.set_fault('none')
    drive(world, 0.4, 0.0, 0.1)
    # healed wheels start from rest
    assert world.twist.v_mps == pytest.approx(0.08)


def test_bumper_hit_strikes_once_when_the_base_moves():
    world = house(fault='bumper_hit')
    wait(world, 1.0)
    assert not world.bumper().pressed
    drive(world, 0.2, 0.0, 0.06)
    assert not world.bumper().pressed
    drive(world, 0.2, 0.0, 0.01)
    assert world.bumper().pressed
    drive(world, 0.2, 0.0, 0.5)
    assert world.bumper().pressed
    drive(world, 0.2, 0.0, 0.05)
    assert not world.bumper().pressed
    drive(world, 0.2, 0.0, 2.0)
    assert not world.bumper().pressed
    assert world.truth().contacts == 0


def test_gripper_slips_a_moment_after_the_grasp():
    world = before_the_cup('gripper_slips')
    world.command_gripper(0.0)
    wait(world, 0.4)
    assert world.truth().held == 'cup_1'
    wait(world, 0.28)
    assert world.truth().held == 'cup_1'
    assert opening(world) == 0.06
    wait(world, 0.03)
    assert world.truth().held is None
    wait(world, 1.0)
    assert opening(world) == 0.0
    assert world.object_positions()['cup_1'].distance_to(Pose2D(7.0, 5.48, 0.0).point) < 1e-9
    truth = world.truth()
    assert (truth.picks, truth.places) == (1, 0)


def test_gripper_slips_as_soon_as_the_base_backs_off():
    world = before_the_cup('gripper_slips')
    world.command_gripper(0.0)
    wait(world, 0.42)
    assert world.truth().held == 'cup_1'
    drive(world, -0.2, 0.0, 0.05)
    assert world.truth().held is None
    drive(world, -0.2, 0.0, 1.0)
    assert world.object_positions()['cup_1'].y_m == pytest.approx(5.48, abs=0.001)


def test_motion_lies_about_the_base():
    world = house()
    wait(world, 0.1)
    world.set_fault('motion_lies')
    drive(world, 0.4, 0.0, 1.5)
    assert world.pose == Pose2D(1.0, 1.0, 0.0)
    assert world.twist == Twist2D(0.0, 0.0)
    assert world.odom().pose.x_m == pytest.approx(0.1 + 0.4)
    assert world.odom().twist == Twist2D(0.4, 0.0)
    assert world.global_pose().pose == Pose2D(1.0, 1.0, 0.0)
    assert world.truth().travelled_m == 0.0
    world.set_fault('none')
    assert world.twist == Twist2D(0.0, 0.0)
    drive(world, 0.4, 0.0, 0.1)
    assert world.twist.v_mps == pytest.approx(0.08)


def test_motion_lies_about_the_gripper():
    world = before_the_cup('motion_lies')
    world.command_gripper(0.0)
    wait(world, 0.2)
    assert opening(world) == pytest.approx(0.08)
    wait(world, 1.0)
    assert opening(world) == 0.06
    truth = world.truth()
    assert (truth.held, truth.picks) == (None, 0)
    drive(world, -0.2, 0.0, 1.0)
    assert [item.position.y_m for item in world.objects().objects if item.id == 'cup_1'] == [5.48]
    world.command_gripper(0.1)
    wait(world, 1.0)
    assert opening(world) == pytest.approx(0.1)
    assert world.truth().places == 0


def test_lying_gripper_keeps_what_it_really_holds():
    world = before_the_cup('none')
    world.command_gripper(0.0)
    wait(world, 1.0)
    world.set_fault('motion_lies')
    assert opening(world) == 0.06
    world.command_gripper(0.1)
    wait(world, 1.0)
    assert opening(world) == pytest.approx(0.1)
    assert world.truth().held == 'cup_1'
