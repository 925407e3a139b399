"""Scans as obstacles, outlines, and the time left on an arc."""

from __future__ import annotations

import math

import numpy as np
import pytest
from robot_tool_agent.core.geometry import Twist2D
from robot_tool_agent.core.robot import Footprint, Frames, PoseConfig
from robot_tool_agent.core.safety.clearance import free_time_s, MIN_STEPS
from robot_tool_agent.core.safety.outline import Circle, outline_of, Polygon
from robot_tool_agent.core.safety.scans import Obstacles, ScanReader
from robot_tool_agent.core.samples import ScanSample
from safety_rig import at, robot_description, scan_of, wall_ahead

ROBOT = robot_description()
CIRCLE = Circle(0.18)
BOX = Footprint(polygon_m=((0.3, 0.2), (-0.3, 0.2), (-0.3, -0.2), (0.3, -0.2)))
INF = math.inf


def read(scan: ScanSample, reach_m: float = 3.0) -> Obstacles | None:
    return ScanReader(ROBOT, reach_m).read(scan)


def points(*xy: tuple[float, float]) -> Obstacles:
    return Obstacles(np.array([x for x, _ in xy]), np.array([y for _, y in xy]), True, True)


@pytest.mark.parametrize(
    ('xy', 'distance_m'),
    [((0.5, 0.0), 0.2), ((0.0, 0.5), 0.3), ((0.0, 0.0), -0.2), ((-0.4, 0.0), 0.1), ((0.3, -0.1), 0.0)],
)
def test_a_box_measures_from_its_edges_in_either_sense_of_rotation(xy: tuple[float, float], distance_m: float):
    corners = np.array(BOX.polygon_m)
    for outline in (Polygon(corners), Polygon(corners[::-1])):
        assert outline.distances(np.array([xy[0]]), np.array([xy[1]]))[0] == pytest.approx(distance_m)


def test_beside_a_corner_a_box_never_claims_more_than_the_true_distance():
    assert outline_of(BOX).distances(np.array([0.6]), np.array([0.6]))[0] <= math.hypot(0.3, 0.4)


def test_rays_become_points_in_base_link():
    obstacles = read(scan_of({0: 1.0, 90: 0.5, 180: 2.0}))
    assert obstacles is not None
    found = sorted(zip(obstacles.x_m.round(6), obstacles.y_m.round(6), strict=True))
    assert found == [(-2.0, 0.0), (0.0, 0.5), (1.0, 0.0)]


def test_the_mount_of_the_sensor_counts():
    frames = Frames(scan_pose=PoseConfig(x_m=0.1, y_m=0.0, yaw_rad=math.pi / 2))
    obstacles = ScanReader(ROBOT.model_copy(update={'frames': frames}), 3.0).read(scan_of({0: 0.5}))
    assert obstacles is not None
    assert (obstacles.x_m[0], obstacles.y_m[0]) == pytest.approx((0.1, 0.5))


def test_the_own_body_is_masked_and_what_touches_it_is_not():
    obstacles = read(scan_of({0: 0.10, 90: 0.175}))
    assert obstacles is not None
    assert obstacles.y_m == pytest.approx([0.175])


def test_no_return_is_free_and_a_ray_out_of_reach_is_no_obstacle():
    obstacles = read(scan_of({0: INF, 90: 2.5}), reach_m=1.0)
    assert obstacles is not None
    assert obstacles.x_m.size == 0
    assert obstacles.front_covered


@pytest.mark.parametrize('bad', [math.nan, 0.0, 0.01], ids=['nan', 'zero', 'below range_min'])
def test_a_scan_that_measured_nothing_is_unusable(bad: float):
    assert read(scan_of(default_m=bad)) is None


@pytest.mark.parametrize(
    'scan',
    [
        ScanSample(1.0, 1.0, 0.0, 0.1, 0.05, 8.0, np.array([])),
        ScanSample(1.0, 1.0, math.nan, 0.1, 0.05, 8.0, np.ones(10)),
        ScanSample(1.0, 1.0, 0.0, 0.0, 0.05, 8.0, np.ones(10)),
    ],
    ids=['empty', 'angle is NaN', 'increment is zero'],
)
def test_a_scan_without_geometry_is_unusable(scan: ScanSample):
    assert read(scan) is None


def test_closer_than_measurable_is_an_obstacle():
    near = scan_of({0: -INF})
    obstacles = read(ScanSample(1.0, 1.0, 0.0, near.angle_increment_rad, 0.25, 8.0, near.ranges_m))
    assert obstacles is not None
    assert obstacles.x_m == pytest.approx([0.25])


def test_a_scanner_that_looks_ahead_covers_ahead_only():
    count = 180
    scan = ScanSample(1.0, 1.0, -math.pi / 2, math.pi / count, 0.05, 8.0, np.full(count, 2.0))
    obstacles = read(scan)
    assert obstacles is not None
    assert obstacles.covers(1.0)
    assert not obstacles.covers(-1.0)


def test_rays_without_measurement_uncover_their_direction():
    obstacles = read(scan_of(dict.fromkeys(range(165, 196), math.nan), default_m=2.0))
    assert obstacles is not None
    assert (obstacles.front_covered, obstacles.rear_covered) == (True, False)


def free(twist: Twist2D, obstacles: Obstacles, stop_m: float = 0.08, start: tuple[float, float, float] = (0, 0, 0)):
    return free_time_s(twist, at(*start), obstacles, CIRCLE, stop_m, 2.0)


def test_time_to_a_wall_ahead():
    obstacles = read(wall_ahead(1.0))
    assert obstacles is not None
    assert free(Twist2D(0.5, 0.0), obstacles) == pytest.approx((1.0 - 0.18 - 0.08) / 0.5, abs=0.01)


def test_way_driven_since_the_scan_is_taken_off():
    obstacles = read(wall_ahead(1.0))
    assert obstacles is not None
    assert free(Twist2D(0.5, 0.0), obstacles, start=(0.1, 0, 0)) == pytest.approx(0.64 / 0.5, abs=0.01)
    assert free(Twist2D(0.5, 0.0), obstacles, start=(0.0, 0, math.pi)) == INF


@pytest.mark.parametrize('twist', [Twist2D(-0.3, 0.0), Twist2D(0.0, 1.6), Twist2D(0.0, -1.6)])
def test_away_from_a_wall_and_on_the_spot_time_is_unbounded(twist: Twist2D):
    obstacles = read(wall_ahead(0.24))
    assert obstacles is not None
    assert free(twist, obstacles) == INF


def test_closer_than_the_stop_distance_only_motion_that_keeps_clearance_is_free():
    obstacles = read(wall_ahead(0.22))
    assert obstacles is not None
    assert free(Twist2D(0.1, 0.0), obstacles) == 0.0
    assert free(Twist2D(0.001, 0.0), obstacles) == 0.0
    assert free(Twist2D(-0.1, 0.0), obstacles) == INF


def test_along_a_wall_at_any_distance_is_free():
    left_wall = scan_of({degree: 0.22 / math.sin(math.radians(degree)) for degree in range(10, 171)})
    obstacles = read(left_wall)
    assert obstacles is not None
    assert free(Twist2D(0.5, 0.0), obstacles) == INF
    assert free(Twist2D(0.3, 0.3), obstacles) == 0.0


def test_leaving_one_obstacle_does_not_license_closing_in_on_another():
    both = points((-0.19, 0.0), (0.6, 0.0))
    assert free(Twist2D(0.3, 0.0), both) == pytest.approx((0.6 - 0.18 - 0.08) / 0.3, abs=0.01)


def test_a_door_of_one_metre_is_free_and_one_narrower_than_the_robot_is_not():
    assert free(Twist2D(0.5, 0.0), points((0.4, 0.5), (0.4, -0.5))) == INF
    assert free(Twist2D(0.5, 0.0), points((0.6, 0.15), (0.6, -0.15))) < INF


def test_a_thin_pole_between_two_steps_is_not_jumped_over():
    twist = Twist2D(0.5, 0.0)
    for x_m in np.linspace(0.3, 1.2, 40):
        expected_s = (x_m - 0.18 - 0.08) / 0.5
        found_s = free(twist, points((x_m, 0.0)))
        assert found_s == INF if expected_s > 2.0 else found_s == pytest.approx(expected_s, abs=2.0 / MIN_STEPS / 2)


def test_a_turning_box_meets_what_its_corner_meets():
    outline = outline_of(BOX)
    beside = points((0.0, 0.3))  # the side is 0.1 m away, the corner reaches 0.36 m
    assert free_time_s(Twist2D(0.0, 0.5), at(), beside, outline, 0.05, 3.0) < INF
    assert free_time_s(Twist2D(0.0, 0.5), at(), points((0.0, 0.6)), outline, 0.05, 3.0) == INF
