"""Every launch file builds: its arguments, what it includes, the programs it starts. Nothing is started."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

from launch import LaunchContext, LaunchDescription
from launch.actions import DeclareLaunchArgument, GroupAction, IncludeLaunchDescription, OpaqueFunction
from launch_ros.actions import Node
import pytest

ROOT = Path(__file__).resolve().parents[2]
STARTED = {
    'gazebo': {'create', 'parameter_bridge', 'gazebo_adapter'},
    'turtlesim': {'turtlesim_node', 'turtle_adapter'},
    'agent': {'safety_node', 'robot_node', 'executor_node', 'planner_node'},
}


def module_of(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f'{name}_launch', ROOT / 'launch' / f'{name}.launch.py')
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def flat(actions: list[Any], context: LaunchContext) -> list[Any]:
    """Return all actions, with those inside groups and what functions return."""
    found: list[Any] = []
    for action in actions:
        found.append(action)
        if isinstance(action, GroupAction):
            found += flat(action.get_sub_entities(), context)
        elif isinstance(action, OpaqueFunction):
            found += flat(action.execute(context) or [], context)
    return found


def described(name: str, **chosen: str) -> tuple[list[Any], LaunchContext]:
    context = LaunchContext()
    description = module_of(name).generate_launch_description()
    assert isinstance(description, LaunchDescription)
    for action in description.entities:
        if isinstance(action, DeclareLaunchArgument):
            assert action.description, action.name
            default = ''.join(part.perform(context) for part in action.default_value or [])
            context.launch_configurations[action.name] = chosen.get(action.name, default)
    return flat(list(description.entities), context), context


def words(parts: Any, context: LaunchContext) -> str:
    return parts if isinstance(parts, str) else ''.join(part.perform(context) for part in parts)


@pytest.mark.parametrize('name', sorted(STARTED))
@pytest.mark.parametrize('namespace', ['', 'r2'])
def test_it_starts_its_programs(name: str, namespace: str) -> None:
    actions, context = described(name, namespace=namespace)
    nodes = [action for action in actions if isinstance(action, Node)]
    assert {words(node.node_executable, context) for node in nodes} == STARTED[name]


@pytest.mark.parametrize('name', ['gazebo', 'turtlesim'])
def test_it_includes_the_system_without_its_simulator(name: str) -> None:
    actions, context = described(name, namespace='r2', llm='rules')
    included = [action for action in actions if isinstance(action, IncludeLaunchDescription)]
    handed_on = [dict(action.launch_arguments) for action in included]
    (agent,) = [item for item in handed_on if 'sim' in item]
    given = {key: words(value if isinstance(value, (str, list)) else [value], context) for key, value in agent.items()}
    assert given['sim'] == 'false'
    assert (given['namespace'], given['llm']) == ('r2', 'rules')
    assert set(given) - {'sim'} == set(module_of(name).ARGUMENTS)


@pytest.mark.parametrize(('headless', 'mode'), [('true', '-r -s '), ('false', '-r ')])
def test_gazebo_gets_the_world_and_mode(headless: str, mode: str) -> None:
    actions, _ = described('gazebo', headless=headless)
    included = [dict(action.launch_arguments) for action in actions if isinstance(action, IncludeLaunchDescription)]
    (gz,) = [item for item in included if 'gz_args' in item]
    world = ROOT / 'config' / 'gazebo' / 'house.sdf'
    assert gz == {'gz_args': f'{mode}{world}', 'on_exit_shutdown': 'true'}
    assert world.is_file()
