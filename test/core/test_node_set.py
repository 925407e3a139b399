"""The declaration of the node set and the options that shape it."""

from pathlib import Path
import re

import pytest
from robot_tool_agent import node_set
from robot_tool_agent.config_files import ConfigError
from robot_tool_agent.node_set import NODE_SET, planned_nodes, start_options
from robot_tool_agent.share_files import share_folder
import yaml


def arguments_of(name: str, **options) -> tuple[str, ...]:
    """Return the ROS arguments of one planned node."""
    return next(node for node in planned_nodes(start_options(**options)) if node.spec.name == name).ros_arguments()


def test_safety_is_first_and_never_respawns() -> None:
    assert NODE_SET[0].name == 'safety'
    assert {spec.name: spec.respawn for spec in NODE_SET} == {
        'safety': False,
        'simulator': False,
        'executor': True,
        'planner': True,
    }


@pytest.mark.parametrize(
    ('sim', 'names'),
    [(True, ['safety', 'simulator', 'executor', 'planner']), (False, ['safety', 'executor', 'planner'])],
)
def test_simulator_is_part_of_the_set_only_when_asked_for(sim: bool, names: list[str]) -> None:
    assert [node.spec.name for node in planned_nodes(start_options(sim=sim))] == names


def test_every_executable_is_a_console_script_of_the_package() -> None:
    setup = (Path(__file__).parents[2] / 'setup.py').read_text(encoding='utf-8').replace('{NAME}', 'robot_tool_agent')
    scripts = dict(re.findall(r"'(\w+) = ([\w.]+):main'", setup))
    assert {spec.executable: spec.module for spec in NODE_SET}.items() <= scripts.items()


def test_options_become_parameters_of_the_nodes_that_take_them() -> None:
    robot = share_folder() / 'config' / 'robots' / 'sim_house.yaml'
    world = share_folder() / 'config' / 'worlds' / 'house.yaml'
    simulator = arguments_of('simulator', fault='gripper_slips', llm='rules')
    assert f'robot_file:="{robot}"' in simulator
    assert f'world_file:="{world}"' in simulator
    assert 'fault:="gripper_slips"' in simulator
    assert not any(item.startswith('provider:=') for item in simulator)
    assert 'provider:="rules"' in arguments_of('planner', llm='rules')
    for name in ('safety', 'executor'):
        assert f'robot_file:="{robot}"' in arguments_of(name)


@pytest.mark.parametrize('name', ['simulator', 'planner'])
def test_an_option_not_given_leaves_the_parameter_to_the_files(name: str) -> None:
    assert not [item for item in arguments_of(name) if item.startswith(('fault:=', 'provider:='))]


@pytest.mark.parametrize('namespace', ['robot2', '/robot2', '/fleet/robot2'])
def test_namespace_is_absolute_for_every_node(namespace: str) -> None:
    for node in planned_nodes(start_options(namespace=namespace)):
        assert f'__ns:=/{namespace.strip("/")}' in node.ros_arguments()


def test_extra_parameters_come_after_the_node_s_own(tmp_path: Path) -> None:
    extra = tmp_path / 'extra.yaml'
    extra.write_text('/**: {ros__parameters: {max_steps: 3}}\n', encoding='utf-8')
    arguments = arguments_of('executor', params_file=str(extra))
    files = [arguments[index + 1] for index, item in enumerate(arguments) if item == '--params-file']
    assert files == [str(share_folder() / 'config' / 'executor.yaml'), str(extra)]


def test_every_fault_of_the_options_is_told_at_once(tmp_path: Path) -> None:
    robot = tmp_path / 'robot.yaml'
    robot.write_text('name: sim_house\nlimit: {}\n', encoding='utf-8')
    with pytest.raises(ConfigError) as caught:
        start_options(robot=str(robot), sim=False, fault='gripper_slips', namespace='2nd', params_file='gone.yaml')
    text = str(caught.value)
    for part in ('limit: unknown key; did you mean limits?', 'footprint', 'needs the simulator', "'2nd'", 'gone.yaml'):
        assert part in text


def test_an_unknown_name_is_answered_with_the_valid_ones() -> None:
    with pytest.raises(ConfigError, match=r'lunar: no such file in config/robots; there are: .*sim_house'):
        start_options(robot='lunar')
    with pytest.raises(ConfigError, match=r'config/worlds; there are: .*house'):
        start_options(world='lunar')


@pytest.mark.parametrize('name', [spec.name for spec in node_set.NODE_SET])
def test_parameter_files_match_nodes_in_any_namespace(name: str) -> None:
    path = share_folder() / 'config' / f'{name}.yaml'
    sections = yaml.safe_load(path.read_text(encoding='utf-8'))
    assert all(section.startswith('/**') for section in sections), f'{path.name}: {list(sections)}'
    assert all(list(body) == ['ros__parameters'] for body in sections.values())
