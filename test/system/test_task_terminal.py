"""`rta task` at a terminal with the real system. What the robot did is ground truth."""

from __future__ import annotations

from collections.abc import Iterator
import json
import re

from asking_house import House, house_that_asks
from players.watching import stands
import pytest
from rta_process import RTA, RtaProcess
from terminal import Terminal

TURN, DRIVE = 'turn left 40 degrees', 'go to the kitchen'
ASKED = r'rotate_relative .*needs a yes: policy for rotate_relative\s+approve\?'
CTRL_C = '\x03'
SLOW = pytest.mark.slow


@pytest.fixture(scope='module')
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Return one running system for all tests here."""
    with house_that_asks(tmp_path_factory.mktemp('terminal')) as started:
        yield started


@pytest.fixture
def house(started: House) -> House:
    """Return the system from a fresh start."""
    started.fresh()
    return started


def task(house: House, *arguments: str) -> Terminal:
    """Return `rta task` at a terminal."""
    return Terminal([*RTA, 'task', *arguments], house.domain_id)


def test_a_yes_at_the_terminal_lets_the_robot_turn(house: House) -> None:
    with task(house, TURN) as terminal:
        terminal.wait_text(ASKED)
        terminal.wait_text(r'approve\? \[y/N\] \(\d+ s left, then no\)')
        terminal.type('nix\x7f\x7f\x7fy\r')
        assert terminal.exit_code() == 0, terminal.text
        assert 'approved by' in terminal.text
        assert 'SUCCEEDED' in terminal.text
    assert house.counted('turned_rad') == pytest.approx(0.698, abs=0.08)


@SLOW
@pytest.mark.parametrize('keys', ['\r', 'n\r', 'yeah\r'])
def test_whatever_is_no_yes_is_a_no(house: House, keys: str) -> None:
    with task(house, TURN) as terminal:
        terminal.wait_text(ASKED)
        terminal.type(keys)
        assert terminal.exit_code() == 1, terminal.text
        assert 'denied by' in terminal.text
        assert 'APPROVAL_DENIED' in terminal.text
    assert house.counted('turned_rad') < 0.02


@SLOW
def test_keys_pressed_before_the_question_do_not_answer_it(house: House) -> None:
    with task(house, TURN) as terminal:
        for _ in range(40):
            terminal.type('y\r')
        terminal.wait_text(ASKED)
        terminal.type(CTRL_C)
        assert terminal.exit_code() == 1
    assert house.counted('turned_rad') < 0.02


def test_ctrl_c_cancels_and_waits_for_standstill(house: House) -> None:
    with task(house, DRIVE) as terminal:
        terminal.wait_text('running')
        house.wait_drive()
        terminal.type(CTRL_C)
        assert terminal.exit_code() == 1, terminal.text
        assert 'the robot stands still' in terminal.text
        assert 'CANCELED' in terminal.text
        assert re.search('stands still.*CANCELED', terminal.text, re.DOTALL), terminal.text
        assert house.probe.true_speed() < 0.01
    house.probe.wait_until(lambda: stands(house.probe), 2.0, 'standstill')


@SLOW
def test_a_second_ctrl_c_leaves_with_a_warning(house: House) -> None:
    with task(house, DRIVE, '--task-id', 'left') as terminal:
        house.wait_drive()
        terminal.type(CTRL_C)
        terminal.wait_text('cancelling')
        terminal.type(CTRL_C)
        assert terminal.exit_code() == 130, terminal.text
        assert 'the robot may move' in terminal.text
        assert '--task-id left' in terminal.text


@SLOW
def test_without_a_terminal_it_says_how_to_answer(house: House) -> None:
    domain_id = house.domain_id
    with RtaProcess([*RTA, 'task', TURN, '--json', '--task-id', 'script'], domain_id) as process:
        process.wait_line(r'.*Answer with: rta approve script:\S+, or rta deny.*')
        call_id = next(line for line in process.lines if 'rta approve' in line).split('rta approve ')[1].split(',')[0]
        with RtaProcess([*RTA, 'approve', call_id, '--operator', 'ana'], domain_id) as decision:
            assert decision.exit_code() == 0
        assert process.exit_code() == 0
        shown = '\n'.join(process.lines)
        assert json.loads(shown[shown.index('\n{'):])['status'] == 'SUCCEEDED'
    assert house.counted('turned_rad') == pytest.approx(0.698, abs=0.08)
