"""Any text at all in the place of a robot or world description: read, or refused with ConfigError, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
import json
import math
from pathlib import Path
import re
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
import pytest
from robot_tool_agent.config_files import ConfigError, load_model, load_robot
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.safety.config import SafetyConfig
from robot_tool_agent.core.safety.supervisor import SafetySupervisor
from robot_tool_agent.core.sensors import SensorView
from robot_tool_agent_sim.description import WorldDescription
from robot_tool_agent_sim.world import World
from sim_house import CONFIG, house, ROBOT_FILE, WORLD_FILE
import yaml

CORPUS: dict[str, str] = json.loads((Path(__file__).parents[1] / 'corpus' / 'yaml.json').read_text(encoding='utf-8'))
ARM_FILE = CONFIG / 'robots' / 'sim_house_arm.yaml'
FEW = settings(max_examples=150, derandomize=True, deadline=None, database=None)
ODD = [None, True, False, 0, -1, 1, 10**30, -0.0, 1e-320, 1e308, math.nan, math.inf, -math.inf, '', ' ', 'x' * 5000]
ODD += ['1.0', 'nan', '\x1b[2J', 'ä', [], {}, [0.0], [[0.0, 0.0]], {'a': {}}, [None], [math.nan] * 4, [1e308] * 4]
odd = st.sampled_from(ODD) | st.floats() | st.text(max_size=8)


def unfolded(text: str) -> str:
    """Return a text of the corpus with its repetitions `@text*count@` written out."""
    return re.sub(r'@(.*?)\*(\d+)@', lambda found: found[1] * int(found[2]), text, flags=re.DOTALL)


def paths(value: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the way to every value inside a tree of maps and lists."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield (*above, key)
        yield from paths(item, (*above, key))


def changed(tree: Any, path: tuple[Any, ...], value: Any) -> Any:
    """Return a copy of a tree with another value at the end of a path."""
    if not path:
        return value
    copy = dict(tree) if isinstance(tree, dict) else list(tree)
    copy[path[0]] = changed(tree[path[0]], path[1:], value)
    return copy


def read(path: Path, text: str) -> RobotDescription | None:
    """Return the robot that a text describes, None if it is refused by name."""
    path.write_text(text, encoding='utf-8')
    try:
        return load_robot(path)
    except ConfigError as error:
        named = str(error).startswith(f'{path}: ')
    assert named
    return None


def runs(robot: RobotDescription) -> None:
    """Assert that the parts of the nodes can be built of a description and work for a moment."""
    safety, view = SafetySupervisor(robot, SafetyConfig(), 1, 0.0), SensorView(robot)
    for tick in range(5):
        output = safety.tick(0.02 * tick)
        assert output.twist.is_zero()
    assert view.map_pose() is None


@pytest.mark.parametrize('name', CORPUS)
def test_what_once_was_no_configuration_fault_is_one(tmp_path: Path, name: str):
    path = tmp_path / 'robot.yaml'
    path.write_text(unfolded(CORPUS[name]), encoding='utf-8')
    for model in (RobotDescription, WorldDescription):
        with pytest.raises(ConfigError, match=r'robot\.yaml: '):
            load_model(path, model)


@FEW
@given(text=st.text(alphabet=st.sampled_from('ab0.-_ex:,[]{}&*!?|>#%@"\'\n \t~'), max_size=40))
def test_any_text_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, text: str):
    assert read(tmp_path_factory.getbasetemp() / 'text.yaml', text) is None


@FEW
@given(data=st.data())
@pytest.mark.parametrize('source', [ROBOT_FILE, ARM_FILE], ids=['house', 'arm'])
def test_a_description_with_odd_values_is_refused_or_runs(
    tmp_path_factory: pytest.TempPathFactory, source: Path, data: st.DataObject
):
    tree = yaml.safe_load(source.read_text(encoding='utf-8'))
    for _ in range(data.draw(st.integers(1, 3))):
        tree = changed(tree, data.draw(st.sampled_from(list(paths(tree)))), data.draw(odd))
    robot = read(tmp_path_factory.getbasetemp() / f'{source.stem}.yaml', yaml.safe_dump(tree, allow_unicode=True))
    if robot is not None:
        runs(robot)


@FEW
@given(data=st.data())
def test_a_world_with_odd_values_is_refused_or_runs(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject):
    tree = yaml.safe_load(WORLD_FILE.read_text(encoding='utf-8'))
    tree = changed(tree, data.draw(st.sampled_from(list(paths(tree)))), data.draw(odd))
    path = tmp_path_factory.getbasetemp() / 'world.yaml'
    path.write_text(yaml.safe_dump(tree, allow_unicode=True), encoding='utf-8')
    try:
        description = load_model(path, WorldDescription)
    except ConfigError:
        return
    world = World(house().robot, description, 'none', 0)
    for _ in range(10):
        world.step(0.02)
    assert world.pose.is_sane()
