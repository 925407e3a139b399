"""The rows of the fault table that watch the body: battery, lean, joints; and checks that are switched off."""

from __future__ import annotations

import math
from typing import Any

import pytest
from robot_tool_agent.core.geometry import Twist2D
from robot_tool_agent.core.motion import JointTarget
from robot_tool_agent.core.robot import Arm, InputTopic, JointRange
from robot_tool_agent.core.safety.tilt import tilt_of_gravity, tilt_of_orientation, TiltSample
from robot_tool_agent.core.safety_state import SafetyMode as M
from robot_tool_agent.core.samples import BatterySample, JointSample
from robot_tool_agent_sim.world import World
from safety_rig import at, DT_S, FORWARD, house, Rig

ARM = Arm(joints={'elbow': JointRange(min_rad=-1.0, max_rad=2.0, max_speed_radps=0.5)})


def world_with(**robot: Any) -> World:
    world = house()
    world.robot = world.robot.model_copy(update=robot)
    return world


def test_an_empty_battery_parks_the_robot_and_a_reset_lets_it_be_driven_to_the_charger():
    rig = Rig().ready()
    rig.world.battery = lambda: None  # type: ignore[method-assign]

    def battery(fraction: float) -> None:
        rig.safety.on_battery(BatterySample(rig.world.stamp_s, rig.now_s, fraction))

    for fraction in (0.11, math.nan):
        battery(fraction)
        rig.run(6.0)
        assert rig.mode is M.READY
    battery(0.09)
    rig.run(4.9)
    assert rig.mode is M.READY
    rig.until(M.SAFE, limit_s=5.0)
    assert rig.fault == 'BATTERY_LOW'
    assert rig.safety.reset('Ada', rig.now_s).success
    rig.until(M.READY, limit_s=1.5)
    rig.run(7.0, Twist2D(0.05, 0.0))
    assert rig.mode is M.READY
    battery(0.5)
    rig.step()
    battery(0.09)
    rig.run(6.0)
    assert rig.fault == 'BATTERY_LOW', 'it acts again once it had ended'


def with_imu() -> Rig:
    world = world_with(topics=house().robot.topics.model_copy(update={'imu': InputTopic(rate_hz=50.0)}))
    world.imu = lambda: None  # type: ignore[method-assign]
    return Rig(world)


def lean(rig: Rig, tilt_rad: float, duration_s: float) -> None:
    for _ in range(round(duration_s / DT_S)):
        rig.safety.on_tilt(TiltSample(rig.world.stamp_s + 1e-3, rig.now_s, tilt_rad))
        rig.step()


def test_a_leaning_robot_holds_until_it_stands_upright():
    rig = with_imu()
    lean(rig, 0.05, 1.5)
    assert rig.mode is M.READY
    lean(rig, 0.4, 0.1)
    lean(rig, 0.3, 0.3)
    assert rig.mode is M.READY, 'a bump is no fall'
    lean(rig, 0.4, 1.5)
    assert (rig.mode, rig.fault) == (M.HOLDING, 'TILT')
    assert not rig.safety.reset('Ada', rig.now_s).success
    lean(rig, 0.0, 0.2)
    assert rig.safety.reset('Ada', rig.now_s).success


@pytest.mark.parametrize('tilt_rad', [None, math.nan], ids=['silent', 'no number'])
def test_an_imu_that_says_nothing_is_a_lost_input(tilt_rad: float | None):
    rig = with_imu()
    lean(rig, 0.0, 1.5)
    if tilt_rad is None:
        rig.run(0.3)
    else:
        lean(rig, tilt_rad, 0.3)
    assert (rig.mode, rig.fault) == (M.STOPPING, 'INPUT_INVALID')
    assert 'imu' in rig.output.view.detail


@pytest.mark.parametrize('lean_rad', [0.0, 0.3, 1.0, math.pi / 2, 3.0])
def test_lean_by_orientation_and_by_gravity(lean_rad: float):
    half = lean_rad / 2.0
    assert tilt_of_orientation(math.sin(half), 0.0, 0.0, math.cos(half)) == pytest.approx(lean_rad, abs=1e-6)
    assert tilt_of_orientation(0.0, -math.sin(half), 0.0, math.cos(half)) == pytest.approx(lean_rad, abs=1e-6)
    gravity = tilt_of_gravity(9.81 * math.sin(lean_rad), 0.0, 9.81 * math.cos(lean_rad))
    assert gravity == pytest.approx(lean_rad, abs=1e-6)


def test_turning_about_the_vertical_is_no_lean_and_nonsense_is_no_number():
    assert tilt_of_orientation(0.0, 0.0, 1.0, 0.0) == pytest.approx(0.0)
    assert math.isnan(tilt_of_orientation(0.0, 0.0, 0.0, 0.0))
    assert math.isnan(tilt_of_orientation(1e200, 0.0, 0.0, 1.0))
    assert math.isnan(tilt_of_gravity(0.0, 0.0, 0.0))
    assert math.isnan(tilt_of_gravity(math.nan, 0.0, 9.8))


def elbow(rig: Rig, position: float) -> None:
    rig.safety.on_joints(JointSample(rig.world.stamp_s, rig.now_s, {'gripper_joint': 0.1, 'elbow': position}))


def test_a_joint_target_past_its_limits_holds_and_never_goes_out():
    rig = Rig(world_with(arm=ARM)).ready()
    rig.command(None, joints=JointTarget(('elbow',), (2.5,), 1.0))
    output = rig.tick()
    assert output.joints is None
    assert (rig.mode, rig.fault) == (M.STOPPING, 'JOINT_LIMIT')


def test_a_joint_measured_past_its_limits_holds_and_after_a_reset_may_be_brought_back():
    rig = Rig(world_with(arm=ARM)).ready()
    rig.world.joints = lambda: None  # type: ignore[method-assign]
    elbow(rig, 2.01)
    rig.run(0.5)
    assert rig.mode is M.READY, 'within what encoders are exact to'
    elbow(rig, 2.1)
    rig.until(M.HOLDING, limit_s=3.0)
    assert (rig.fault, 'elbow' in rig.output.view.detail) == ('JOINT_LIMIT', True)
    assert rig.safety.reset('Ada', rig.now_s).success
    rig.until(M.READY, limit_s=1.5)
    rig.command(None, joints=JointTarget(('elbow',), (1.6,), 0.1))
    target = rig.tick().joints
    assert target is not None
    assert target.duration_s == pytest.approx((2.1 - 1.6) / 0.5), 'no faster than the joint may go'
    elbow(rig, 1.6)
    rig.step()
    elbow(rig, 2.1)
    rig.run(0.4)
    assert rig.fault == 'JOINT_LIMIT'


@pytest.mark.parametrize(
    ('code', 'strike'),
    [
        ('TILT', lambda rig: lean(rig, 1.0, 1.0)),
        ('RIVAL_PUBLISHER', lambda rig: rig.safety.on_rivals(('/teleop on cmd_vel',))),
        ('BUMPER_CONTACT', lambda rig: rig.press(True)),
        ('ODOM_JUMP', lambda rig: setattr(rig.world, '_odom_pose', rig.world._odom_pose.compose(at(0.5, 0.0)))),
    ],
)
def test_a_check_is_switched_off_by_name_only_and_that_is_told_all_the_time(code: str, strike: Any):
    rig = Rig(with_imu().world, disabled_faults=(code,))
    lean(rig, 0.0, 1.5)
    strike(rig)
    lean(rig, 1.0 if code == 'TILT' else 0.0, 0.5)
    assert rig.mode is M.READY
    assert f'SWITCHED OFF: {code}' in rig.output.view.detail


def test_without_scan_checks_the_gate_is_blind_instead_of_careless():
    rig = Rig(disabled_faults=('SCAN_STALE',)).ready()
    rig.run(0.5, FORWARD)
    rig.scans = False
    rig.run(1.5, FORWARD)
    assert rig.mode is M.READY
    assert rig.true_speed() == 0.0
    assert rig.output.view.limit_reason == 'BLIND'
