"""What of a velocity is allowed: speed limits, creep, slow-down before stop, contact, and nothing for nothing."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st
import pytest
from robot_tool_agent.core.geometry import Twist2D
from robot_tool_agent.core.motion import Profile
from robot_tool_agent.core.safety.limiter import Limiter, LimitReason, Scene
from robot_tool_agent.core.safety.scans import ScanReader
from robot_tool_agent.core.samples import ScanSample
from safety_rig import at, robot_description, scan_of, wall_ahead

ROBOT = robot_description()
LIMITER = Limiter(ROBOT)
N, A = Profile.NORMAL, Profile.APPROACH


def scene(scan: ScanSample, escape: int = 0) -> Scene:
    obstacles = ScanReader(ROBOT, LIMITER.reach_m).read(scan)
    assert obstacles is not None
    return Scene(obstacles, at(), escape)


@pytest.mark.parametrize(
    ('wanted', 'profile', 'allowed', 'reason'),
    [
        ((0.5, 1.6), N, (0.5, 1.6), LimitReason.NONE),
        ((1.0, 1.0), N, (0.5, 0.5), LimitReason.SPEED),
        ((-0.6, 0.4), N, (-0.3, 0.2), LimitReason.SPEED),
        ((0.2, 3.2), N, (0.1, 1.6), LimitReason.SPEED),
        ((0.24, 0.5), A, (0.12, 0.25), LimitReason.APPROACH_SPEED),
        ((0.1, 0.5), A, (0.1, 0.5), LimitReason.NONE),
        ((0.0, 0.0), N, (0.0, 0.0), LimitReason.NONE),
    ],
)
def test_speed_limits_scale_both_components(
    wanted: tuple[float, float], profile: Profile, allowed: tuple[float, float], reason: LimitReason
):
    found = LIMITER.limit(Twist2D(*wanted), profile, scene(scan_of()))
    assert (found.twist.v_mps, found.twist.w_radps) == pytest.approx(allowed)
    assert found.reason is reason


def test_speed_falls_with_the_distance_and_is_zero_at_the_stop_distance():
    speeds = [LIMITER.limit(Twist2D(0.5, 0.0), N, scene(wall_ahead(0.18 + gap))).twist.v_mps for gap in GAPS_M]
    assert speeds == sorted(speeds, reverse=True)
    assert speeds[0] == 0.5
    assert speeds[-1] == 0.0
    assert 0.0 < speeds[-3] < 0.2


GAPS_M = (1.0, 0.5, 0.4, 0.3, 0.2, 0.12, 0.08, 0.05)


@given(st.floats(0.081, 1.0), st.floats(0.01, 0.5))
def test_braking_from_the_allowed_speed_ends_before_the_stop_distance(gap_m: float, wanted_mps: float):
    limits = ROBOT.limits
    v_mps = LIMITER.limit(Twist2D(wanted_mps, 0.0), N, scene(wall_ahead(0.18 + gap_m))).twist.v_mps
    way_m = v_mps * limits.latency_s + v_mps**2 / (2.0 * limits.max_decel_mps2)
    assert way_m <= gap_m - limits.stop_distance_m + 0.005


def test_the_approach_profile_goes_closer_and_slower():
    near = scene(wall_ahead(0.18 + 0.06))
    assert LIMITER.limit(Twist2D(0.3, 0.0), N, near).twist.v_mps == 0.0
    creep = LIMITER.limit(Twist2D(0.3, 0.0), A, near).twist.v_mps
    assert 0.0 < creep <= 0.12
    assert LIMITER.limit(Twist2D(0.3, 0.0), A, scene(wall_ahead(0.18 + 0.029))).twist.v_mps == 0.0


def test_an_obstacle_keeps_the_arc():
    found = LIMITER.limit(Twist2D(0.4, 0.4), N, scene(wall_ahead(0.18 + 0.2)))
    assert found.reason is LimitReason.OBSTACLE
    assert found.twist.w_radps / found.twist.v_mps == pytest.approx(1.0)


@pytest.mark.parametrize('escape', [1, -1])
def test_in_contact_only_motion_out_of_it_passes(escape: int):
    free = scene(scan_of(), escape)
    out = LIMITER.limit(Twist2D(0.1 * escape, 0.2), N, free)
    assert out.twist == Twist2D(0.1 * escape, 0.2)
    for wanted in (Twist2D(-0.1 * escape, 0.0), Twist2D(0.0, 0.5)):
        found = LIMITER.limit(wanted, N, free)
        assert found.twist.is_zero()
        assert found.reason is LimitReason.CONTACT


@pytest.mark.parametrize(
    ('scan', 'wanted', 'profile'),
    [
        (scan_of(), (0.5, 0.0), N),
        (wall_ahead(0.20), (0.0, 1.6), N),
        (wall_ahead(0.20), (-0.3, 0.0), N),
        (wall_ahead(0.18 + 0.56), (0.5, 0.0), N),
        (scan_of({48: 0.9, 332: 0.7}), (0.5, 0.0), N),
        (wall_ahead(0.18 + 0.14), (0.1, 0.0), A),
    ],
    ids=['nothing', 'turn at a wall', 'back off', 'wall beyond', 'door of 1 m, off centre', 'creep to a counter'],
)
def test_nothing_is_cut_for_nothing(scan: ScanSample, wanted: tuple[float, float], profile: Profile):
    found = LIMITER.limit(Twist2D(*wanted), profile, scene(scan))
    assert found.twist == Twist2D(*wanted)
    assert found.reason is LimitReason.NONE


def test_obstacles_matter_within_reach_only():
    assert 0.18 + 0.4 + 0.5 * 0.5 < LIMITER.reach_m < 3.0
    assert math.isfinite(LIMITER.reach_m)
