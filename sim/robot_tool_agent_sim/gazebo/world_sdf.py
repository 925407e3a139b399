"""
Writes the Gazebo world of a known map: `python -m robot_tool_agent_sim.gazebo.world_sdf > config/gazebo/house.sdf`.

Every wall of the map becomes a box, furniture a low solid one, every object of the world file a cylinder of its width.
Each object publishes its true pose as `/model/<name>/pose`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
import math
from pathlib import Path
import sys
from xml.etree import ElementTree as ET

from pydantic import Field
from robot_tool_agent.config_files import load_model, load_robot
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.robot.base import ConfigModel, Name
from robot_tool_agent.core.robot.surroundings import Segment
from robot_tool_agent.share_files import find_config, share_folder
from robot_tool_agent_sim.description import ObjectConfig, WorldDescription

WORLD = 'house'
WALL_HEIGHT_M, WALL_THICKNESS_M = 0.5, 0.04
OBJECT_HEIGHT_M, OBJECT_MASS_KG, OBJECT_FRICTION = 0.12, 0.1, 1.5
OBJECT_POSE_HZ = 10.0
COLOURS = {
    'wall': '0.8 0.8 0.75 1',
    'furniture': '0.55 0.4 0.25 1',
    'object': '0.8 0.2 0.2 1',
    'ground': '0.6 0.6 0.6 1',
}
SYSTEMS = (
    ('gz-sim-physics-system', 'gz::sim::systems::Physics'),
    ('gz-sim-user-commands-system', 'gz::sim::systems::UserCommands'),
    ('gz-sim-scene-broadcaster-system', 'gz::sim::systems::SceneBroadcaster'),
    ('gz-sim-contact-system', 'gz::sim::systems::Contact'),
    ('gz-sim-sensors-system', 'gz::sim::systems::Sensors'),
)


class Furniture(ConfigModel):
    """Which walls of the map are low boxes."""

    height_m: float = Field(ge=0.05, le=2.0, description='m')
    boxes: dict[Name, Segment] = Field(default_factory=dict, max_length=100)


def world_sdf(robot: RobotDescription, world: WorldDescription, furniture: Furniture) -> str:
    """Return the world as SDF 1.9."""
    root = ET.Element('sdf', version='1.9')
    scene = ET.SubElement(root, 'world', name=WORLD)
    _add_systems(scene)
    _add_light_and_ground(scene)
    for number, wall in enumerate(walls_of(robot, furniture)):
        _add_wall(scene, f'wall_{number:02}', wall)
    for name, box in furniture.boxes.items():
        _add_box(scene, name, box, furniture.height_m)
    for name, item in world.objects.items():
        _add_object(scene, name, item, furniture.height_m)
    ET.indent(root)
    return '<?xml version="1.0"?>\n' + ET.tostring(root, encoding='unicode') + '\n'


def walls_of(robot: RobotDescription, furniture: Furniture) -> Iterator[Segment]:
    """Yield the walls of the map that are no edge of a piece of furniture."""
    edges = {edge for box in furniture.boxes.values() for edge in edges_of(box)}
    return (wall for wall in robot.map.walls if _sorted(wall) not in edges)


def edges_of(box: Segment) -> set[Segment]:
    """Return the four edges of a box, each with its lesser end first."""
    x1, y1, x2, y2 = box
    return {_sorted(edge) for edge in ((x1, y1, x2, y1), (x1, y2, x2, y2), (x1, y1, x1, y2), (x2, y1, x2, y2))}


def _sorted(segment: Segment) -> Segment:
    x1, y1, x2, y2 = segment
    return segment if (x1, y1) <= (x2, y2) else (x2, y2, x1, y1)


def _add_systems(scene: ET.Element) -> None:
    physics = ET.SubElement(scene, 'physics', name='4ms', type='ignored')
    _add_texts(physics, {'max_step_size': '0.004', 'real_time_factor': '1.0'})
    for file, name in SYSTEMS:
        plugin = ET.SubElement(scene, 'plugin', filename=file, name=name)
        if name.endswith('Sensors'):
            ET.SubElement(plugin, 'render_engine').text = 'ogre2'


def _add_light_and_ground(scene: ET.Element) -> None:
    light = ET.SubElement(scene, 'light', type='directional', name='sun')
    _add_texts(light, {'pose': '0 0 10 0 0 0', 'direction': '-0.3 0.2 -0.9', 'diffuse': '0.9 0.9 0.9 1'})
    link = _add_static(scene, 'ground', '4.5 3 -0.05 0 0 0')
    _add_shape(link, 'box', {'size': '20 20 0.1'}, COLOURS['ground'])


def _add_wall(scene: ET.Element, name: str, wall: Segment) -> None:
    x1, y1, x2, y2 = wall
    length_m, yaw_rad = math.hypot(x2 - x1, y2 - y1), math.atan2(y2 - y1, x2 - x1)
    pose = _numbers((x1 + x2) / 2, (y1 + y2) / 2, WALL_HEIGHT_M / 2, 0, 0, yaw_rad)
    size = _numbers(length_m + WALL_THICKNESS_M, WALL_THICKNESS_M, WALL_HEIGHT_M)
    _add_shape(_add_static(scene, name, pose), 'box', {'size': size}, COLOURS['wall'])


def _add_box(scene: ET.Element, name: str, box: Segment, height_m: float) -> None:
    x1, y1, x2, y2 = box
    link = _add_static(scene, name, _numbers((x1 + x2) / 2, (y1 + y2) / 2, height_m / 2, 0, 0, 0))
    _add_shape(link, 'box', {'size': _numbers(abs(x2 - x1), abs(y2 - y1), height_m)}, COLOURS['furniture'])


def _add_object(scene: ET.Element, name: str, item: ObjectConfig, top_m: float) -> None:
    model = ET.SubElement(scene, 'model', name=name)
    ET.SubElement(model, 'pose').text = _numbers(item.x_m, item.y_m, top_m + OBJECT_HEIGHT_M / 2, 0, 0, 0)
    link = ET.SubElement(model, 'link', name='link')
    radius_m = item.width_m / 2
    _add_inertia(link, OBJECT_MASS_KG, radius_m, OBJECT_HEIGHT_M)
    shape = {'radius': _numbers(radius_m), 'length': _numbers(OBJECT_HEIGHT_M)}
    collision = _add_shape(link, 'cylinder', shape, COLOURS['object'])
    surface = ET.SubElement(ET.SubElement(ET.SubElement(collision, 'surface'), 'friction'), 'ode')
    _add_texts(surface, {'mu': str(OBJECT_FRICTION), 'mu2': str(OBJECT_FRICTION)})
    plugin = ET.SubElement(
        model, 'plugin', filename='gz-sim-pose-publisher-system', name='gz::sim::systems::PosePublisher'
    )
    _add_texts(plugin, _pose_options(OBJECT_POSE_HZ))


def _pose_options(rate_hz: float) -> Mapping[str, str]:
    off = dict.fromkeys(('publish_link_pose', 'publish_collision_pose', 'publish_visual_pose'), 'false')
    return {**off, 'publish_model_pose': 'true', 'update_frequency': _numbers(rate_hz)}


def _add_inertia(link: ET.Element, mass_kg: float, radius_m: float, height_m: float) -> None:
    """Add the moments of a solid cylinder."""
    across = mass_kg * (3 * radius_m**2 + height_m**2) / 12
    inertial = ET.SubElement(link, 'inertial')
    _add_texts(inertial, {'mass': _numbers(mass_kg)})
    along = {'ixx': across, 'iyy': across, 'izz': mass_kg * radius_m**2 / 2}
    _add_texts(ET.SubElement(inertial, 'inertia'), {key: f'{value:.3e}' for key, value in along.items()})


def _add_static(scene: ET.Element, name: str, pose: str) -> ET.Element:
    model = ET.SubElement(scene, 'model', name=name)
    _add_texts(model, {'static': 'true', 'pose': pose})
    return ET.SubElement(model, 'link', name='link')


def _add_shape(link: ET.Element, kind: str, shape: Mapping[str, str], colour: str) -> ET.Element:
    """Add what is touched and what is seen of a link; return the former."""
    for role in ('collision', 'visual'):
        part = ET.SubElement(link, role, name=role)
        _add_texts(ET.SubElement(ET.SubElement(part, 'geometry'), kind), shape)
    _add_texts(ET.SubElement(part, 'material'), {'ambient': colour, 'diffuse': colour})
    collision = link.find('collision')
    assert collision is not None
    return collision


def _add_texts(parent: ET.Element, texts: Mapping[str, str]) -> None:
    for tag, text in texts.items():
        ET.SubElement(parent, tag).text = text


def _numbers(*values: float) -> str:
    return ' '.join(f'{value:.5g}' for value in values)


def load_world_sdf(folder: Path) -> str:
    """Return the world of the shipped files; `folder` is that of `config`."""
    robot = load_robot(find_config('gazebo_house', 'robots'))
    world = load_model(find_config('house', 'worlds'), WorldDescription)
    return world_sdf(robot, world, load_model(folder / 'gazebo' / 'furniture.yaml', Furniture))


if __name__ == '__main__':
    sys.stdout.write(load_world_sdf(share_folder() / 'config'))
