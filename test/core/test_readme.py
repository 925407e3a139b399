"""What the README says of faults, errors and the robot YAML is what the code does; its examples work."""

from dataclasses import replace
from pathlib import Path
import re
from types import SimpleNamespace
from typing import Any

import pytest
from readme_tables import (
    code_block,
    code_rows,
    fault_rows,
    field_rows,
    parameter_table,
    README,
    table,
    tables,
    text,
)
from robot_tool_agent.config_files import ConfigError, load_robot
from robot_tool_agent.core.motion import Motion
from robot_tool_agent.core.outcomes import Effect, ErrorCode
from robot_tool_agent.core.robot import Gripper, Limits, RobotDescription, SkillConfig
from robot_tool_agent.core.safety.machine import mermaid
from robot_tool_agent.core.safety_state import SafetyMode
from robot_tool_agent.core.skills.registry import SkillRegistry
from robot_tool_agent.nodes.safety_parameters import SafetyParameters
from robot_tool_agent_sim.faults import FAULTS as SIMULATOR_FAULTS
from robot_tool_agent_sim.settings import SimulatorSettings
from skill_rig import at, Rig
import yaml

FAULT_ROW = ('`fault`', '`none`', '-', f'what goes wrong: {", ".join(SIMULATOR_FAULTS)}')


def test_the_fault_table_is_the_one_of_the_code() -> None:
    assert [row for rows in tables('code') for row in rows if len(row) == 6] == fault_rows()


def test_every_error_code_stands_there_with_its_advice_and_a_meaning() -> None:
    (rows,) = [rows for rows in tables('code') if len(rows[0]) == 3]
    assert [row[:2] for row in rows] == code_rows()
    assert all(row[2] for row in rows)


def test_every_safety_state_is_explained() -> None:
    (rows,) = [rows for rows in tables('state') if len(rows[0]) == 3]
    assert {name for row in rows for name in row[0].split(', ')} == {mode.name for mode in SafetyMode}


def test_parameters_of_safety_and_simulator() -> None:
    assert parameter_table('safety') == field_rows(SafetyParameters)
    assert parameter_table('simulator') == [*field_rows(SimulatorSettings), FAULT_ROW]


def test_the_keys_of_a_robot() -> None:
    top, limits, gripper = tables('key')
    fields = RobotDescription.model_fields.items()
    assert [row[:2] for row in top] == [(f'`{name}`', 'yes' if field.is_required() else 'no') for name, field in fields]
    assert limits == field_rows(Limits)
    assert gripper == field_rows(Gripper)


def test_the_least_robot_is_accepted_and_no_line_of_it_can_be_left_out(tmp_path: Path) -> None:
    block, path = code_block('yaml', 'safe_poses:'), tmp_path / 'my_robot.yaml'
    path.write_text(block, encoding='utf-8')
    robot = load_robot(path)
    SkillRegistry(robot)
    assert (robot.name, len(robot.places), len(robot.skills)) == ('my_robot', 0, 4)
    content = yaml.safe_load(block)
    for key in content:
        rest = {name: value for name, value in content.items() if name != key}
        path.write_text(yaml.safe_dump(rest), encoding='utf-8')
        with pytest.raises(ConfigError, match=key):
            load_robot(path)


def test_the_faults_of_a_robot_file_read_as_shown(tmp_path: Path) -> None:
    path = tmp_path / 'bad.yaml'
    bad = code_block('yaml', 'safe_poses:').replace('max_speed_mps: 0.3', 'max_speed_mps: 30.0')
    path.write_text(bad.replace('retreat_speed_mps: 0.15', 'retreat_speed: 0.15'), encoding='utf-8')
    with pytest.raises(ConfigError) as caught:
        load_robot(path)
    shown = [line for line in text().splitlines() if line.startswith('bad.yaml: ')]
    assert str(caught.value).replace(str(path), 'bad.yaml').splitlines() == shown
    assert len(shown) == 3


@pytest.fixture
def rig() -> Rig:
    """Return a robot with a closed gripper that has the README's skill enabled."""
    example: dict[str, Any] = {'__name__': 'open_gripper'}
    exec(compile(code_block('python', 'class OpenGripper'), str(README), 'exec'), example)
    rig = at(1.0, 1.0)
    robot = rig.robot.model_copy(update={'skills': {**rig.robot.skills, 'open_gripper': SkillConfig()}})
    rig.registry = SkillRegistry(robot, extra=[example['OpenGripper']])
    rig.world.command_gripper(0.0, 1.0)
    rig.advance(Motion(), 2.0)
    assert rig.view.gripper_opening_m() == pytest.approx(0.0, abs=0.002)
    return rig


def test_the_skill_of_the_readme_opens_the_gripper_and_says_so_by_sensors(rig: Rig) -> None:
    first, again = rig.run('open_gripper', {}), rig.run('open_gripper', {})
    assert first.verdict is not None
    assert again.verdict is not None
    assert (first.verdict.reached, first.verdict.effect) == (True, Effect.DONE)
    assert (again.verdict.reached, again.verdict.effect) == (True, Effect.NONE)
    assert first.verdict.result['opening_m'] == pytest.approx(0.1, abs=0.002)
    assert rig.world.pose.distance_to(at(1.0, 1.0).world.pose) == 0.0


def test_the_skill_of_the_readme_claims_nothing_without_sensors(rig: Rig) -> None:
    run = rig.run('open_gripper', {}, hook=lambda moving, step: moving.silent.add('joint_states'))
    assert run.verdict is None


def test_the_skill_of_the_readme_does_not_believe_its_own_command(rig: Rig) -> None:
    run = rig.run('open_gripper', {})
    assert run.skill is not None
    assert run.since is not None
    assert rig.view.joints is not None
    closed = replace(rig.view.joints, stamp_s=1e6, received_s=1e6, positions={'gripper_joint': 0.03})
    view: Any = SimpleNamespace(joints=closed, gripper_opening_m=lambda: 0.03)
    verdict = run.skill.verify(view, {'opening_m': 0.0}, run.since)
    assert verdict is not None
    assert (verdict.reached, verdict.effect) == (False, Effect.PARTIAL)
    assert verdict.error is ErrorCode.VERIFICATION_FAILED


def test_files_and_targets_that_are_named_exist() -> None:
    root = README.parent
    for path in re.findall(r'`((?:robot_tool_agent|sim|test|config|docs|launch|scripts|\.ci)[\w./]*)`', text()):
        no_file = '/' not in path or re.search(r'_interfaces/(msg|srv|action)/|^sim/(?!robot)', path)
        assert no_file or path.endswith('/open_gripper.py') or (root / path).exists(), path
    targets = set(re.findall(r'^([a-z-]+):', (root / 'Makefile').read_text(encoding='utf-8'), re.MULTILINE))
    assert {row[0].strip('`').removeprefix('make ') for row in table('target')} <= targets
    assert (root / 'docs' / 'demo.png').is_file()


def test_nothing_is_promised_that_a_certificate_would_have_to_say() -> None:
    claims = ('safety-rated', 'stop category', 'performance level', 'safety integrity', 'emergency-stop conform')
    assert not [claim for claim in claims if claim in text().lower()]
    assert not re.search(r'\b(SIL|PL)\b', text())


def test_the_state_diagram_is_that_of_the_state_machine() -> None:
    lines = text().splitlines()
    begin = lines.index('```mermaid')
    assert '\n'.join(lines[begin + 1: lines.index('```', begin)]) == mermaid().strip()
