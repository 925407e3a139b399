"""The arm option: joints that run to targets with their own limits, and a robot file that differs in nothing else."""

import math

import pytest
from robot_tool_agent.config_files import ConfigError, load_model, load_robot
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent_sim.arm import END_STOP_RAD
from robot_tool_agent_sim.description import WorldDescription
from robot_tool_agent_sim.world import World
from sim_house import CONFIG, ROBOT_FILE, wait, WORLD_FILE

ARM_FILE = CONFIG / 'robots' / 'sim_house_arm.yaml'


def armed(fault: str = 'none') -> World:
    return World(load_robot(ARM_FILE), load_model(WORLD_FILE, WorldDescription), fault)


def test_the_robot_is_that_of_the_house_but_for_the_arm_and_two_sensors():
    plain, arm = load_robot(ROBOT_FILE).model_dump(), load_robot(ARM_FILE).model_dump()
    assert arm['arm']['joints'].keys() == {'arm_shoulder', 'arm_elbow'} == arm['arm_home'].keys()
    assert [arm['topics'].pop(name)['rate_hz'] for name in ('imu', 'estop')] == [50.0, 20.0]
    assert [plain['topics'].pop(name) for name in ('imu', 'estop')] == [None, None]
    for key in ('name', 'arm', 'arm_home'):
        plain.pop(key), arm.pop(key)
    assert plain == arm


def test_starts_at_home_and_reports_arm_and_gripper():
    assert armed().joints().positions == {'gripper_joint': 0.10, 'arm_shoulder': -1.2, 'arm_elbow': 2.0}


def test_runs_to_a_target_with_the_speed_of_each_joint():
    world = armed()
    world.command_joints({'arm_shoulder': 0.8, 'arm_elbow': 0.5, 'gripper_joint': 0.05, 'tail': 1.0})
    wait(world, 0.4)
    positions = world.joints().positions
    assert positions['arm_shoulder'] == pytest.approx(-1.2 + 0.4 * 1.0)
    assert positions['arm_elbow'] == pytest.approx(2.0 - 0.4 * 1.5)
    assert positions['gripper_joint'] == pytest.approx(0.06)
    wait(world, 2.0)
    assert world.joints().positions == pytest.approx({'gripper_joint': 0.05, 'arm_shoulder': 0.8, 'arm_elbow': 0.5})
    assert 'tail' not in world.joints().positions


def test_a_duration_slows_it_and_never_hurries_it():
    world = armed()
    world.command_joints({'arm_shoulder': -0.2, 'arm_elbow': 0.5}, 2.0)
    wait(world, 1.0)
    assert world.joints().positions['arm_shoulder'] == pytest.approx(-0.7)
    assert world.joints().positions['arm_elbow'] == pytest.approx(1.25)
    world.command_joints({'arm_shoulder': 0.7}, 0.1)
    wait(world, 0.5)
    assert world.joints().positions['arm_shoulder'] == pytest.approx(-0.2)


def test_end_stops_lie_a_little_past_the_limits():
    world = armed()
    world.command_joints({'arm_shoulder': 6.0, 'arm_elbow': -6.0})
    wait(world, 4.0)
    assert world.joints().positions['arm_shoulder'] == pytest.approx(1.6 + END_STOP_RAD)
    assert world.joints().positions['arm_elbow'] == pytest.approx(0.0 - END_STOP_RAD)


@pytest.mark.parametrize('target_rad', [math.nan, math.inf])
def test_a_target_that_is_no_number_does_not_count(target_rad: float):
    world = armed()
    world.command_joints({'arm_shoulder': target_rad, 'arm_elbow': 1.7})
    wait(world, 1.0)
    assert world.joints().positions['arm_shoulder'] == -1.2
    assert world.joints().positions['arm_elbow'] == pytest.approx(1.7)


def test_reset_brings_the_arm_home_and_lying_joints_leave_it_alone():
    world = armed()
    world.command_joints({'arm_shoulder': 0.0})
    wait(world, 0.5)
    world.set_fault('motion_lies')
    before = world.joints().positions['arm_shoulder']
    wait(world, 0.5)
    assert world.joints().positions['arm_shoulder'] == before
    world.reset()
    wait(world, 0.5)
    assert world.joints().positions['arm_shoulder'] == -1.2


def test_joint_overruns_goes_past_the_limit_of_the_first_joint():
    world = armed('joint_overruns')
    wait(world, 1.0)
    assert world.joints().positions['arm_shoulder'] == pytest.approx(-0.2, abs=0.011)
    world.command_joints({'arm_shoulder': -1.0})
    wait(world, 2.0)
    assert world.joints().positions == {'gripper_joint': 0.10, 'arm_shoulder': pytest.approx(1.7), 'arm_elbow': 2.0}


def arm_file(tmp_path, old: str, new: str) -> str:
    """Return what is wrong with the arm's robot file after one change."""
    text = ARM_FILE.read_text(encoding='utf-8')
    assert text.count(old) == 1
    path = tmp_path / 'robot.yaml'
    path.write_text(text.replace(old, new), encoding='utf-8')
    with pytest.raises(ConfigError) as caught:
        load_robot(path)
    return str(caught.value)


@pytest.mark.parametrize(
    ('old', 'new', 'expected'),
    [
        ('min_rad: -1.6, max_rad: 1.6', 'min_rad: 1.6, max_rad: -1.6', 'min_rad < max_rad'),
        ('max_speed_radps: 1.0', 'max_speed_radps: 0.0', 'arm.joints.arm_shoulder.max_speed_radps = 0.0'),
        ('arm_home: {arm_shoulder: -1.2', 'arm_home: {arm_shoulder: -1.7', 'arm_home.arm_shoulder = -1.7'),
        ('arm_elbow: 2.0}', 'elbow: 2.0}', 'arm_home.elbow = 2.0'),
        ('    arm_elbow: {min_rad', '    gripper_joint: {min_rad', 'gripper_joint is the gripper'),
        ('max_speed_radps: 1.0', 'max_speed: 1.0', 'arm.joints.arm_shoulder.max_speed = 1.0: unknown key'),
    ],
)
def test_a_bad_arm_is_refused(tmp_path, old: str, new: str, expected: str):
    assert expected in arm_file(tmp_path, old, new)


def test_an_arm_needs_its_topics():
    arm = load_robot(ARM_FILE).model_dump()
    arm['gripper'] = arm['topics']['joint_trajectory'] = None
    with pytest.raises(ValueError, match='an arm needs'):
        RobotDescription.model_validate(arm)
