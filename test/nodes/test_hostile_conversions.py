"""Hostile messages of every kind through the conversions into what the nodes hold: nothing raises, nothing moves."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
import math
from random import Random
from typing import Any

from geometry_msgs.msg import PoseWithCovarianceStamped
from hostile_messages import hostile
from hypothesis import given, settings
from hypothesis import strategies as st
from nav_msgs.msg import Odometry
import pytest
from robot_tool_agent.core.sensors import SensorView
from robot_tool_agent.nodes import conversions
from robot_tool_agent.nodes.safety_inputs import tilt_sample
from robot_tool_agent_interfaces.msg import DetectedObjects, Heartbeat, MotionCommand, SafetyState
from safety_rig import cruising, FORWARD, Rig
from sensor_msgs.msg import BatteryState, Imu, JointState, LaserScan
from sim_house import robot_description
from std_msgs.msg import Bool
from trajectory_msgs.msg import JointTrajectory

SEEDS = settings(max_examples=60, derandomize=True, deadline=None, database=None)
seeds = st.integers(0, 10**9)


def bumper(message: Bool, received_s: float) -> Any:
    return conversions.bumper_sample(message, received_s, received_s)


SENSORS: dict[str, tuple[type, Callable[[Any, float], Any]]] = {
    'on_odom': (Odometry, conversions.odom_sample),
    'on_scan': (LaserScan, conversions.scan_sample),
    'on_global_pose': (PoseWithCovarianceStamped, conversions.global_pose_sample),
    'on_joints': (JointState, conversions.joint_sample),
    'on_battery': (BatteryState, conversions.battery_sample),
    'on_bumper': (Bool, bumper),
    'on_objects': (DetectedObjects, conversions.objects_sample),
    'on_tilt': (Imu, tilt_sample),
    'on_estop': (Bool, bumper),
}
OF_SAFETY = [name for name in SENSORS if name != 'on_objects']
OF_VIEW = [name for name in SENSORS if name not in ('on_tilt', 'on_estop')]


def samples(take: str, random: Random, now_s: float, stamp_s: float) -> list[Any]:
    """Return a hostile message's sample as it came, and as if its stamp were in order."""
    kind, convert = SENSORS[take]
    sample = convert(hostile(kind, random), now_s)
    return [sample, replace(sample, stamp_s=stamp_s)]


def obeys(rig: Rig) -> None:
    """Assert that what the gate says is a number within the robot's limits."""
    limits, output = rig.world.robot.limits, rig.tick()
    assert output.twist.is_finite()
    assert -limits.max_reverse_mps <= output.twist.v_mps <= limits.max_speed_mps
    assert abs(output.twist.w_radps) <= limits.max_turn_radps
    if output.joints is not None:
        assert all(math.isfinite(value) for value in output.joints.positions)
    assert len(output.view.detail) <= 600


@pytest.mark.parametrize('take', OF_SAFETY)
@SEEDS
@given(seed=seeds)
def test_safety_bears_any_sensor_message(take: str, seed: int):
    random, rig = Random(seed), Rig().ready()
    for _ in range(6):
        rig.step(FORWARD)
        for sample in samples(take, random, rig.now_s, rig.world.stamp_s + 1e-3):
            getattr(rig.safety, take)(sample)
        obeys(rig)


@SEEDS
@given(seed=seeds)
def test_safety_bears_any_command_and_never_moves_by_a_hostile_one(seed: int):
    random, rig = Random(seed), Rig().ready()
    for _ in range(6):
        message = hostile(MotionCommand, random)
        message.epoch = random.choice((message.epoch, rig.safety.epoch))
        message.twist.linear.x = random.choice((math.nan, math.inf, -math.inf))
        try:
            rig.safety.on_command(conversions.motion_request(message), rig.now_s)
        except ValueError as error:
            rig.safety.on_malformed_command(message.epoch, str(error), rig.now_s)
        obeys(rig)
        rig.step()
        obeys(rig)
        assert rig.output.twist.is_zero()


@SEEDS
@given(seed=seeds)
def test_a_driving_robot_bears_any_command_and_any_heartbeat(seed: int):
    random, rig = Random(seed), cruising()
    for _ in range(4):
        message = hostile(MotionCommand, random)
        with suppress(ValueError):
            rig.safety.on_command(conversions.motion_request(message), rig.now_s)
        pulse = hostile(Heartbeat, random)
        rig.safety.on_heartbeat(pulse.node, pulse.boot_id, pulse.sequence, rig.now_s)
        rig.step(FORWARD)
        obeys(rig)


@pytest.mark.parametrize('take', OF_VIEW)
@SEEDS
@given(seed=seeds)
def test_the_executors_view_holds_only_numbers(take: str, seed: int):
    random, view = Random(seed), SensorView(robot_description())
    for second in range(1, 6):
        for sample in samples(take, random, 10.0 + second, 1000.0 + second):
            getattr(view, take)(sample)
        pose, opening_m = view.map_pose(), view.gripper_opening_m()
        assert pose is None or pose.is_sane()
        assert opening_m is None or math.isfinite(opening_m)
        assert view.battery is None or math.isfinite(view.battery.fraction)
        assert view.objects is None or all(item.position.is_sane() for item in view.objects.objects)
        assert view.odom is None or (view.odom.pose.is_sane() and view.odom.twist.is_finite())


@SEEDS
@given(seed=seeds)
def test_a_safety_state_is_read_or_refused_with_value_error(seed: int):
    message = hostile(SafetyState, Random(seed))
    if message.state <= SafetyState.ESTOPPED:
        assert int(conversions.safety_view(message).mode) == message.state
    else:
        with pytest.raises(ValueError, match=str(message.state)):
            conversions.safety_view(message)


@SEEDS
@given(seed=seeds)
def test_a_trajectory_is_its_last_point(seed: int):
    message = hostile(JointTrajectory, Random(seed))
    target = conversions.joint_target(message)
    assert (target is None) == (not message.points)
    if target is not None:
        assert target.names == tuple(message.joint_names)
        assert len(target.positions) == len(message.points[-1].positions)
