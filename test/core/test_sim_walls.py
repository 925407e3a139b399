"""Free ends of walls have a thickness, so that a robot in a doorway sees what it would touch."""

import math

import pytest
from robot_tool_agent_sim.walls import CAP_M, with_capped_ends
from sim_house import drive, house

RADIUS_M = 0.18
# Doorways of the house: a jamb, the way from it into the opening, the axis through the door, all in the map.
JAMBS = [
    (4.5, 1.0, math.pi / 2),
    (4.5, 2.0, -math.pi / 2),
    (4.5, 4.0, math.pi / 2),
    (4.5, 5.0, -math.pi / 2),
    (1.8, 3.0, 0.0),
    (2.8, 3.0, math.pi),
    (6.2, 3.0, 0.0),
    (7.2, 3.0, math.pi),
]


def test_only_free_ends_get_a_cap_across_the_wall():
    walls = [(0.0, 0.0, 4.0, 0.0), (2.0, 0.0, 2.0, 1.0), (4.0, 0.0, 4.0, 3.0)]
    capped = with_capped_ends(walls)
    assert capped[:3] == walls
    caps = sorted(tuple(sorted(((x1, y1), (x2, y2)))) for x1, y1, x2, y2 in capped[3:])
    half_m = CAP_M / 2
    assert caps == [
        ((0.0, -half_m), (0.0, half_m)),
        ((2.0 - half_m, 1.0), (2.0 + half_m, 1.0)),
        ((4.0 - half_m, 3.0), (4.0 + half_m, 3.0)),
    ]
    assert 0.05 <= CAP_M <= 0.10


def test_the_known_map_keeps_its_walls():
    world = house()
    assert len(world._map_walls) == len(world.robot.map.walls) == 22
    assert len(world._walls) == 22 + len(JAMBS)


@pytest.mark.parametrize(('x_m', 'y_m', 'inwards_rad'), JAMBS)
@pytest.mark.parametrize('gap_m', [0.0135, 0.05, 0.2])
@pytest.mark.parametrize('facing_rad', [0.0, math.pi / 2, math.radians(0.5)])
def test_a_jamb_is_seen_where_it_is_when_the_robot_stands_in_the_door(
    x_m: float, y_m: float, inwards_rad: float, gap_m: float, facing_rad: float
):
    away_m = RADIUS_M + gap_m
    world = house(x_m + away_m * math.cos(inwards_rad), y_m + away_m * math.sin(inwards_rad), facing_rad)
    assert world._guard.gap_m(world.pose) == pytest.approx(gap_m)
    seen_m = float(world.scan().ranges_m.min()) - RADIUS_M
    assert seen_m == pytest.approx(gap_m, abs=0.0005)


@pytest.mark.parametrize(('x_m', 'y_m', 'inwards_rad'), JAMBS)
def test_the_whole_way_through_a_door_shows_the_true_gap(x_m: float, y_m: float, inwards_rad: float):
    away_m = RADIUS_M + 0.03
    side_x, side_y = -math.sin(inwards_rad), math.cos(inwards_rad)
    base_x, base_y = x_m + away_m * math.cos(inwards_rad), y_m + away_m * math.sin(inwards_rad)
    for step in range(-20, 21):
        along_m = step * 0.015
        world = house(base_x + along_m * side_x, base_y + along_m * side_y, inwards_rad + math.pi / 2)
        seen_m = float(world.scan().ranges_m.min()) - RADIUS_M
        # 1 degree between rays: the nearest point of a corner may lie between two of them
        assert seen_m == pytest.approx(world._guard.gap_m(world.pose), abs=0.015), step


def test_an_end_is_felt_as_wide_as_it_is_seen():
    beside = house(4.5 + CAP_M / 2 + RADIUS_M - 0.01, 2.6 - 0.6 - 0.4, math.pi / 2)
    drive(beside, 0.2, 0.0, 3.0)
    assert beside.truth().contacts == 1
    clear = house(4.5 + CAP_M / 2 + RADIUS_M + 0.01, 1.6, math.pi / 2)
    drive(clear, 0.2, 0.0, 3.0)
    assert clear.truth().contacts == 0
