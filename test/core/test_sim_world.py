"""Reset, determinism, truth, battery and speed of the whole world."""

import json
import pickle
import time

import pytest
from robot_tool_agent.config_files import ConfigError, load_model
from robot_tool_agent.core.geometry import Pose2D, Twist2D
from robot_tool_agent_sim.description import WorldDescription
from robot_tool_agent_sim.world import World
from sim_house import drive, house, wait, WORLD_FILE


def run(world: World) -> bytes:
    """Return everything a fixed tour reads, as bytes."""
    readings = []
    for step in range(400):
        world.command_base(Twist2D(0.3, 0.2 if step % 100 < 50 else -0.4))
        if step == 200:
            world.command_gripper(0.0)
        world.step(0.02)
        scan = world.scan()
        readings.append((world.odom(), world.joints(), world.objects(), world.bumper(), scan.ranges_m.tobytes()))
    return pickle.dumps((readings, world.truth()))


def test_same_seed_gives_the_same_bytes():
    first = run(house(2.0, 1.9, seed=7, scan_noise_m=0.01))
    assert first == run(house(2.0, 1.9, seed=7, scan_noise_m=0.01))
    assert first != run(house(2.0, 1.9, seed=8, scan_noise_m=0.01))


def test_reset_restores_everything_but_time():
    world = house(7.0, 5.08, 1.5708, fault='scan_lost', seed=5, scan_noise_m=0.01)
    fresh = house(7.0, 5.08, 1.5708, seed=5, scan_noise_m=0.01)
    world.command_gripper(0.0)
    wait(world, 1.0)
    drive(world, -0.3, 0.5, 2.0)
    assert world.truth().held == 'cup_1'
    world.reset()
    assert world.truth() == fresh.truth()
    assert world.pose == fresh.pose
    assert world.twist == Twist2D(0.0, 0.0)
    assert world.odom().pose == Pose2D(0.0, 0.0, 0.0)
    assert world.object_positions() == fresh.object_positions()
    assert world.joints().positions == fresh.joints().positions
    assert (world.scan().ranges_m == fresh.scan().ranges_m).all()
    assert world.now_s == pytest.approx(3.0)
    wait(world, 0.2)
    assert world.pose == fresh.pose


def test_truth_json_has_exactly_the_pinned_keys():
    world = house()
    drive(world, 0.4, 0.0, 1.5)
    truth = json.loads(world.truth().to_json())
    assert list(truth) == ['held', 'contacts', 'travelled_m', 'turned_rad', 'picks', 'places', 'fault']
    assert truth['travelled_m'] == pytest.approx(0.5)
    assert (truth['held'], truth['contacts'], truth['fault']) == (None, 0, 'none')


def test_battery_runs_down_slowly():
    world = house()
    for _ in range(108):
        world.step(10.0)
    assert world.battery().fraction == pytest.approx(0.9)
    world.reset()
    assert world.battery().fraction == 1.0


def test_robot_without_gripper_has_no_joints_and_objects_stay():
    armed = house(7.0, 5.08, 1.5708)
    robot = armed.robot.model_copy(update={'gripper': None})
    world = World(robot, load_model(WORLD_FILE, WorldDescription))
    world.command_gripper(0.0)
    wait(world, 0.5)
    assert world.joints() is None
    assert world.object_positions() == armed.object_positions()
    assert (world.truth().held, world.truth().picks) == (None, 0)


def test_bad_world_file_names_every_fault(tmp_path):
    bad = tmp_path / 'bad.yaml'
    cup = 'cup_1: {label: cup, x_m: 1.0, y_m: 1.0, width_m: 9.0}'
    bad.write_text(f'spawn: {{x_m: 1.0, y_m: one}}\nobjects: {{{cup}}}\nwal: 1\n')
    with pytest.raises(ConfigError) as caught:
        load_model(bad, WorldDescription)
    text = str(caught.value)
    assert text.count('\n') == 2
    for part in ('spawn.y_m', 'objects.cup_1.width_m', 'wal = 1: unknown key'):
        assert part in text


def test_a_simulated_minute_is_fast():
    world = house(2.0, 1.9)
    start_s = time.perf_counter()
    drive(world, 0.3, 0.6, 60.0, 0.02)
    # 3000 steps; generous for a busy machine
    assert time.perf_counter() - start_s < 2.0
