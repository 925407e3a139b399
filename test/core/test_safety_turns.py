"""Stalls of the loop, the simulated clock, the envelope of motion and the status, each alone."""

from __future__ import annotations

import math

import pytest
from robot_tool_agent.core.geometry import Twist2D, ZERO_TWIST
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.safety.envelope import MotionWatch
from robot_tool_agent.core.safety.sim_clock import ClockWatch
from robot_tool_agent.core.safety.turns import MAX_STEP_S, Turns
from robot_tool_agent.core.safety_state import SafetyMode as M
from safety_rig import cruising, FORWARD, Rig, robot_description

ROBOT: RobotDescription = robot_description()


def test_an_even_loop_is_never_excused_and_never_deaf():
    turns = Turns(0.02, 0.2, 0.0)
    for tick in range(1, 50):
        assert turns.turn(0.02 * tick) == pytest.approx(0.02)
        assert not turns.excused
        assert not turns.deaf(0.02 * tick + 0.019)


def test_one_turn_after_a_stall_is_excused_and_a_second_stall_is_judged():
    turns = Turns(0.02, 0.2, 0.0)
    assert turns.turn(0.1) == MAX_STEP_S
    assert turns.excused
    turns.turn(0.2)
    assert not turns.excused


@pytest.mark.parametrize(('gap_s', 'deaf'), [(0.19, False), (0.21, True), (60.0, True)])
def test_deaf_from_the_end_of_a_long_gap_until_what_waited_is_in(gap_s: float, deaf: bool):
    turns = Turns(0.02, 0.2, 0.0)
    assert turns.deaf(gap_s) is deaf
    turns.turn(gap_s)
    for tick in range(24):
        turns.turn(gap_s + 0.02 * tick)
        assert turns.deaf(gap_s + 0.02 * tick + 0.01) is deaf
    turns.turn(gap_s + 0.48)
    assert not turns.deaf(gap_s + 0.51)


def test_a_clock_nobody_told_of_is_not_watched():
    clock = ClockWatch(0.5)
    assert not clock.frozen(100.0)
    assert not clock.explains_silence(100.0)


def test_a_clock_is_suspected_then_frozen_then_believed_again():
    clock = ClockWatch(0.5)
    for tick in range(100):
        clock.on_time(7.0 if tick >= 50 else 0.02 * tick, 0.02 * tick)
    assert clock.still_s(1.98) == pytest.approx(0.98)
    assert [clock.explains_silence(t) for t in (1.1, 1.2)] == [False, True]
    assert [clock.frozen(t) for t in (1.49, 1.51)] == [False, True]
    clock.on_time(7.1, 2.0)
    assert not clock.frozen(2.0)
    assert [clock.explains_silence(t) for t in (2.0, 2.1)] == [True, True]
    for tick in range(1, 30):
        clock.on_time(7.1 + 0.02 * tick, 2.0 + 0.02 * tick)
    assert [clock.explains_silence(t) for t in (2.49, 2.58)] == [True, False]


def fed(outputs: list[Twist2D], measured: Twist2D) -> MotionWatch:
    watch = MotionWatch(ROBOT.limits, 0.05, 0.2)
    for tick, twist in enumerate(outputs):
        watch.on_output(twist, 0.02 * tick)
    watch.on_odom(measured)
    return watch


def test_lag_and_braking_explain_motion_for_a_while_only():
    braked = [FORWARD] * 50 + [ZERO_TWIST] * 10
    assert fed(braked, FORWARD).uncommanded() == '', 'within the lag'
    assert fed(braked + [ZERO_TWIST] * 5, Twist2D(0.3, 0.0)).uncommanded() == '', 'within the braking'
    assert 'measured 0.30' in fed(braked + [ZERO_TWIST] * 20, Twist2D(0.3, 0.0)).uncommanded()


@pytest.mark.parametrize(
    ('measured', 'unfollowed'),
    [(0.4, False), (0.27, False), (0.25, True), (0.0, True), (-0.4, True)],
)
def test_what_must_be_reached(measured: float, unfollowed: bool):
    assert (fed([FORWARD] * 100, Twist2D(measured, 0.0)).unfollowed() != '') is unfollowed


def test_a_crawl_may_be_ignored_by_the_motors():
    assert fed([Twist2D(0.04, 0.1)] * 100, ZERO_TWIST).unfollowed() == ''


def test_a_start_is_not_expected_before_its_acceleration():
    assert fed([ZERO_TWIST] * 10 + [FORWARD] * 12, ZERO_TWIST).unfollowed() == ''


def test_the_status_names_every_watched_input_with_age_and_limit():
    rig = cruising()
    status = rig.safety.status(rig.now_s + 0.1)
    found = {item.name: item for item in status.inputs}
    assert set(found) == {'odom', 'scan', 'bumper', 'executor'}
    assert found['odom'].age_s == pytest.approx(0.1)
    assert (found['odom'].limit_s, found['executor'].limit_s) == (0.25, 0.5)
    assert not any(item.stale for item in status.inputs)
    assert rig.safety.status(rig.now_s + 1.0).inputs[0].stale
    never = Rig().safety.status(5.0).inputs
    assert all(math.isinf(item.age_s) for item in never)


def test_cuts_are_counted_by_reason():
    rig = Rig().ready()
    rig.run(0.5, Twist2D(0.9, 0.0))
    assert rig.mode is M.READY
    assert rig.safety.counters['cut_SPEED'] == 25
    assert rig.safety.counters['accepted'] == 25
