"""What docs/robots.md and the README's table of robots say is what the files are."""

from __future__ import annotations

from pathlib import Path
import re

from pydantic import BaseModel
import pytest
from readme_tables import field_rows, README, table
from robot_tool_agent_sim.gazebo.settings import GazeboSettings
from robot_tool_agent_sim.turtlesim.settings import TurtleSettings
from sim_house import CONFIG

ROOT = CONFIG.parent
PAGE = ROOT / 'docs' / 'robots.md'
TEXT = PAGE.read_text(encoding='utf-8')


@pytest.mark.parametrize(
    ('node', 'model'), [('turtle_adapter', TurtleSettings), ('gazebo_adapter', GazeboSettings)], ids=str
)
def test_the_parameters_of_the_adapters(node: str, model: type[BaseModel]) -> None:
    lines = TEXT.split(f'\n`{node}`:\n', 1)[1].lstrip().splitlines()[2:]
    rows = lines[: next((n for n, line in enumerate(lines) if not line), len(lines))]
    assert [tuple(cell.strip() for cell in row.split('|')[1:-1]) for row in rows] == field_rows(model)


def test_every_robot_file_stands_there_with_what_was_run() -> None:
    files = {path.name for path in (CONFIG / 'robots').glob('*.yaml')}
    rows = [line for line in TEXT.splitlines() if line.startswith('| ') and ('| yes' in line or '| **no**' in line)]
    named = {Path(name).name: row for row in rows for name in re.findall(r'`([\w/]+\.yaml)`', row)}
    assert set(named) == files
    for name, row in named.items():
        unrun = 'NOT RUN' in (CONFIG / 'robots' / name).read_text(encoding='utf-8')
        assert unrun is ('**no**' in row), name


@pytest.mark.parametrize('path', [PAGE, README], ids=lambda path: path.name)
def test_files_robots_and_launch_files_that_are_named_exist(path: Path) -> None:
    text = path.read_text(encoding='utf-8')
    for name in re.findall(r'`((?:config|launch|docs|test)/[\w./]+\.\w+)`', text):
        assert (ROOT / name).is_file(), name
    for name in re.findall(r'\b(\w+\.launch\.py)\b', text):
        assert (ROOT / 'launch' / name).is_file() or name == 'robot.launch.py', name
    for name in re.findall(r'robot:=(\w+)\b(?!\.yaml)', text):
        assert (CONFIG / 'robots' / f'{name}.yaml').is_file(), name


def test_the_table_of_robots_points_to_this_page() -> None:
    rows = table('I have')
    assert [row[0] for row in rows] == [
        'nothing but this repository', 'turtlesim', 'Gazebo Harmonic', 'a TurtleBot 3', 'a TurtleBot 4',
        'my own base', 'my own arm',
    ]  # fmt: skip
    headings = [line.lstrip('# ').lower() for line in TEXT.splitlines() if line.startswith('#')]
    anchors = {re.sub(r'[^\w -]', '', heading).replace(' ', '-') for heading in headings}
    for row in rows[1:]:
        (anchor,) = re.findall(r'docs/robots\.md#([\w-]+)', row[2])
        assert anchor in anchors
