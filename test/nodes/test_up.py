"""`rta up` with stand-ins for the nodes: readiness, order of the end, lost nodes, exit codes, no orphans."""

import os
from pathlib import Path
import signal
import sys

import pytest
from robot_tool_agent.commands.up import READY_LINE
from rta_process import gone, RTA, RtaProcess, wait_for

STAND_INS = Path(__file__).with_name('up_stand_ins.py')
PYTHON_PATH = os.pathsep.join([str(STAND_INS.parent), *filter(None, [os.environ.get('PYTHONPATH')])])
NODES = ('safety', 'simulator', 'executor', 'planner')


def up(domain_id: int, *options: str, **behaviours: str) -> RtaProcess:
    """Start `rta up` on stand-ins that behave as told."""
    environment = {f'STAND_IN_{name.upper()}': behaviour for name, behaviour in behaviours.items()}
    command = [sys.executable, str(STAND_INS), 'up', *options]
    return RtaProcess(command, domain_id, {**environment, 'PYTHONPATH': PYTHON_PATH})


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_safety_first_and_then_all_with_exit_code_0(number: signal.Signals) -> None:
    with up(50) as process:
        process.wait_line(READY_LINE)
        process.send(number)
        assert process.exit_code() == 0
        assert all(gone(pid) for pid in process.children().values())
        said = [line for line in process.lines if line.endswith((' stopping', ' ends'))]
        assert said[:2] == ['[safety] safety stopping', '[safety] safety ends']
        rest = [f'[{name}] {name} {word}' for name in NODES[1:] for word in ('ends', 'stopping')]
        assert sorted(said[2:]) == sorted(rest)


@pytest.mark.slow
def test_not_ready_before_skills_are_served() -> None:
    with up(50, executor='deaf') as process:
        process.wait_line(r'\[rta\] not ready yet: describe_skills does not answer')
        assert READY_LINE not in process.lines
        process.send(signal.SIGINT)
        assert process.exit_code() == 0
        assert '[rta] executor did not end, killed' in process.lines


def test_options_reach_the_nodes() -> None:
    with up(50, '--no-sim', '--namespace', 'robot2') as process:
        process.wait_line(READY_LINE)
        assert set(process.children()) == {'safety', 'executor', 'planner'}
        process.wait_line(r'\[planner\] planner is up as /robot2/planner')


def test_an_executor_that_is_killed_comes_back() -> None:
    with up(50) as process:
        process.wait_line(READY_LINE)
        before = process.children()
        os.kill(before['executor'], signal.SIGKILL)
        process.wait_line(r'\[rta\] executor ended: killed by SIGKILL; starting again in 1 s')
        process.wait_line(r'\[executor\] executor is up as /executor', count=2)
        after = process.children()
        assert {name for name in NODES if before[name] != after[name]} == {'executor'}
        process.send(signal.SIGTERM)
        assert process.exit_code() == 0


def test_a_safety_node_that_is_killed_ends_the_system_with_exit_code_1() -> None:
    with up(50) as process:
        process.wait_line(READY_LINE)
        os.kill(process.children()['safety'], signal.SIGKILL)
        process.wait_line(r'\[rta\] ERROR: safety ended: killed by SIGKILL; .*')
        assert process.exit_code() == 1
        assert all(gone(pid) for pid in process.children().values())
        assert sum('safety started' in line for line in process.lines) == 1


def test_a_bad_configuration_of_a_node_ends_the_system_with_exit_code_2() -> None:
    with up(50, planner='bad_config') as process:
        assert process.exit_code(timeout_s=30.0) == 2
        assert '[planner] max_speed_mps = 9: too much' in process.lines
        assert '[planner] max_turn_radps = 9: too much' in process.lines
        assert sum('planner started' in line for line in process.lines) == 1
        assert all(gone(pid) for pid in process.children().values())


def test_no_node_outlives_rta_up_that_is_killed() -> None:
    with up(50) as process:
        process.wait_line(READY_LINE)
        children = process.children()
        assert set(children) == set(NODES)
        process.send(signal.SIGKILL)
        wait_for(lambda: all(gone(pid) for pid in children.values()), 8.0, 'all children gone')


def test_a_bad_robot_file_starts_nothing_and_tells_every_fault(tmp_path: Path) -> None:
    robot = tmp_path / 'robot.yaml'
    robot.write_text('name: sim_house\nlimit: {}\nfootprint: {radius_m: 99.0}\n', encoding='utf-8')
    with RtaProcess([*RTA, 'up', '--robot', str(robot), '--namespace', '2nd'], 50) as process:
        assert process.exit_code() == 2
        text = '\n'.join(process.lines)
        for part in ('limit: unknown key; did you mean limits?', 'footprint.radius_m = 99.0', "namespace = '2nd'"):
            assert part in text
        assert not process.children()
