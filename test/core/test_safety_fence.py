"""Distances to the geofence, and what of a motion stays inside."""

from __future__ import annotations

import math

import numpy as np
import pytest
from robot_tool_agent.core.geometry import Twist2D
from robot_tool_agent.core.motion import Profile
from robot_tool_agent.core.safety.fence import Fence
from robot_tool_agent.core.safety.limiter import Limiter, LimitReason, Scene
from robot_tool_agent.core.safety.scans import ScanReader
from safety_rig import at, robot_description, scan_of

SQUARE = ((0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0))
ELL = ((0.0, 0.0), (4.0, 0.0), (4.0, 2.0), (2.0, 2.0), (2.0, 4.0), (0.0, 4.0))


@pytest.mark.parametrize('corners', [SQUARE, SQUARE[::-1]], ids=['counter-clockwise', 'clockwise'])
@pytest.mark.parametrize(
    ('point', 'inside_m'),
    [((2.0, 2.0), 2.0), ((3.9, 2.0), 0.1), ((4.5, 2.0), -0.5), ((5.0, 5.0), -math.sqrt(2.0)), ((-0.3, 1.0), -0.3)],
)
def test_distance_to_a_square(corners: tuple[tuple[float, float], ...], point: tuple[float, float], inside_m: float):
    assert Fence(corners).inside_m(*point) == pytest.approx(inside_m)


@pytest.mark.parametrize(
    ('point', 'inside_m'),
    [((1.0, 3.0), 1.0), ((3.0, 3.0), -1.0), ((3.0, 1.0), 1.0), ((1.9, 1.9), math.hypot(0.1, 0.1))],
)
def test_distance_to_a_concave_fence(point: tuple[float, float], inside_m: float):
    assert Fence(ELL).inside_m(*point) == pytest.approx(inside_m)


@pytest.mark.parametrize(
    ('pose', 'twist', 'free_s'),
    [
        ((3.0, 2.0, 0.0), (0.5, 0.0), 2.0),
        ((3.0, 2.0, math.pi), (-0.5, 0.0), 2.0),
        ((3.0, 2.0, math.pi / 2), (0.5, 0.0), math.inf),
        ((4.2, 2.0, 0.0), (0.5, 0.0), 0.0),
        ((4.2, 2.0, 0.0), (-0.5, 0.0), math.inf),
        ((4.2, 2.0, 0.0), (0.0, 1.0), math.inf),
    ],
    ids=['towards', 'backwards towards', 'along', 'further out', 'back in', 'turning outside'],
)
def test_time_to_the_fence(pose: tuple[float, float, float], twist: tuple[float, float], free_s: float):
    assert Fence(SQUARE).free_time_s(Twist2D(*twist), at(*pose), 3.0) == pytest.approx(free_s, abs=0.01)


def test_the_stricter_of_fence_and_obstacle_gives_the_reason():
    robot = robot_description().model_copy(update={'geofence': SQUARE})
    limiter = Limiter(robot)
    reader = ScanReader(robot, limiter.reach_m)
    for wall_m, fence_m, reason in [(3.0, 0.1, LimitReason.GEOFENCE), (0.3, 2.0, LimitReason.OBSTACLE)]:
        obstacles = reader.read(scan_of({0: wall_m}))
        scene = Scene(obstacles, at(), 0, at(4.0 - fence_m, 2.0))
        found = limiter.limit(Twist2D(0.5, 0.0), Profile.NORMAL, scene)
        assert found.reason is reason
        assert 0.0 < found.twist.v_mps < 0.5


@pytest.mark.parametrize('left_m', np.linspace(0.0, 0.4, 9).tolist())
def test_braking_ends_inside(left_m: float):
    robot = robot_description().model_copy(update={'geofence': SQUARE})
    limits = robot.limits
    scene = Scene(ScanReader(robot, 3.0).read(scan_of()), at(), 0, at(4.0 - left_m, 2.0))
    v_mps = Limiter(robot).limit(Twist2D(0.5, 0.0), Profile.NORMAL, scene).twist.v_mps
    assert v_mps * limits.latency_s + v_mps**2 / (2.0 * limits.max_decel_mps2) <= left_m + 1e-6
    assert left_m < 0.3 or v_mps == 0.5


def test_without_a_known_pose_or_with_the_check_switched_off_the_fence_is_not_judged():
    robot = robot_description().model_copy(update={'geofence': SQUARE})
    scene = Scene(ScanReader(robot, 3.0).read(scan_of()), at(), 0, at(4.0, 2.0))
    assert Limiter(robot).limit(Twist2D(0.5, 0.0), Profile.NORMAL, scene).twist.v_mps == 0.0
    assert Limiter(robot, fenced=False).limit(Twist2D(0.5, 0.0), Profile.NORMAL, scene).twist.v_mps == 0.5
    assert Limiter(robot).outside_m(None) == 0.0
