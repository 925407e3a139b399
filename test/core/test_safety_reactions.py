"""The supervisor round a simulated robot: what each fault does."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
import math

import numpy as np
import pytest
from robot_tool_agent.core.geometry import Pose2D, Twist2D, ZERO_TWIST
from robot_tool_agent.core.robot import InputTopic
from robot_tool_agent.core.safety_state import SafetyMode as M
from robot_tool_agent.core.samples import BumperSample, OdomSample
from robot_tool_agent_sim.world import World
from safety_rig import BOOT_ID, cruising, FORWARD, house, modes_of, Rig


def lose(part: str) -> Callable[[Rig], None]:
    return lambda rig: setattr(rig, part, False)


STRIKES: dict[str, tuple[Callable[[Rig], object], str, tuple[M, ...]]] = {
    'operator stop': (lambda rig: rig.trip('OPERATOR_STOP'), 'OPERATOR_STOP', (M.ESTOPPED,)),
    'bumper': (lambda rig: rig.press(True), 'BUMPER_CONTACT', (M.STOPPING, M.HOLDING)),
    'odometry silent': (lose('odometry'), 'ODOM_STALE', (M.STOPPING, M.HOLDING)),
    'scans silent': (lose('scans'), 'SCAN_STALE', (M.STOPPING, M.HOLDING)),
    'bumper silent': (lose('bumper'), 'INPUT_INVALID', (M.STOPPING, M.HOLDING)),
    'executor silent': (lose('beats'), 'EXECUTOR_LOST', (M.STOPPING, M.RETREATING, M.SAFE)),
    'executor replaced': (
        lambda rig: setattr(rig, 'executor_boot_id', BOOT_ID + 2),
        'EXECUTOR_LOST',
        (M.STOPPING, M.RETREATING, M.SAFE),
    ),
    'skill unknown': (lambda rig: rig.trip('SKILL_UNKNOWN'), 'SKILL_UNKNOWN', (M.STOPPING, M.RETREATING, M.SAFE)),
    'not a number': (
        lambda rig: rig.command(Twist2D(math.nan, 0.0)),
        'COMMAND_INVALID',
        (M.STOPPING, M.HOLDING),
    ),
    'malformed': (
        lambda rig: rig.safety.on_malformed_command(rig.safety.epoch, 'bad profile', rig.now_s),
        'COMMAND_INVALID',
        (M.STOPPING, M.HOLDING),
    ),
    'restarted': (lambda rig: rig.trip('SAFETY_RESTARTED'), 'SAFETY_RESTARTED', (M.STOPPING, M.HOLDING)),
    'command of an earlier boot': (
        lambda rig: rig.command(FORWARD, epoch=BOOT_ID - 5),
        'SAFETY_RESTARTED',
        (M.STOPPING, M.HOLDING),
    ),
}


@pytest.mark.parametrize('name', STRIKES)
def test_a_fault_stops_the_moving_robot_within_a_second_and_ends_where_its_reaction_says(name: str):
    strike, fault, path = STRIKES[name]
    rig = cruising()
    epoch, began_s = rig.safety.epoch, rig.now_s
    strike(rig)
    rig.until(*path[:1], limit_s=0.6, twist=FORWARD)
    slow_s = [t for t, _ in rig.history][-1]
    while rig.true_speed() >= 0.01:
        rig.step(FORWARD)
        assert rig.now_s - began_s < 1.0
    rig.until(path[-1], limit_s=40.0, twist=FORWARD)
    assert modes_of(rig)[-len(path):] == list(path)
    assert rig.fault == fault
    assert rig.safety.epoch == epoch + 1
    assert slow_s - began_s <= 0.54
    rig.run(2.0, FORWARD)
    assert rig.mode is path[-1], 'a latched state is left by reset only'
    assert rig.true_speed() == 0.0


@pytest.mark.parametrize('name', ['operator stop', 'bumper'])
def test_zero_at_once(name: str):
    rig = cruising()
    STRIKES[name][0](rig)
    assert rig.tick().twist == ZERO_TWIST


def test_other_faults_brake_with_the_bounded_deceleration():
    rig = cruising()
    rig.trip('SKILL_FAILED')
    speeds = [rig.step().twist.v_mps for _ in range(15)]
    assert speeds[0] == pytest.approx(0.37)
    drops = [before - after for before, after in pairwise(speeds) if after > 0.0]
    assert drops == pytest.approx([0.03] * len(drops))
    assert speeds[-1] == 0.0


def test_odometry_that_shows_motion_after_the_stop_is_the_alarm():
    rig = cruising(disabled_faults=('ODOM_JUMP',))
    rig.trip('SKILL_FAILED')
    for _ in range(200):
        if rig.mode is M.HOLDING:
            break
        rig.odometry = False
        rig.step()
        sample = OdomSample(rig.world.stamp_s, rig.now_s, Pose2D(1e-6 * rig.ticks, 0.0, 0.0), Twist2D(0.1, 0.0))
        rig.safety.on_odom(sample)
    assert (rig.mode, rig.fault) == (M.HOLDING, 'STOP_NOT_CONFIRMED')
    assert 'SKILL_FAILED' in rig.output.view.detail
    assert not rig.output.view.resettable


def test_a_frozen_odometry_holds_and_says_that_standstill_is_not_confirmed():
    rig = cruising()
    rig.world.set_fault('odom_frozen')
    rig.until(M.HOLDING, limit_s=4.0)
    assert rig.fault == 'ODOM_STALE'
    assert 'not confirmed' in rig.output.view.detail
    assert rig.true_speed() == 0.0


@pytest.mark.parametrize(('reaction', 'path'), [('hold', [M.READY, M.STOPPING, M.HOLDING]), ('none', [M.READY])])
def test_what_a_failed_skill_does_is_a_parameter(reaction: str, path: list[M]):
    rig = cruising(on_skill_failed=reaction)
    answer = rig.trip('SKILL_FAILED')
    assert answer.success
    rig.run(3.0)
    assert modes_of(rig)[1:] == path
    assert reaction != 'none' or 'on_skill_failed' in answer.message


def test_a_failed_skill_rearms_itself_a_limited_number_of_times():
    rig = Rig(rearm_max=2, rearm_window_s=300.0).ready()
    for _ in range(2):
        rig.trip('SKILL_FAILED')
        rig.until(M.SAFE, limit_s=5.0)
        rig.until(M.READY, limit_s=1.5)
    rig.trip('SKILL_FAILED')
    rig.until(M.SAFE, limit_s=5.0)
    rig.run(5.0)
    assert rig.mode is M.SAFE
    assert 'used up' in rig.output.view.detail
    assert rig.safety.reset('Ada', rig.now_s).success


def test_a_second_fault_that_needs_a_person_ends_the_self_rearm():
    rig = Rig().ready()
    rig.trip('SKILL_FAILED')
    rig.step()
    rig.trip('SKILL_UNKNOWN')
    rig.until(M.SAFE, limit_s=5.0)
    rig.run(3.0)
    assert (rig.mode, rig.fault) == (M.SAFE, 'SKILL_UNKNOWN')
    rig = Rig().ready()
    rig.trip('SKILL_FAILED')
    rig.until(M.SAFE, limit_s=5.0)
    rig.beats = False
    rig.run(3.0)
    assert (rig.mode, rig.fault) == (M.SAFE, 'EXECUTOR_LOST')


def test_a_stronger_fault_while_stopping_cancels_the_retreat():
    rig = cruising()
    rig.trip('SKILL_FAILED')
    rig.scans = False
    rig.until(M.HOLDING, M.RETREATING, limit_s=3.0)
    assert (rig.mode, rig.fault) == (M.HOLDING, 'SCAN_STALE')


def with_estop() -> World:
    world = house()
    topics = world.robot.topics.model_copy(update={'estop': InputTopic(rate_hz=20.0)})
    world.robot = world.robot.model_copy(update={'topics': topics})
    return world


def test_the_stop_button_stops_at_once_and_blocks_the_reset_while_pressed():
    rig = Rig(with_estop())
    rig.world.estop = lambda: None  # type: ignore[method-assign]

    def button(pressed: bool) -> None:
        rig.safety.on_estop(BumperSample(rig.world.stamp_s, rig.now_s, pressed))

    for _ in range(60):
        button(False)
        rig.step()
    assert rig.mode is M.READY
    button(True)
    rig.run(0.1, FORWARD)
    assert (rig.mode, rig.fault) == (M.ESTOPPED, 'OPERATOR_STOP')
    assert not rig.safety.reset('Ada', rig.now_s).success
    rig.step()
    button(False)
    assert rig.safety.reset('Ada', rig.now_s).success
    for _ in range(60):
        button(False)
        rig.step()
    assert rig.mode is M.READY
    rig.run(0.4)
    assert (rig.mode, rig.fault) == (M.STOPPING, 'INPUT_INVALID'), 'a silent stop button is a fault'


def test_an_internal_error_ends_in_zero_and_names_itself():
    rig = cruising()
    output = rig.safety.fail('ValueError()', rig.now_s)
    assert output.twist == ZERO_TWIST
    assert (output.view.mode, output.view.fault) == (M.ESTOPPED, 'INTERNAL_ERROR')
    assert not output.view.motion_allowed


@pytest.mark.parametrize('value', [math.nan, math.inf])
def test_odometry_that_is_no_number_counts_as_silence(value: float):
    rig = cruising()
    rig.odometry = False
    for _ in range(20):
        rig.step()
        rig.safety.on_odom(OdomSample(rig.world.stamp_s, rig.now_s, Pose2D(value, 0.0, 0.0), ZERO_TWIST))
    assert (rig.mode, rig.fault) == (M.STOPPING, 'ODOM_STALE')


def test_blind_scans_count_as_silence():
    rig = cruising()
    rig.scans = False
    for _ in range(20):
        rig.step()
        scan = rig.world.scan()
        assert scan is not None
        np.copyto(scan.ranges_m, np.nan)
        rig.safety.on_scan(scan)
    assert (rig.mode, rig.fault) == (M.STOPPING, 'SCAN_STALE')


def test_a_robot_without_range_sensor_drives_and_holds_instead_of_retreating():
    world = house()
    topics = world.robot.topics.model_copy(update={'scan': None, 'bumper': None})
    world.robot = world.robot.model_copy(update={'topics': topics})
    rig = Rig(world).ready()
    rig.run(1.0, FORWARD)
    assert rig.true_speed() > 0.3
    rig.trip('SKILL_FAILED')
    rig.until(M.HOLDING, limit_s=3.0)
    assert rig.fault == 'RETREAT_BLOCKED'
