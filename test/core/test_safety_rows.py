"""The rows of the fault table that watch over time: when each strikes, when it does not, how the robot comes back."""

from __future__ import annotations

from typing import Any

import pytest
from robot_tool_agent.core.geometry import Twist2D, ZERO_TWIST
from robot_tool_agent.core.robot import Arm, JointRange
from robot_tool_agent.core.safety_state import SafetyMode as M
from robot_tool_agent.core.samples import GlobalPoseSample, OdomSample
from robot_tool_agent_sim.world import World
from safety_rig import at, BOOT_ID, cruising, DT_S, FORWARD, house, modes_of, Rig

ARM = Arm(joints={'elbow': JointRange(min_rad=-1.0, max_rad=2.0, max_speed_radps=0.5)})


def world_with(**robot: Any) -> World:
    world = house()
    world.robot = world.robot.model_copy(update=robot)
    return world


def test_pushing_on_against_an_obstacle_is_a_fault_only_when_it_persists():
    rig = Rig(house(4.5 - 0.18 - 0.30, 2.5, 0.0)).ready()
    rig.run(5.0, FORWARD)
    assert rig.mode is M.READY
    rig.until(M.STOPPING, limit_s=4.0, twist=FORWARD)
    assert rig.fault == 'OBSTACLE_PERSISTS'
    rig = Rig(house(4.5 - 0.18 - 0.30, 2.5, 0.0)).ready()
    for _ in range(4):
        rig.run(4.0, FORWARD)
        rig.run(0.5)
    assert rig.mode is M.READY, 'a command that ends in between is no persistence'


FENCE = ((0.2, 0.2), (2.0, 0.2), (2.0, 3.0), (0.2, 3.0))


def test_the_gate_stops_at_the_geofence_and_lets_the_way_back_pass():
    rig = Rig(world_with(geofence=FENCE)).ready()
    rig.run(5.0, FORWARD)
    assert 1.9 < rig.world.pose.x_m <= 2.0 + 1e-6
    assert rig.output.view.limit_reason == 'GEOFENCE'
    assert rig.mode is M.READY
    rig.run(1.0, Twist2D(-0.2, 0.0))
    assert rig.world.pose.x_m < 1.9
    rig.run(1.0, Twist2D(0.0, 1.0))
    assert rig.world.truth().turned_rad > 0.7


def test_outside_the_geofence_holds_and_after_a_reset_only_inwards_passes():
    rig = Rig(world_with(geofence=FENCE)).ready()
    shifted = rig.safety._aware.localizer

    def localize_outside() -> None:
        pose = rig.world.pose
        shifted.on_global_pose(GlobalPoseSample(rig.world.stamp_s, rig.now_s, at(pose.x_m + 1.2, pose.y_m)))

    rig.world.global_pose = lambda: None  # type: ignore[method-assign]
    for _ in range(20):
        rig.step()
        localize_outside()
    assert (rig.mode, rig.fault) == (M.STOPPING, 'GEOFENCE')
    rig.until(M.HOLDING, limit_s=3.0)
    assert '0.20 m outside' in rig.output.view.detail
    assert rig.safety.reset('Ada', rig.now_s).success
    rig.until(M.READY, limit_s=1.5)
    rig.run(0.5, Twist2D(0.2, 0.0))
    assert rig.mode is M.READY, 'a person knows'
    assert rig.world.truth().travelled_m == 0.0
    rig.call_id = 'home'
    rig.run(2.5, Twist2D(-0.2, 0.0))
    assert rig.world.truth().travelled_m > 0.3


def test_too_much_speed_is_cut_at_once_and_a_fault_when_it_persists():
    rig = Rig().ready()
    rig.run(0.9, Twist2D(0.8, 0.0))
    assert rig.mode is M.READY
    rig.run(0.2, Twist2D(0.8, 0.0))
    assert (rig.mode, rig.fault) == (M.STOPPING, 'COMMAND_OVERSPEED')
    assert max(output.twist.v_mps for _, output in rig.history) <= 0.5
    rig = Rig().ready()
    rig.run(2.5, Twist2D(0.51, 0.0))
    assert rig.mode is M.READY, 'rounding is no overspeed'


def test_another_epoch_is_dropped_at_once_and_a_fault_when_it_persists():
    rig = Rig().ready()
    for _ in range(95):
        rig.command(FORWARD, epoch=rig.safety.epoch + 5)
        rig.step()
    assert rig.mode is M.READY
    epoch = rig.safety.epoch + 5
    for _ in range(10):
        rig.command(FORWARD, epoch=epoch)
        rig.step()
    assert (rig.mode, rig.fault) == (M.STOPPING, 'EPOCH_MISMATCH')
    assert rig.world.truth().travelled_m == 0.0


def test_a_jump_of_odometry_holds_at_once():
    rig = cruising()
    rig.world._odom_pose = rig.world._odom_pose.compose(at(0.5, 0.0))
    rig.step(FORWARD)
    assert (rig.mode, rig.fault) == (M.STOPPING, 'ODOM_JUMP')


def test_without_localization_a_reset_takes_the_new_odometry_for_the_map_again():
    topics = house().robot.topics.model_copy(update={'global_pose': None})
    rig = Rig(world_with(topics=topics, geofence=None)).ready()
    rig.run(0.5, FORWARD)
    rig.world.shift_odom(1.0)
    rig.until(M.HOLDING, limit_s=3.0)
    assert rig.fault == 'ODOM_JUMP'
    assert rig.safety._aware.map_pose() is None
    assert rig.safety.reset('Ada', rig.now_s).success
    assert rig.safety._aware.map_pose() is not None


def freeze(rig: Rig, duration_s: float, sensors: bool) -> None:
    rig.odometry = rig.scans = rig.bumper = sensors
    frozen_s = rig.world.stamp_s
    for _ in range(round(duration_s / DT_S)):
        rig.safety.on_ros_time(frozen_s, rig.now_s)
        rig.step(FORWARD)
    rig.odometry = rig.scans = rig.bumper = True


def run_clock(rig: Rig, duration_s: float, twist: Twist2D | None = None) -> None:
    for _ in range(round(duration_s / DT_S)):
        rig.safety.on_ros_time(rig.world.stamp_s + DT_S, rig.now_s)
        rig.step(twist)


@pytest.mark.parametrize('sensors', [True, False], ids=['sensors go on', 'sensors stop with it'])
def test_a_frozen_clock_holds_and_the_robot_is_ready_again_by_itself(sensors: bool):
    rig = Rig().ready()
    run_clock(rig, 1.0, FORWARD)
    epoch, start = rig.safety.epoch, rig.now_s
    freeze(rig, 4.0, sensors)
    assert (rig.mode, rig.fault) == (M.HOLDING, 'CLOCK_FROZEN')
    strike_s = next(t for t, output in rig.history if output.view.mode is M.STOPPING)
    assert strike_s - start == pytest.approx(0.5 if sensors else 0.25, abs=0.06)
    began = rig.world.pose
    run_clock(rig, 3.0)
    assert modes_of(rig)[-3:] == [M.HOLDING, M.STARTING, M.READY]
    assert rig.safety.epoch == epoch + 2
    assert rig.world.pose == began, 'nothing moves before a command of the new epoch'


def test_a_frozen_clock_with_another_fault_needs_a_person():
    rig = Rig().ready()
    run_clock(rig, 1.0, FORWARD)
    rig.trip('SKILL_UNKNOWN')
    freeze(rig, 2.0, False)
    run_clock(rig, 5.0)
    assert rig.mode is M.HOLDING
    rig = Rig().ready()
    run_clock(rig, 1.0)
    rig.beats = False
    freeze(rig, 2.0, False)
    run_clock(rig, 5.0)
    assert rig.mode is M.HOLDING, 'the executor was lost meanwhile'


def test_a_lost_planner_is_told_and_stops_nothing():
    rig = cruising()
    rig.safety.on_heartbeat('planner', 1, 1, rig.now_s)
    rig.run(1.9, Twist2D(0.1, 0.0))
    assert 'PLANNER_LOST' not in rig.output.view.detail
    rig.run(0.3, Twist2D(0.1, 0.0))
    assert 'PLANNER_LOST' in rig.output.view.detail
    assert (rig.mode, rig.fault) == (M.READY, '')
    rig.safety.on_heartbeat('planner', 1, 2, rig.now_s)
    rig.step()
    assert 'PLANNER_LOST' not in rig.output.view.detail


def claim(rig: Rig, twist: Twist2D, duration_s: float, command: Twist2D | None = None) -> None:
    """Let odometry measure a velocity, whatever the robot does."""
    rig.odometry = False
    for _ in range(round(duration_s / DT_S)):
        rig.step(command)
        rig.safety.on_odom(OdomSample(rig.world.stamp_s, rig.now_s, at(1e-6 * rig.ticks), twist))


@pytest.mark.parametrize(
    ('measured', 'command'),
    [
        (Twist2D(0.1, 0.0), None),
        (Twist2D(0.0, 0.5), None),
        (Twist2D(-0.1, 0.0), Twist2D(0.2, 0.0)),
        (Twist2D(0.5, 0.0), Twist2D(0.2, 0.0)),
        (Twist2D(0.2, 0.6), Twist2D(0.2, 0.0)),
    ],
    ids=['creeps alone', 'turns alone', 'the other way', 'faster', 'turns while it should not'],
)
def test_motion_that_no_command_explains_holds(measured: Twist2D, command: Twist2D | None):
    rig = Rig(disabled_faults=('ODOM_JUMP',)).ready()
    rig.run(0.5, command)
    claim(rig, measured, 0.26, command)
    assert rig.mode is M.READY, 'a few samples are noise'
    claim(rig, measured, 0.3, command)
    assert (rig.mode, rig.fault) == (M.STOPPING, 'MOTION_WITHOUT_COMMAND')


def test_one_noisy_sample_in_three_is_no_motion():
    rig = Rig(disabled_faults=('ODOM_JUMP',)).ready()
    for _ in range(40):
        claim(rig, Twist2D(0.2, 0.0), 0.02)
        claim(rig, ZERO_TWIST, 0.04)
    assert rig.mode is M.READY


def test_moving_far_less_than_commanded_is_a_fault_after_the_executor_had_its_time():
    rig = cruising(disabled_faults=('ODOM_JUMP',))
    claim(rig, Twist2D(0.2, 0.0), 3.8, FORWARD)
    assert rig.mode is M.READY
    claim(rig, Twist2D(0.2, 0.0), 0.5, FORWARD)
    assert (rig.mode, rig.fault) == (M.STOPPING, 'NOT_FOLLOWING')
    rig = cruising(disabled_faults=('ODOM_JUMP',))
    claim(rig, Twist2D(0.3, 0.0), 6.0, FORWARD)
    assert rig.mode is M.READY, 'a quarter less is wear, not a fault'


def test_another_publisher_holds_and_blocks_the_reset_until_it_ends():
    rig = cruising()
    rig.safety.on_rivals(('/teleop on cmd_vel',))
    rig.until(M.HOLDING, limit_s=3.0)
    assert rig.fault == 'RIVAL_PUBLISHER'
    assert '/teleop on cmd_vel' in rig.safety.reset('Ada', rig.now_s).message
    rig.safety.on_rivals(())
    assert rig.safety.reset('Ada', rig.now_s).success


def test_a_second_safety_node_is_a_rival_and_the_own_heartbeat_is_not():
    rig = cruising()
    for sequence in range(30):
        rig.safety.on_heartbeat('safety', BOOT_ID, sequence, rig.now_s)
        rig.step(FORWARD)
    assert rig.mode is M.READY
    for sequence in range(40):
        rig.safety.on_heartbeat('safety', BOOT_ID + 7, sequence, rig.now_s)
        rig.step(FORWARD)
    assert rig.fault == 'RIVAL_PUBLISHER'
