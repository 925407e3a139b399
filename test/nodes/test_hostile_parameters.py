"""ROS parameters that no node can use: refused by name, at start with exit code 2; later nothing changes by half."""

from __future__ import annotations

from collections.abc import Iterator
import math
import os
from pathlib import Path
import signal
from typing import Any

from hostile_parts import node_part, NODES, Part, Recipe
import pytest
from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue
from rcl_interfaces.srv import SetParameters, SetParametersAtomically
from rclpy.node import Node
from robot_tool_agent.core.robot.base import ConfigModel
from robot_tool_agent.nodes.executor_setup import ExecutorParameters
from robot_tool_agent.nodes.planner_setup import PlannerParameters
from robot_tool_agent.nodes.runtime import EXIT_CONFIG, EXIT_OK, run_node
from robot_tool_agent.nodes.safety_parameters import SafetyParameters
from robot_tool_agent_sim.gazebo.settings import GazeboSettings
from robot_tool_agent_sim.relay.settings import RelaySettings
from robot_tool_agent_sim.settings import SimulatorSettings
from robot_tool_agent_sim.turtlesim.settings import TurtleSettings

DOMAIN = 9
MODELS: dict[str, type[ConfigModel]] = {
    'safety': SafetyParameters,
    'executor': ExecutorParameters,
    'planner': PlannerParameters,
    'simulator': SimulatorSettings,
    'relay': RelaySettings,
    'turtle_adapter': TurtleSettings,
    'gazebo_adapter': GazeboSettings,
}
# None of them is a value of any parameter but one of the type that is named, as YAML.
NONSENSE = {
    '.nan': '', '.inf': '', '-.inf': '', '-1.0e+308': '', '1.0e+308': '', '-1': '', '99999999999999999999': '',
    '[1.5]': '', '[true]': '', '[]': 'tuple', 'true': 'bool', '"\\e[2J"': 'str',
}  # fmt: skip
# What may change while a node runs, with a value that is good and one that is not.
CHANGEABLE = {'simulator': ('fault', 'odom_frozen', 'gremlins'), 'relay': ('saboteur', 'reply_dropped', 'gremlins')}


@pytest.fixture(autouse=True)
def own_world(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setenv('ROS_DOMAIN_ID', str(DOMAIN))
    monkeypatch.setenv('ROS_HOME', str(tmp_path))
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in handlers.items():
        signal.signal(number, handler)


def start(recipe: Recipe, arguments: list[str]) -> int:
    """Start a node as its program does and end it as soon as it runs; return the exit code."""

    def made() -> Node:
        node = recipe.make()
        os.kill(os.getpid(), signal.SIGTERM)
        return node

    return run_node(made, arguments)


def overrides(values: dict[str, str]) -> list[str]:
    return [word for name, value in values.items() for word in ('-p', f'{name}:={value}')]


def of_type(model: type[ConfigModel], name: str, kind: str) -> bool:
    """Tell whether a parameter takes values of a type; of numbers only those within its range."""
    return bool(kind) and kind in str(model.model_fields[name].annotation)


@pytest.mark.parametrize('name', NODES)
def test_a_start_in_order_ends_in_order(name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert start(NODES[name], NODES[name].arguments(tmp_path)) == EXIT_OK, capfd.readouterr().err


@pytest.mark.parametrize('value', NONSENSE)
@pytest.mark.parametrize('name', NODES)
def test_nonsense_in_every_parameter_is_named(
    name: str, value: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    model = MODELS[name]
    wrong = {field: value for field in model.model_fields if not of_type(model, field, NONSENSE[value])}
    assert start(NODES[name], [*NODES[name].arguments(tmp_path, wrong), *overrides(wrong)]) == EXIT_CONFIG
    said = capfd.readouterr().err
    assert 'Traceback' not in said
    for field in wrong:
        assert f'{name}: parameter {field}' in said


def test_an_empty_list_is_a_list(tmp_path: Path) -> None:
    assert start(NODES['safety'], [*NODES['safety'].arguments(tmp_path), '-p', 'disabled_faults:=[]']) == EXIT_OK


@pytest.mark.parametrize('name', NODES)
def test_a_name_that_no_parameter_has_is_refused_with_the_nearest(
    name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    field = next(reversed(MODELS[name].model_fields))
    misspelt = f'{field[:-1]}_{field[-1]}'
    assert start(NODES[name], [*NODES[name].arguments(tmp_path), '-p', f'{misspelt}:=1.0']) == EXIT_CONFIG
    said = capfd.readouterr().err
    assert f'{name}: parameter {misspelt} = 1.0: unknown key' in said
    assert field in said


def test_what_ros_cannot_read_or_knows_to_be_wrong_is_refused(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for words, named in (
        (['-p', 'settle_s:=[1, a]'], 'settle_s'),
        (['-p', 'settle_s:={a: 1}'], 'settle_s'),
        (['-p', 'settle_s'], 'settle_s'),
        (['--params-file', '/nowhere.yaml'], '/nowhere.yaml'),
        (['--nonsense'], '--nonsense'),
        (['-p', 'use_sim_time:=5'], 'use_sim_time'),
    ):
        assert start(NODES['safety'], [*NODES['safety'].arguments(tmp_path), *words]) == EXIT_CONFIG
        assert named in capfd.readouterr().err
    for name, (field, _, bad) in CHANGEABLE.items():
        for value in (bad, '5', 'true', '[1, 2]', '.nan'):
            assert start(NODES[name], [*NODES[name].arguments(tmp_path), '-p', f'{field}:={value}']) == EXIT_CONFIG
            assert field in capfd.readouterr().err


ODD = [ParameterValue(type=kind) for kind in (0, *range(3, 12), 99, 255)]
ODD += [ParameterValue(type=ParameterType.PARAMETER_BOOL, bool_value=value) for value in (False, True)]
ODD += [ParameterValue(type=ParameterType.PARAMETER_INTEGER, integer_value=value) for value in (0, -1, 2**63 - 1)]
ODD += [
    ParameterValue(type=ParameterType.PARAMETER_DOUBLE, double_value=value)
    for value in (math.nan, math.inf, -math.inf, 0.0, -1.0, 1e308)
]


def text(value: str) -> ParameterValue:
    return ParameterValue(type=ParameterType.PARAMETER_STRING, string_value=value)


def asked(part: Part, kind: Any, *changes: tuple[str, ParameterValue]) -> list[Any]:
    """Ask a node's own service to set parameters; return what it says of each."""
    (service,) = [item for item in part.node.services if item.srv_type is kind]
    request = kind.Request(parameters=[Parameter(name=name, value=value) for name, value in changes])
    answer = part.done(service.callback, request, kind.Response())
    return list(answer.results) if kind is SetParameters else [answer.result]


def values(node: Node) -> dict[str, str]:
    return {name: repr(item.value) for name, item in node._parameters.items()}


@pytest.mark.parametrize('name', NODES)
def test_a_running_node_refuses_every_change_with_a_reason(name: str, tmp_path: Path) -> None:
    with node_part(NODES[name], tmp_path) as part:
        before = values(part.node)
        names = [*before, 'no_such_parameter', '', 'x' * 5000, 'a/b', '\n']
        for value in [*ODD, text('gremlins')]:
            for kind in (SetParameters, SetParametersAtomically):
                results = asked(part, kind, *((item, value) for item in names))
                assert len(results) == (len(names) if kind is SetParameters else 1)
                assert not any(result.successful for result in results)
                assert all(result.reason for result in results)
            part.turn()
        assert values(part.node) == before


@pytest.mark.parametrize('name', CHANGEABLE)
def test_of_changes_asked_together_all_happen_or_none(name: str, tmp_path: Path) -> None:
    field, good, bad = CHANGEABLE[name]
    with node_part(NODES[name], tmp_path) as part:
        before = values(part.node), told(part.node)
        refused = ((field, text(bad)), ('seed', ParameterValue(type=2, integer_value=5)), ('no_such', text('a')))
        for other in (*refused, ('use_sim_time', ParameterValue(type=1, bool_value=True)), (field, ODD[-1])):
            for changes in ([(field, text(good)), other], [other, (field, text(good))]):
                (result,) = asked(part, SetParametersAtomically, *changes)
                assert not result.successful
                assert result.reason
                assert (values(part.node), told(part.node)) == before
        (result,) = asked(part, SetParametersAtomically, (field, text(good)))
        assert result.successful
        assert told(part.node) == good


def told(node: Any) -> str:
    """Return what strikes in truth."""
    if hasattr(node, '_world'):
        return str(node._world.fault_name)
    return 'none' if node._saboteur.reply == (0.0, 0.0) else 'reply_dropped'
