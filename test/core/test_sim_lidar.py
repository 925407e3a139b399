"""Ranges to walls whose place is known. Ray i of 360 points to -180 degrees + i in the sensor frame."""

import math
import time

import numpy as np
import pytest
from robot_tool_agent.core.geometry import Pose2D
from robot_tool_agent_sim.lidar import Lidar
from robot_tool_agent_sim.walls import Walls
from sim_house import house

BACK, RIGHT, AHEAD, LEFT = 0, 90, 180, 270


@pytest.mark.parametrize(
    ('x_m', 'y_m', 'yaw_rad', 'ray', 'expected_m'),
    [
        (1.0, 0.8, 0.0, AHEAD, 3.5),  # wall of the study
        (1.0, 0.8, 0.0, BACK, 1.0),
        (1.0, 0.8, 0.0, LEFT, 2.2),
        (1.0, 0.8, 0.0, RIGHT, 0.8),
        (1.0, 0.3, 0.0, AHEAD, 1.2),  # side of the table
        (1.0, 1.5, 0.0, AHEAD, 7.4),  # through the door to the shelf
        (1.0, 1.5, math.pi / 2, RIGHT, 7.4),
        (2.3, 1.5, math.pi / 2, AHEAD, 4.5),  # through the door to the bedroom
        (6.7, 1.0, math.pi / 2, AHEAD, 4.4),  # through the door to the kitchen counter
        (2.9, 1.3, -math.pi / 2, AHEAD, 0.7),  # the table
        (1.0, 2.0, math.pi / 4, AHEAD, 3.5 * math.sqrt(2.0)),  # askew through a door
    ],
)
def test_distance_to_a_known_wall(x_m: float, y_m: float, yaw_rad: float, ray: int, expected_m: float):
    assert house(x_m, y_m, yaw_rad).scan().ranges_m[ray] == pytest.approx(expected_m, abs=1e-9)


def test_slanted_rays_in_an_open_corner():
    ranges_m = house(1.0, 0.8).scan().ranges_m
    for degrees in (200, 225, 250):
        bearing = math.radians(degrees)
        expected_m = min(1.0 / -math.cos(bearing), 0.8 / -math.sin(bearing))
        assert ranges_m[degrees - 180] == pytest.approx(expected_m)


def test_scan_describes_its_geometry():
    scan = house().scan()
    assert scan.ranges_m.shape == (360,)
    assert scan.angle_min_rad == -math.pi
    assert scan.angle_increment_rad == pytest.approx(math.radians(1.0))
    assert (scan.range_min_m, scan.range_max_m) == (0.05, 10.0)


def test_no_wall_in_range_is_infinite():
    lidar = Lidar(Walls([(12.0, -1.0, 12.0, 1.0), (3.0, -0.5, 3.0, 0.5)]))
    ranges_m = lidar.ranges_m(Pose2D(0.0, 0.0, 0.0))
    assert ranges_m[AHEAD] == pytest.approx(3.0)
    assert math.isinf(ranges_m[BACK])
    assert math.isinf(Lidar(Walls([(12.0, -1.0, 12.0, 1.0)])).ranges_m(Pose2D(0.0, 0.0, 0.0))[AHEAD])
    assert np.isinf(Lidar(Walls([])).ranges_m(Pose2D(0.0, 0.0, 0.0))).all()


def test_noise_is_seeded_and_of_the_declared_size():
    exact = house().scan().ranges_m
    noisy = house(seed=3, scan_noise_m=0.02).scan().ranges_m
    assert 0.015 < float(np.std(noisy - exact)) < 0.025
    assert (noisy == house(seed=3, scan_noise_m=0.02).scan().ranges_m).all()
    assert (noisy != house(seed=4, scan_noise_m=0.02).scan().ranges_m).any()


def test_a_scan_is_cheap():
    world = house()
    start_s = time.perf_counter()
    for _ in range(100):
        world.scan()
    assert (time.perf_counter() - start_s) / 100 < 0.005
