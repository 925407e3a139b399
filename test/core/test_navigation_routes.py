"""Routes through the known map: wide enough, as short as they can be, and honest when there are none."""

import itertools
import math
import statistics
import time

import pytest
from robot_tool_agent.core.geometry import Point
from robot_tool_agent.core.navigation.house import house_map, HouseMap
from robot_tool_agent.core.robot import KnownMap
from sim_house import robot_description

ROBOT = robot_description()
MAP = house_map(ROBOT)
POSES = {name: pose.pose.point for name, pose in {**ROBOT.places, **ROBOT.safe_poses}.items()}
PAIRS = list(itertools.permutations(POSES, 2))


def least_clearance_m(route):
    return min(MAP.segment_clearance_m(a, b) for a, b in itertools.pairwise(route.points))


@pytest.mark.parametrize(('start', 'goal'), PAIRS, ids=['-'.join(pair) for pair in PAIRS])
def test_every_pose_leads_to_every_other(start, goal):
    route = MAP.route(POSES[start], POSES[goal])
    assert route.problem == ''
    assert (route.points[0], route.points[-1]) == (POSES[start], POSES[goal])
    assert least_clearance_m(route) >= 0.45  # the doors are 1 m wide: the middle of one is 0.5 m from its posts
    assert route.length_m <= 2.5 * POSES[start].distance_to(POSES[goal]) + 3.0


def test_clearance_is_exact():
    assert MAP.clearance_m(Point(4.5, 1.5)) == pytest.approx(0.5)  # middle of a door
    assert MAP.clearance_m(Point(4.6, 1.3)) == pytest.approx(math.hypot(0.1, 0.3))
    assert MAP.clearance_m(Point(3.5, 2.2)) == pytest.approx(0.8)
    assert MAP.clearance_m(Point(100.0, 1.0)) == 10.0


def test_a_free_line_is_driven_straight():
    route = MAP.route(Point(1.0, 1.5), Point(1.5, 1.5))
    assert route.points == (Point(1.0, 1.5), Point(1.5, 1.5))


def test_a_start_close_to_a_wall_can_leave_and_never_goes_nearer():
    start = Point(7.0, 5.18)  # 0.22 m from the counter, less than driving needs
    route = MAP.route(start, POSES['kitchen'])
    assert route.problem == ''
    assert least_clearance_m(route) == pytest.approx(0.22)
    assert MAP.clearance_m(route.points[1]) > 0.3


@pytest.mark.parametrize('x_m', [4.36, 4.40, 4.44])
def test_a_start_at_a_wall_does_not_lead_through_it(x_m):
    route = MAP.route(Point(x_m, 2.7), Point(5.5, 2.5))  # the wall is at x 4.5, its door at y 1 to 2
    assert route.problem == ''
    assert least_clearance_m(route) >= 0.05
    assert route.length_m > 2.0


def test_a_start_on_a_wall_is_no_start():
    assert 'seems to stand on a known wall' in MAP.route(Point(4.49, 2.7), POSES['kitchen']).problem


@pytest.mark.parametrize(
    ('goal', 'part'),
    [
        (Point(7.0, 5.5), 'm from a wall, the robot needs 0.26 m'),
        (Point(4.5, 3.0), 'is 0.00 m from a wall'),
        (Point(-0.5, 1.0), 'outside the area'),
        (Point(900.0, -900.0), 'outside the area'),
    ],
)
def test_a_goal_where_the_base_cannot_stand(goal, part):
    route = MAP.route(POSES['kitchen'], goal)
    assert part in route.problem
    assert route.points == ()


def test_a_robot_outside_the_map_is_told_so():
    assert 'outside the known map' in MAP.route(Point(50.0, 50.0), POSES['kitchen']).problem


def closed_house(x1, y1, x2, y2):
    walls = (*ROBOT.map.walls, (x1, y1, x2, y2))
    return HouseMap(ROBOT.model_copy(update={'map': KnownMap(walls=walls)}))


def test_a_closed_door_means_the_other_way_round():
    open_m = MAP.route(POSES['living_room'], POSES['study']).length_m
    detour = closed_house(4.5, 1.0, 4.5, 2.0).route(POSES['living_room'], POSES['study'])
    assert detour.problem == ''
    assert detour.length_m > open_m + 4.0


def test_no_way_is_said():
    known = closed_house(1.8, 3.0, 2.8, 3.0)
    route = HouseMap(
        known.robot.model_copy(update={'map': KnownMap(walls=(*known.robot.map.walls, (4.5, 4.0, 4.5, 5.0)))})
    ).route(POSES['kitchen'], POSES['bedroom'])
    assert 'no way from (7.00, 4.70) to (2.80, 4.50)' in route.problem


def test_a_door_too_narrow_for_the_robot_is_none():
    narrow = closed_house(4.5, 1.5, 4.5, 2.0)  # 0.5 m are left, the robot with its margins needs 0.62 m
    assert narrow.route(POSES['living_room'], POSES['study']).length_m > 8.0


def test_a_map_without_walls_is_driven_straight():
    known = HouseMap(ROBOT.model_copy(update={'map': KnownMap(), 'geofence': None}))
    assert known.route(Point(1.0, 1.0), Point(8.0, 5.0)).points == (Point(1.0, 1.0), Point(8.0, 5.0))


def test_a_large_map_stays_small_in_cells():
    walls = ((0.0, 0.0, 900.0, 0.0), (900.0, 0.0, 900.0, 900.0))
    known = HouseMap(ROBOT.model_copy(update={'map': KnownMap(walls=walls)}))
    assert known.raster.rows * known.raster.columns <= 260_000
    assert known.drive_m > 1.8  # coarse cells need wide ways, else a thin wall could lie between two of them


def test_a_way_found_lately_is_used_again_from_nearly_the_same_start():
    known = HouseMap(ROBOT)
    first = known.route(POSES['kitchen'], POSES['desk'])
    again = known.route(Point(7.01, 4.71), POSES['desk'])
    assert again.points == (Point(7.01, 4.71), *first.points[1:])
    assert known.route(POSES['table'], POSES['desk']).points[1:] != first.points[1:]
    assert known.route(POSES['kitchen'], POSES['table']).points[-1] == POSES['table']


def test_the_map_is_built_once_for_a_robot():
    robot = robot_description()
    assert house_map(robot) is house_map(robot)
    assert house_map(robot_description()) is not house_map(robot)


def test_planning_fits_into_a_control_loop():
    known, times_s = HouseMap(ROBOT), []
    for start, goal in PAIRS[::3]:
        begun_s = time.process_time()
        known.route(POSES[start], POSES[goal])
        times_s.append(time.process_time() - begun_s)
    assert statistics.median(times_s) < 0.05
