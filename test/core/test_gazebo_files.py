"""World, model and bridge of Gazebo agree with the robot YAML, and every file is installed."""

from __future__ import annotations

import ast
import math
from pathlib import Path
import re
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from robot_tool_agent.config_files import load_model, load_robot
from robot_tool_agent_sim.description import WorldDescription
from robot_tool_agent_sim.gazebo.world_sdf import edges_of, Furniture, load_world_sdf, walls_of
from sim_house import CONFIG, ROBOT_FILE, WORLD_FILE
import yaml

ROOT = CONFIG.parent
FILES = CONFIG / 'gazebo'
ROBOT = load_robot(CONFIG / 'robots' / 'gazebo_house.yaml')
WORLD = load_model(WORLD_FILE, WorldDescription)
FURNITURE = load_model(FILES / 'furniture.yaml', Furniture)
BRIDGE: list[dict[str, str]] = yaml.safe_load((FILES / 'bridge.yaml').read_text(encoding='utf-8'))
ROVER = ET.parse(FILES / 'rover.sdf').getroot().find('model')
# As in the table of ros_gz_bridge.
PAIRS = {
    'rosgraph_msgs/msg/Clock': 'gz.msgs.Clock',
    'geometry_msgs/msg/Twist': 'gz.msgs.Twist',
    'geometry_msgs/msg/PoseStamped': 'gz.msgs.Pose',
    'trajectory_msgs/msg/JointTrajectory': 'gz.msgs.JointTrajectory',
    'nav_msgs/msg/Odometry': 'gz.msgs.Odometry',
    'sensor_msgs/msg/LaserScan': 'gz.msgs.LaserScan',
    'sensor_msgs/msg/JointState': 'gz.msgs.Model',
    'ros_gz_interfaces/msg/Contacts': 'gz.msgs.Contacts',
}
# What the suite reads and sends, by topic of the robot description.
TYPES = {
    'odom': 'nav_msgs/msg/Odometry',
    'scan': 'sensor_msgs/msg/LaserScan',
    'joint_states': 'sensor_msgs/msg/JointState',
    'joint_trajectory': 'trajectory_msgs/msg/JointTrajectory',
}
BY_ADAPTER = {'global_pose', 'bumper', 'detected_objects'}


def text(path: str) -> str:
    """Return what stands in the rover at a path."""
    assert ROVER is not None
    found = ROVER.findtext(path)
    assert found is not None, path
    return found


def plugin(name: str) -> ET.Element:
    assert ROVER is not None
    (found,) = [item for item in ROVER.findall('plugin') if item.get('name') == f'gz::sim::systems::{name}']
    return found


def test_the_world_is_the_one_of_the_known_map() -> None:
    assert (FILES / 'house.sdf').read_text(encoding='utf-8') == load_world_sdf(CONFIG)


def test_map_and_places_are_those_of_the_simulated_house() -> None:
    house = load_robot(ROBOT_FILE)
    for part in ('map', 'places', 'safe_poses', 'geofence', 'skills', 'gripper', 'footprint', 'limits'):
        assert getattr(ROBOT, part) == getattr(house, part), part


def test_every_wall_of_the_map_is_a_box_or_an_edge_of_furniture() -> None:
    walls = list(walls_of(ROBOT, FURNITURE))
    inner = {edge for box in FURNITURE.boxes.values() for edge in edges_of(box)}
    ends = [{wall[:2], wall[2:]} for wall in inner]
    furniture = [wall for wall in ROBOT.map.walls if {wall[:2], wall[2:]} in ends]
    assert len(walls) + len(furniture) == len(ROBOT.map.walls) == 22
    assert len(furniture) == 12, 'three free edges of four pieces'
    models = {item.get('name'): item for item in ET.parse(FILES / 'house.sdf').iter('model')}
    assert {name for name in models if name and name.startswith('wall_')} == {f'wall_{n:02}' for n in range(len(walls))}
    for number, (x1, y1, x2, y2) in enumerate(walls):
        model = models[f'wall_{number:02}']
        x_m, y_m, _, _, _, yaw_rad = map(float, (model.findtext('pose') or '').split())
        length_m = float((model.findtext('.//collision//size') or '').split()[0]) - 0.04
        ahead = (0.5 * length_m * math.cos(yaw_rad), 0.5 * length_m * math.sin(yaw_rad))
        ends_m = (x_m - ahead[0], y_m - ahead[1], x_m + ahead[0], y_m + ahead[1])
        assert ends_m == pytest.approx((x1, y1, x2, y2), abs=2e-3)


def test_objects_lie_on_furniture_and_fit_between_the_fingers() -> None:
    assert ROBOT.gripper is not None
    for name, item in WORLD.objects.items():
        on = [box for box in FURNITURE.boxes.values() if box[0] <= item.x_m <= box[2] and box[1] <= item.y_m <= box[3]]
        assert on, name
        assert ROBOT.gripper.holds(item.width_m), name


def test_each_bridged_pair_of_types_exists_and_names_are_given_once() -> None:
    for row in BRIDGE:
        assert set(row) == {'ros_topic_name', 'gz_topic_name', 'ros_type_name', 'gz_type_name', 'direction'}
        assert PAIRS[row['ros_type_name']] == row['gz_type_name'], row
        assert row['direction'] in ('GZ_TO_ROS', 'ROS_TO_GZ')
    for side in ('ros_topic_name', 'gz_topic_name'):
        names = [row[side] for row in BRIDGE]
        assert len(set(names)) == len(names)


def row_of(topic: str) -> dict[str, str]:
    (row,) = [row for row in BRIDGE if row['ros_topic_name'] == topic]
    return row


def test_every_topic_of_the_robot_is_bridged_or_made_by_the_adapter() -> None:
    topics = set(ROBOT.topics.inputs())
    assert topics >= BY_ADAPTER
    for topic in topics - BY_ADAPTER:
        row = row_of(ROBOT.topics.resolved(topic))
        assert (row['ros_type_name'], row['direction']) == (TYPES[topic], 'GZ_TO_ROS')
    row = row_of(ROBOT.topics.resolved('joint_trajectory'))
    assert (row['ros_type_name'], row['direction']) == (TYPES['joint_trajectory'], 'ROS_TO_GZ')
    assert row_of('gazebo/cmd_vel')['direction'] == 'ROS_TO_GZ'
    assert not [row for row in BRIDGE if row['ros_topic_name'] == 'cmd_vel'], 'only through the command timeout'
    assert row_of('/clock')['gz_topic_name'] == '/clock'


def test_the_poses_of_robot_and_objects_are_bridged() -> None:
    bridged = {row['ros_topic_name'] for row in BRIDGE if row['ros_topic_name'].startswith('gazebo/pose/')}
    assert bridged == {f'gazebo/pose/{name}' for name in ('rover', *WORLD.objects)}
    with_poses = {
        model.get('name')
        for model in ET.parse(FILES / 'house.sdf').iter('model')
        if any(item.get('name') == 'gz::sim::systems::PosePublisher' for item in model.findall('plugin'))
    }
    assert with_poses == set(WORLD.objects)


def test_the_rover_speaks_and_listens_where_the_bridge_does() -> None:
    assert ROVER is not None
    assert ROVER.get('name') == 'rover'
    drive, jaw = plugin('DiffDrive'), plugin('JointTrajectoryController')
    assert drive.findtext('topic') == row_of('gazebo/cmd_vel')['gz_topic_name']
    assert drive.findtext('odom_topic') == row_of('odom')['gz_topic_name']
    assert jaw.findtext('topic') == row_of('joint_trajectory')['gz_topic_name']
    assert plugin('JointStatePublisher').findtext('topic') == row_of('joint_states')['gz_topic_name']
    assert text("link/sensor[@name='lidar']/topic") == row_of('scan')['gz_topic_name']
    assert text("link/sensor[@name='contact']/contact/topic") == row_of('gazebo/contacts')['gz_topic_name']
    assert plugin('PosePublisher').findtext('publish_model_pose') == 'true'


def test_frames_and_rates_are_those_of_the_robot_description() -> None:
    drive, topics = plugin('DiffDrive'), ROBOT.topics
    assert topics.scan is not None
    assert topics.joint_states is not None
    assert (drive.findtext('frame_id'), drive.findtext('child_frame_id')) == (ROBOT.frames.odom, ROBOT.frames.base)
    assert text("link/sensor[@name='lidar']/gz_frame_id") == ROBOT.frames.scan
    assert float(drive.findtext('odom_publish_frequency') or 0) == topics.odom.rate_hz
    assert float(text("link/sensor[@name='lidar']/update_rate")) == topics.scan.rate_hz
    assert float(plugin('JointStatePublisher').findtext('update_rate') or 0) == topics.joint_states.rate_hz
    fastest = max(topic.rate_hz for name, topic in topics.inputs().items() if name in BY_ADAPTER)
    assert float(plugin('PosePublisher').findtext('update_frequency') or 0) >= fastest


def test_the_body_is_the_one_of_the_robot_description() -> None:
    gripper, drive = ROBOT.gripper, plugin('DiffDrive')
    assert gripper is not None
    body = "link[@name='base_link']/collision[@name='body']"
    assert float(text(f'{body}/geometry/cylinder/radius')) == ROBOT.footprint.radius_m
    assert text("link[@name='base_link']/sensor[@name='contact']/contact/collision") == 'body'
    left_y = float(text("link[@name='left_wheel']/pose").split()[1])
    assert float(drive.findtext('wheel_separation') or 0) == pytest.approx(2 * left_y)
    assert float(drive.findtext('wheel_radius') or 0) == float(text("link[@name='left_wheel']//radius"))
    assert float(drive.findtext('max_linear_acceleration') or 0) >= ROBOT.limits.max_decel_mps2
    limit = f"joint[@name='{gripper.joint}']/axis/limit"
    assert (float(text(f'{limit}/lower')), float(text(f'{limit}/upper'))) == (gripper.closed_m, gripper.open_m)
    assert plugin('JointTrajectoryController').findtext('joint_name') == gripper.joint
    assert float(text("link[@name='finger']/pose").split()[0]) == gripper.reach_m
    top_m, mount_m = FURNITURE.height_m, float(text("link/sensor[@name='lidar']/pose").split()[2])
    assert mount_m < top_m - 0.03, 'the lidar sees the furniture'
    low_m = float(text("link[@name='finger']/pose").split()[2]) - 0.5 * 0.09
    assert low_m > top_m, 'the fingers pass over it'


def joints_and_links() -> tuple[set[str | None], list[str | None]]:
    assert ROVER is not None
    ends = [joint.findtext(end) for joint in ROVER.findall('joint') for end in ('parent', 'child')]
    return {link.get('name') for link in ROVER.findall('link')}, ends


def test_joints_join_links_that_exist_and_plugins_name_joints_that_exist() -> None:
    assert ROVER is not None
    links, ends = joints_and_links()
    assert set(ends) <= links
    joints = {joint.get('name') for joint in ROVER.findall('joint')}
    named = [item.text for item in ROVER.findall('plugin/*') if item.tag.endswith(('_joint', 'joint_name'))]
    assert named
    assert set(named) <= joints


def installed() -> set[str]:
    """Return the files that setup.py installs below share, from its patterns."""
    calls = re.findall(r"files_under\('(\w+)', '([^']+)'\)", (ROOT / 'setup.py').read_text(encoding='utf-8'))
    return {path.relative_to(ROOT).as_posix() for folder, pattern in calls for path in (ROOT / folder).rglob(pattern)}


def test_every_file_under_config_and_launch_is_installed() -> None:
    files = {
        path.relative_to(ROOT).as_posix()
        for folder in ('config', 'launch')
        for path in (ROOT / folder).rglob('*')
        if path.is_file() and '__pycache__' not in path.parts
    }
    assert files - installed() == set()
    for name in ('house.sdf', 'rover.sdf', 'bridge.yaml', 'furniture.yaml'):
        assert f'config/gazebo/{name}' in installed()


def literal(tree: ast.Module, name: str) -> Any:
    (value,) = [
        node.value for node in tree.body if isinstance(node, ast.Assign) and getattr(node.targets[0], 'id', '') == name
    ]
    return ast.literal_eval(value)


@pytest.mark.parametrize(('file', 'robot'), [('gazebo', 'gazebo_house'), ('turtlesim', 'turtlesim')])
def test_launch_files_name_robots_and_arguments_that_exist(file: str, robot: str) -> None:
    tree = ast.parse((ROOT / 'launch' / f'{file}.launch.py').read_text(encoding='utf-8'))
    agent = ast.parse((ROOT / 'launch' / 'agent.launch.py').read_text(encoding='utf-8'))
    arguments = literal(tree, 'ARGUMENTS')
    assert arguments['robot'][0] == robot
    assert (CONFIG / 'robots' / f'{robot}.yaml').is_file()
    assert set(arguments) <= set(literal(agent, 'ARGUMENTS'))


def test_programs_that_launch_files_start_are_installed_and_their_packages_declared() -> None:
    scripts = set(re.findall(r"f'(\w+) = \{NAME\}", (ROOT / 'setup.py').read_text(encoding='utf-8')))
    declared = {item.text for item in ET.parse(ROOT / 'package.xml').getroot() if item.tag.endswith('depend')}
    for path in (ROOT / 'launch').glob('*.launch.py'):
        source = path.read_text(encoding='utf-8')
        for package, program in re.findall(r"package='(\w+)',\s+executable='(\w+)'", source):
            assert package in declared | {'robot_tool_agent'}, (path, package)
            assert package != 'robot_tool_agent' or program in scripts, (path, program)
        assert set(re.findall(r"FindPackageShare\('(\w+)'\)", source)) <= declared


def test_every_resource_path_is_inside_the_repository() -> None:
    for path in FILES.iterdir():
        assert not re.search(r'(/home/|/opt/|model://|file://)', path.read_text(encoding='utf-8')), path


ROBOT_FILES = sorted((CONFIG / 'robots').glob('*.yaml'), key=lambda path: path.name)


@pytest.mark.parametrize('path', ROBOT_FILES, ids=lambda path: Path(path).stem)
def test_every_robot_file_is_valid_and_named_like_its_file(path: Path) -> None:
    robot = load_robot(path)
    assert robot.name == path.stem
    simulated = path.stem.startswith('sim_') or path.stem == 'turtlesim'
    head = path.read_text(encoding='utf-8').splitlines()[:3]
    assert simulated or any('NOT RUN' in line for line in head), 'a file that was never run says so'
