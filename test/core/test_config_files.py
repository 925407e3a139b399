"""A wrong configuration says everything that is wrong with it, at once."""

import math

import pytest
from robot_tool_agent.config_files import ConfigError, load_robot
from robot_tool_agent.core.geometry import Point
from sim_house import ROBOT_FILE

GOOD = ROBOT_FILE.read_text(encoding='utf-8')


def load_changed(tmp_path, *changes):
    text = GOOD
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    path = tmp_path / 'robot.yaml'
    path.write_text(text, encoding='utf-8')
    return load_robot(path)


def test_the_house_robot_is_read_whole():
    robot = load_robot(ROBOT_FILE)
    assert robot.name == 'sim_house'
    assert robot.topics.inputs().keys() == {
        'odom',
        'global_pose',
        'scan',
        'bumper',
        'joint_states',
        'battery_state',
        'detected_objects',
    }
    assert robot.topics.odom.stale_s == 0.25
    assert robot.topics.global_pose.stale_s == pytest.approx(0.3)
    assert robot.footprint.circumscribed_m == 0.18
    assert len(robot.map.walls) == 22
    assert robot.find_place('The Kitchen') == 'kitchen'
    assert robot.find_place('桌子') == 'table'
    assert robot.find_place('cellar') is None


@pytest.mark.parametrize(
    ('old', 'new', 'expected'),
    [
        ('max_speed_mps: 0.5', 'max_speed_mps: 50.0', ['limits.max_speed_mps = 50.0', 'allowed: 0.01 to 3.0', 'm/s']),
        (
            'max_speed_mps: 0.5',
            'max_speed_kmh: 2.0',
            ['limits.max_speed_kmh', 'unknown key; did you mean max_speed_mps?'],
        ),
        ('max_speed_mps: 0.5', 'max_speed_mps: "0.5"', ["limits.max_speed_mps = '0.5'", 'valid number']),
        ('max_speed_mps: 0.5', 'max_speed_mps: .nan', ['limits.max_speed_mps', 'finite']),
        ('rate_hz: 50.0', 'rate_hz: 0', ['topics.odom.rate_hz = 0', 'allowed: 0.1 to 1000.0']),
        (
            'slowdown_distance_m: 0.40',
            'slowdown_distance_m: 0.05',
            ['limits', 'stop_distance_m <= slowdown_distance_m'],
        ),
        ('dock: {x_m: 1.0', 'dock: {x_m: 20.0', ['outside the geofence: safe_poses.dock']),
        ('footprint: {radius_m: 0.18}', 'footprint: {}', ['footprint', 'either radius_m or polygon_m']),
        ('  joint_trajectory: {}', '', ['a gripper needs topics.joint_states and topics.joint_trajectory']),
        ('name: sim_house', 'name: sim_house\nname: other', ["key 'name' is given twice"]),
        ('name: sim_house', 'name: [', ['not valid YAML']),
    ],
)
def test_one_fault_names_file_key_value_and_what_is_allowed(tmp_path, old, new, expected):
    with pytest.raises(ConfigError) as caught:
        load_changed(tmp_path, (old, new))
    text = str(caught.value)
    assert str(tmp_path / 'robot.yaml') in text
    for part in expected:
        assert part in text


def test_all_faults_come_at_once(tmp_path):
    with pytest.raises(ConfigError) as caught:
        load_changed(
            tmp_path,
            ('rate_hz: 50.0', 'rate_hz: fast'),
            ('max_speed_mps: 0.5', 'max_speed_kmh: 1.8'),
            ('latency_s: 0.15', 'latency_s: 15'),
            ('x_m: 7.0, y_m: 4.7', 'x_m: 7000.0, y_m: 4.7'),
        )
    lines = str(caught.value).splitlines()
    assert len(lines) == 5
    assert sum('required key is missing' in line for line in lines) == 1


def test_all_that_does_not_fit_together_comes_at_once(tmp_path):
    with pytest.raises(ConfigError) as caught:
        load_changed(
            tmp_path,
            ('dock: {x_m: 1.0', 'dock: {x_m: 20.0'),
            ('table: {x_m: 2.9', 'table: {x_m: -2.9'),
            ('  joint_trajectory: {}', ''),
            ('approvals: []', 'approvals: [{skill: fly}, {skill: place, place: moon}]'),
            ('footprint:', 'hardware: {max_speed_mps: 0.22, max_turn_radps: 1.5}\nfootprint:'),
        )
    text = str(caught.value)
    for part in (
        'a gripper needs topics.joint_states',
        'limits.max_speed_mps = 0.5: the hardware can do 0.22',
        'limits.max_reverse_mps = 0.3: the hardware can do 0.22',
        'limits.max_turn_radps = 1.6: the hardware can do 1.5',
        'outside the geofence: places.table, safe_poses.dock',
        "approvals: skill 'fly' is not enabled",
        "approvals: no place 'moon'",
    ):
        assert part in text
    assert len(text.splitlines()) == 7
    assert all(line.startswith(str(tmp_path)) for line in text.splitlines())


def test_a_pose_in_a_known_wall_is_named(tmp_path):
    with pytest.raises(ConfigError) as caught:
        load_changed(
            tmp_path,
            ('dock: {x_m: 1.0, y_m: 1.0', 'dock: {x_m: 4.5, y_m: 0.5'),
            ('x_m: 6.2, y_m: 1.5', 'x_m: 6.2, y_m: 2.9'),
        )
    faults = [line.split(': ', 1)[1] for line in str(caught.value).splitlines()]
    assert faults == [
        'places.study: 0.10 m from a known wall, the robot needs 0.26 m',
        'safe_poses.dock: 0.00 m from a known wall, the robot needs 0.26 m',
    ]


@pytest.mark.parametrize('content', [b'', b'- 1\n', b'\xff\xfe', b'just text'])
def test_a_file_that_is_no_mapping_is_refused(tmp_path, content):
    path = tmp_path / 'robot.yaml'
    path.write_bytes(content)
    with pytest.raises(ConfigError, match=r'robot\.yaml'):
        load_robot(path)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ConfigError, match=r'nowhere\.yaml: cannot be read'):
        load_robot(tmp_path / 'nowhere.yaml')


def test_the_geofence_is_a_polygon():
    robot = load_robot(ROBOT_FILE)
    assert robot.inside_geofence(Point(1.0, 1.0))
    assert not robot.inside_geofence(Point(-0.1, 1.0))
    assert not robot.inside_geofence(Point(math.inf, 1.0))


def test_each_topic_has_the_frame_of_the_description():
    robot = load_robot(ROBOT_FILE)
    named = {topic: robot.frame_of(topic) for topic in robot.topics.inputs()}
    assert named == {
        'odom': 'odom',
        'global_pose': 'map',
        'scan': 'base_scan',
        'detected_objects': 'map',
        'bumper': '',
        'joint_states': '',
        'battery_state': '',
    }


def test_gripper_words_follow_its_opening():
    gripper = load_robot(ROBOT_FILE).gripper
    assert gripper.holds(0.06)
    assert not gripper.holds(0.0)
    assert not gripper.holds(0.10)
    assert gripper.is_open(0.10)
    assert not gripper.is_open(0.06)
