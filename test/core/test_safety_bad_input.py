"""Hostile input: each ends in a named fault or a refusal to start, never in motion and never in a crash."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
import math
from pathlib import Path

import numpy as np
from pydantic import ValidationError
import pytest
from robot_tool_agent.config_files import ConfigError, load_robot
from robot_tool_agent.core.geometry import Pose2D, Twist2D
from robot_tool_agent.core.safety.config import SafetyConfig
from robot_tool_agent.core.safety.requests import TripRequest
from robot_tool_agent.core.safety_state import SafetyMode as M
from robot_tool_agent.core.samples import OdomSample, ScanSample
from safety_rig import at, cruising, DT_S, FORWARD, Rig
from sim_house import ROBOT_FILE


def with_ranges(values: Callable[[ScanSample], np.ndarray]) -> Callable[[ScanSample], ScanSample]:
    return lambda scan: replace(scan, ranges_m=np.asarray(values(scan), dtype=np.float64))


SCANS: dict[str, Callable[[ScanSample], ScanSample]] = {
    'empty': with_ranges(lambda scan: np.array([])),
    'a tenth of the rays': with_ranges(lambda scan: scan.ranges_m[:36]),
    'ten times the rays': with_ranges(lambda scan: np.tile(scan.ranges_m, 10)),
    'all NaN': with_ranges(lambda scan: np.full_like(scan.ranges_m, math.nan)),
    'all zero': with_ranges(lambda scan: np.zeros_like(scan.ranges_m)),
    'all negative': with_ranges(lambda scan: np.full_like(scan.ranges_m, -1.0)),
    'stamp of tomorrow': lambda scan: replace(scan, stamp_s=scan.stamp_s + 86400.0),
    'stamp of yesterday': lambda scan: replace(scan, stamp_s=1.0),
    'increment zero': lambda scan: replace(scan, angle_increment_rad=0.0),
    'angle not finite': lambda scan: replace(scan, angle_min_rad=math.inf),
    'range_max zero': lambda scan: replace(scan, range_max_m=0.0),
    'ranges upside down': lambda scan: replace(scan, range_min_m=8.0, range_max_m=0.05),
}
ODOMETRY: dict[str, Callable[[OdomSample], OdomSample]] = {
    'NaN': lambda odom: replace(odom, pose=Pose2D(math.nan, 0.0, 0.0)),
    'infinite yaw': lambda odom: replace(odom, pose=Pose2D(0.0, 0.0, math.inf)),
    'NaN velocity': lambda odom: replace(odom, twist=Twist2D(math.nan, 0.0)),
    'end of the world': lambda odom: replace(odom, pose=Pose2D(1e300, -1e300, 0.0)),
    'jump of 5 m': lambda odom: replace(odom, pose=odom.pose.compose(at(5.0, 0.0))),
    'absurd velocity': lambda odom: replace(odom, twist=Twist2D(1e300, 0.0)),
    'clock backwards': lambda odom: replace(odom, stamp_s=1e6 - odom.stamp_s),
    'stamp of tomorrow': lambda odom: replace(odom, stamp_s=odom.stamp_s + 86400.0),
}


def stops(rig: Rig) -> None:
    """Assert that the robot is stopped by a named fault within a second and touches nothing."""
    began_s = rig.now_s
    while rig.mode is M.READY:
        rig.step(FORWARD)
        assert rig.now_s - began_s < 0.75
    rig.run(0.4, FORWARD)
    assert rig.true_speed() < 0.01
    assert rig.output.view.fault != ''
    assert all(output.twist.is_finite() for _, output in rig.history)
    rig.run(3.0, FORWARD)
    assert rig.mode not in (M.READY, M.RETREATING)
    assert rig.world.truth().contacts == 0


@pytest.mark.parametrize('name', SCANS)
def test_a_bad_scan_stops_the_robot(name: str):
    rig = cruising()
    good = rig.world.scan
    rig.world.scan = lambda: None if (scan := good()) is None else SCANS[name](scan)  # type: ignore[method-assign]
    stops(rig)
    assert rig.output.view.fault == 'SCAN_STALE'


@pytest.mark.parametrize('name', ODOMETRY)
def test_bad_odometry_stops_the_robot(name: str):
    rig = cruising()
    good = rig.world.odom
    rig.world.odom = lambda: None if (odom := good()) is None else ODOMETRY[name](odom)  # type: ignore[method-assign]
    stops(rig)
    assert rig.output.view.fault in ('ODOM_STALE', 'ODOM_JUMP', 'MOTION_WITHOUT_COMMAND', 'STOP_NOT_CONFIRMED')


@pytest.mark.parametrize('name', ['empty', 'all NaN', 'all zero', 'range_max zero'])
def test_a_robot_that_never_saw_a_good_scan_never_gets_ready_and_says_why(name: str):
    rig = Rig()
    good = rig.world.scan
    rig.world.scan = lambda: None if (scan := good()) is None else SCANS[name](scan)  # type: ignore[method-assign]
    rig.run(3.0, FORWARD)
    assert rig.mode is M.STARTING
    assert 'no fresh scan' in rig.output.view.detail
    assert '(' in rig.output.view.detail
    assert rig.world.truth().travelled_m == 0.0


def test_commands_at_a_kilohertz_are_no_faster_than_one():
    rig = Rig().ready()
    for _ in range(50):
        rig.world.step(DT_S)
        rig.ticks += 1
        rig._sense()
        for _ in range(20):
            rig.command(FORWARD)
        rig.tick()
    assert rig.mode is M.READY
    assert max(output.twist.v_mps for _, output in rig.history) == pytest.approx(0.4)
    rises = [b.twist.v_mps - a.twist.v_mps for (_, a), (_, b) in zip(rig.history, rig.history[1:], strict=False)]
    assert max(rises) <= 0.8 * DT_S + 1e-9


@pytest.mark.parametrize(
    ('old', 'new', 'named'),
    [
        ('stop_distance_m: 0.08', 'stop_distance_m: 0.50', 'stop_distance_m'),
        ('dock: {x_m: 1.0, y_m: 1.0', 'dock: {x_m: 11.0, y_m: 1.0', 'dock'),
        ('max_decel_mps2: 1.5', 'max_decel_mps2: 0.0', 'max_decel_mps2'),
        ('max_speed_mps: 0.5', 'max_speed_mps: .nan', 'max_speed_mps'),
        ('retreat_speed_mps: 0.25', 'retreat_speed_mps: 0.9', 'retreat_speed_mps'),
        ('max_decel_mps2: 1.5', 'max_decel_mps2: 1.5\n  max_jerk_mps3: 0.0', 'max_jerk_mps3'),
    ],
)
def test_a_description_that_makes_no_sense_is_refused_by_name(tmp_path: Path, old: str, new: str, named: str):
    text = ROBOT_FILE.read_text(encoding='utf-8')
    assert old in text
    file = tmp_path / 'robot.yaml'
    file.write_text(text.replace(old, new, 1), encoding='utf-8')
    with pytest.raises(ConfigError, match=named):
        load_robot(file)


@pytest.mark.parametrize(
    ('name', 'value'),
    [
        ('clock_frozen_s', 0.0),
        ('motion_band_mps', 0.0),
        ('geofence_margin_m', 0.0),
        ('tilt_limit_rad', 0.0),
        ('trail_spacing_m', 0.5),
        ('not_following_s', math.nan),
        ('obstacle_persists_s', -1.0),
        ('disabled_faults', ('ODOM_STALE',)),
        ('disabled_faults', ('',)),
    ],
)
def test_zero_never_switches_a_check_off(name: str, value: object):
    with pytest.raises(ValidationError, match=name):
        SafetyConfig.model_validate({name: value})


def test_a_megabyte_of_text_stays_out_of_the_state():
    rig = cruising()
    rig.command(FORWARD, call_id='c' * 10**6)
    assert (rig.mode, len(rig.tick().view.detail) <= 600) == (M.STOPPING, True)
    rig = cruising()
    rig.safety.trip(TripRequest('SKILL_FAILED', 'd' * 10**6, 'c' * 10**6), rig.now_s)
    assert len(rig.tick().view.detail) <= 600
