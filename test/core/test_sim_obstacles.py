"""Discs on the floor: what the lidar sees of them, what the base feels, and that the known map has none."""

import math
import pickle

import numpy as np
import pytest
from robot_tool_agent.config_files import ConfigError, load_model
from robot_tool_agent.core.geometry import Point, Pose2D
from robot_tool_agent.core.robot import Footprint
from robot_tool_agent_sim.description import ObstacleConfig, WorldDescription
from robot_tool_agent_sim.lidar import Lidar
from robot_tool_agent_sim.obstacles import Discs
from robot_tool_agent_sim.walls import Walls
from robot_tool_agent_sim.world import World
from sim_house import CONFIG, drive, house, robot_description

AHEAD = 180
SQUARE = Footprint(polygon_m=((0.2, 0.15), (-0.2, 0.15), (-0.2, -0.15), (0.2, -0.15)))


def test_ranges_to_a_disc_are_those_of_the_circle():
    discs = Discs()
    discs.put('can', Point(2.0, 0.0), 0.5)
    ranges_m = Lidar(Walls([]), discs).ranges_m(Pose2D(0.0, 0.0, 0.0))
    assert ranges_m[AHEAD] == pytest.approx(1.5)
    for degrees in (5, -10, 14):
        angle = math.radians(degrees)
        chord_m = 2.0 * math.cos(angle) - math.sqrt(0.25 - (2.0 * math.sin(angle)) ** 2)
        assert ranges_m[AHEAD + degrees] == pytest.approx(chord_m)
    # tangent at asin(0.25) = 14.48 degrees
    assert np.isinf(ranges_m[AHEAD + 15])
    assert np.isinf(ranges_m[AHEAD - 15])
    assert np.isinf(ranges_m[0])
    assert np.isfinite(ranges_m).sum() == 29
    discs.put('can', Point(0.2, 0.0), 0.5)
    assert (Lidar(Walls([]), discs).ranges_m(Pose2D(0.0, 0.0, 0.0)) == 0.0).all()
    discs.remove('can')
    assert np.isinf(Lidar(Walls([]), discs).ranges_m(Pose2D(0.0, 0.0, 0.0))).all()


def test_the_nearer_of_wall_and_disc_counts():
    world = house(1.0, 2.4)
    assert world.scan().ranges_m[AHEAD] == pytest.approx(3.5)
    world.put_obstacle('box', Point(3.0, 2.4), 0.2)
    assert world.scan().ranges_m[AHEAD] == pytest.approx(1.8)
    world.put_obstacle('box', Point(4.9, 2.4), 0.2)
    assert world.scan().ranges_m[AHEAD] == pytest.approx(3.5)


@pytest.mark.parametrize(('footprint', 'reach_m'), [(None, 0.18), (SQUARE, 0.2)])
def test_a_disc_stops_the_base_and_lets_it_back(footprint: Footprint | None, reach_m: float):
    world = house(1.0, 2.2, footprint=footprint)
    drive(world, 0.3, 0.0, 0.5)
    world.put_obstacle('box', Point(2.0, 2.2), 0.25)
    drive(world, 0.4, 0.0, 5.0)
    assert world.pose.x_m == pytest.approx(2.0 - 0.25 - reach_m, abs=1e-4)
    assert world.truth().contacts == 1
    assert world.bumper().pressed
    drive(world, -0.3, 0.0, 2.0)
    assert world.pose.x_m < 1.3
    world.remove_obstacle('box')
    drive(world, 0.4, 0.0, 5.0)
    assert world.pose.x_m > 2.2
    assert world.truth().contacts == 1


def test_a_disc_is_passed_where_there_is_room_for_the_footprint():
    for footprint, half_width_m in ((None, 0.18), (SQUARE, 0.15)):
        for room_m, contacts in ((0.01, 0), (-0.01, 1)):
            world = house(1.0, 1.6, footprint=footprint)
            world.put_obstacle('box', Point(1.8, 1.6 + half_width_m + 0.2 + room_m), 0.2)
            drive(world, 0.4, 0.0, 4.0)
            assert world.truth().contacts == contacts, (footprint, room_m)


def test_a_disc_that_lies_in_the_polygon_is_felt():
    world = house(1.0, 2.2, footprint=SQUARE)
    world.put_obstacle('coin', Point(1.05, 2.2), 0.02)
    assert world._guard.gap_m(world.pose) == pytest.approx(-0.02)


def test_the_world_file_puts_obstacles_that_the_map_does_not_know():
    description = load_model(CONFIG / 'worlds' / 'house_cluttered.yaml', WorldDescription)
    assert set(description.obstacles) == {'basket', 'stool', 'plant'}
    spawn = description.spawn.model_copy(update={'y_m': 2.3})
    world = World(robot_description(), description.model_copy(update={'spawn': spawn}))
    assert world.scan().ranges_m[AHEAD] == pytest.approx(3.6 - 0.2 - 1.0)
    assert world.robot.map == house().robot.map
    world.remove_obstacle('basket')
    world.reset()
    assert world.scan().ranges_m[AHEAD] == pytest.approx(2.4)


def test_the_detector_looks_over_obstacles():
    world = house(7.0, 4.7, math.pi / 2)
    world.put_obstacle('box', Point(7.0, 5.1), 0.1)
    assert 'cup_1' in {item.id for item in world.objects().objects}


def test_refuses_a_spawn_on_an_obstacle_and_a_bad_one(tmp_path):
    description = load_model(CONFIG / 'worlds' / 'house.yaml', WorldDescription)
    box = ObstacleConfig(x_m=1.2, y_m=1.0, radius_m=0.1)
    with pytest.raises(ValueError, match='spawn'):
        World(robot_description(), description.model_copy(update={'obstacles': {'box': box}}))
    bad = tmp_path / 'bad.yaml'
    bad.write_text('spawn: {x_m: 1.0, y_m: 1.0}\nobstacles: {box: {x_m: 1.0, y_m: 1.0, radius_m: 0.0, hight: 1}}\n')
    with pytest.raises(ConfigError) as caught:
        load_model(bad, WorldDescription)
    assert 'obstacles.box.radius_m' in str(caught.value)
    assert 'obstacles.box.hight' in str(caught.value)


def test_discs_change_nothing_for_a_world_without_them():
    first, second = house(2.0, 1.9), house(2.0, 1.9)
    second.put_obstacle('far', Point(8.0, 5.0), 0.1)
    second.remove_obstacle('far')
    for world in (first, second):
        drive(world, 0.3, 0.2, 2.0)
    assert pickle.dumps((first.pose, first.odom())) == pickle.dumps((second.pose, second.odom()))
    assert (first.scan().ranges_m == second.scan().ranges_m).all()
