"""The whole system round a turtle: real processes, a stand-in in turtlesim's place, judged by the turtle's poses."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from robot_tool_agent.config_files import load_robot
from robot_tool_agent_sim.harness.domains import free_domain
from robot_tool_agent_sim.harness.probe import Probe
from robot_tool_agent_sim.harness.system import RunningSystem
from sim_house import CONFIG
from turtle_play import draws_a_square, goes_home, notices_a_teleport, TurtleStage, visits_the_corners
from turtle_stand_in import turtle_adapter, turtle_stand_in

TURTLE_FILE = CONFIG / 'robots' / 'turtlesim.yaml'


@contextmanager
def turtle_system(home: Path, robot_file: Path) -> Iterator[TurtleStage]:
    """Run the system without its simulator, beside a turtle."""
    domain_id = free_domain()
    options = ['--no-sim', '--robot', str(robot_file)]
    with (
        turtle_stand_in(domain_id) as turtle,
        turtle_adapter(domain_id, robot_file),
        RunningSystem(domain_id, home, options) as system,
        Probe(domain_id) as probe,
    ):
        stage = TurtleStage(probe, load_robot(robot_file), lambda: turtle.poses, turtle.teleport)
        stage.ready()
        system.wait_ready()
        yield stage


@pytest.mark.slow
def test_a_turtle_does_its_tasks_and_parks_when_put_elsewhere(tmp_path: Path) -> None:
    with turtle_system(tmp_path / 'home', TURTLE_FILE) as stage:
        draws_a_square(stage)
        visits_the_corners(stage)
        goes_home(stage)
        notices_a_teleport(stage)
        goes_home(stage)


def test_without_open_space_a_turtle_put_elsewhere_stays(tmp_path: Path) -> None:
    closed = tmp_path / 'closed.yaml'
    text = TURTLE_FILE.read_text(encoding='utf-8')
    assert 'open_space: true' in text
    closed.write_text(text.replace('open_space: true', 'open_space: false'), encoding='utf-8')
    with turtle_system(tmp_path / 'home', closed) as stage:
        notices_a_teleport(stage)
