"""Small memories: inputs, persistence, standstill, contact, liveness, re-arm budget, moving joints."""

from __future__ import annotations

from dataclasses import replace
import math

import pytest
from robot_tool_agent.core.freshness import InputWatch
from robot_tool_agent.core.geometry import Twist2D, ZERO_TWIST
from robot_tool_agent.core.motion import JointTarget
from robot_tool_agent.core.safety.contact import Contact
from robot_tool_agent.core.safety.joint_guard import JointGuard
from robot_tool_agent.core.safety.liveness import ExecutorWatch, Finding
from robot_tool_agent.core.safety.rearm import RearmBudget
from robot_tool_agent.core.safety.standstill import StandstillWatch
from robot_tool_agent.core.safety.watchdogs import Persistence
from robot_tool_agent.core.samples import JointSample, Sample
from safety_rig import robot_description

ROBOT = robot_description()


def fed(*samples: tuple[float, float]) -> tuple[InputWatch, list[bool]]:
    """Return a watch of 0.25 s and whether each (stamp_s, received_s) was news."""
    watch = InputWatch(0.25)
    return watch, [watch.offer(Sample(*sample)) for sample in samples]


def test_an_input_never_seen_is_stale():
    watch, _ = fed()
    assert watch.stale(0.0)
    assert math.isinf(watch.age_s(0.0))


@pytest.mark.parametrize(('now_s', 'stale'), [(5.0, False), (5.25, False), (5.26, True)])
def test_age_counts_from_the_steady_arrival(now_s: float, stale: bool):
    watch, news = fed((100.0, 5.0))
    assert news == [True]
    assert watch.stale(now_s) is stale


def test_a_repeated_stamp_is_no_news():
    watch, news = fed((100.0, 5.0), (100.0, 5.1), (100.0, 5.2))
    assert news == [True, False, False]
    assert watch.stale(5.3)


def test_a_stamp_from_the_future_is_no_news_and_does_not_make_the_next_old():
    watch, news = fed((100.0, 5.0), (109.0, 5.1), (100.2, 5.2))
    assert news == [True, False, True]
    assert not watch.stale(5.4)


def test_a_clock_that_was_set_back_is_followed_once_the_input_is_stale():
    _, news = fed((100.0, 5.0), (3.0, 5.1), (3.2, 5.3), (3.3, 5.4))
    assert news == [True, False, True, True]


def test_a_frozen_stamp_stays_no_news_for_ever():
    _, news = fed((100.0, 5.0), *[(100.0, 5.0 + 0.1 * step) for step in range(1, 30)])
    assert news.count(True) == 1


def test_a_condition_acts_after_its_time_and_starts_anew_after_a_break():
    memory = Persistence()
    assert memory.lasting({'slow': 0.5, 'fast': 0.0}, 1.0) == ['fast']
    assert memory.lasting({'slow': 0.5}, 1.4) == []
    assert memory.lasting({'slow': 0.5}, 1.5) == ['slow']
    assert memory.lasting({}, 1.6) == []
    assert memory.lasting({'slow': 0.5}, 1.7) == []


def test_standstill_counts_unbroken_stillness():
    watch = StandstillWatch(ROBOT.limits)
    for received_s, twist in [(1.0, ZERO_TWIST), (1.2, Twist2D(0.009, 0.02)), (1.4, ZERO_TWIST)]:
        watch.on_odom(twist, received_s)
    assert watch.held_s() == pytest.approx(0.4)
    watch.on_odom(Twist2D(0.0, 0.04), 1.5)
    assert watch.held_s() == 0.0
    watch.on_odom(ZERO_TWIST, 1.6)
    watch.restart()
    assert watch.held_s() == 0.0


@pytest.mark.parametrize(('driven', 'escape'), [([0.3], -1), ([-0.2], 1), ([0.3, 0.0], -1), ([], -1)])
def test_the_way_out_of_a_contact_is_back_where_the_robot_came_from(driven: list[float], escape: int):
    contact = Contact()
    for v_mps in driven:
        contact.on_output(v_mps)
    contact.on_bumper(True)
    contact.on_output(0.2 * escape)
    assert contact.escape == escape
    assert contact.alarming


def test_an_acknowledged_contact_alarms_again_only_after_a_release():
    contact = Contact()
    contact.on_bumper(True)
    contact.acknowledge()
    contact.on_bumper(True)
    assert not contact.alarming
    contact.on_bumper(False)
    assert contact.escape == 0
    contact.on_bumper(True)
    assert contact.alarming


@pytest.mark.parametrize(
    ('sequence', 'heard_s', 'finding'),
    [(61, 1.0, Finding.OLDER), (60, 1.0, None), (1, 1.0, None), (1000, 100.0, None), (1051, 100.0, Finding.OLDER)],
)
def test_an_executor_that_ran_before_this_process_is_found_at_first_contact_whatever_its_boot(
    sequence: int, heard_s: float, finding: Finding | None
):
    for boot_id in (5, 10**18):
        watch = ExecutorWatch(0.0, 0.3, 5.0)
        assert watch.heard('executor', boot_id, sequence, heard_s) is finding
        assert watch.heard('executor', boot_id, sequence + 100, heard_s + 0.1) is None


def test_a_new_executor_is_found_and_others_are_nobody():
    watch = ExecutorWatch(0.0, 0.3, 5.0)
    assert watch.heard('planner', 1, 999, 0.5) is None
    assert not watch.alive(0.5)
    assert watch.heard('executor', 1001, 1, 1.0) is None
    assert watch.heard('executor', 1002, 1, 1.1) is Finding.REPLACED


def test_after_the_wall_clock_was_set_back_a_new_executor_is_heard_once_the_old_one_is_silent():
    watch = ExecutorWatch(0.0, 0.3, 5.0)
    assert watch.heard('executor', 2000, 7, 1.0) is None
    assert watch.heard('executor', 1500, 1, 1.2) is None, 'may be a late message of an earlier boot'
    assert not watch.alive(1.31)
    assert watch.heard('executor', 1500, 2, 1.4) is Finding.REPLACED
    assert watch.alive(1.69)
    assert watch.heard('executor', 1500, 3, 1.5) is None


def test_a_hung_executor_that_repeats_itself_is_lost():
    watch = ExecutorWatch(0.0, 0.3, 5.0)
    for step in range(10):
        watch.heard('executor', 1001, 5, 1.0 + 0.1 * step)
    assert watch.alive(1.29)
    assert not watch.alive(1.31)


def test_the_rearm_budget_refills_as_the_window_moves():
    budget = RearmBudget(2, 100.0)
    for now_s in (0.0, 60.0):
        assert budget.available(now_s)
        budget.take(now_s)
    assert [budget.available(now_s) for now_s in (60.0, 99.9, 100.0)] == [False, False, True]
    budget.take(100.0)
    assert [budget.available(now_s) for now_s in (159.9, 160.0)] == [False, True]


def test_moving_joints_are_held_where_they_are_and_the_gripper_is_left_to_grip():
    guard = JointGuard(ROBOT)
    measured = JointSample(1.0, 1.0, {'shoulder': 0.4, 'gripper_joint': 0.03})
    guard.on_sent(JointTarget(('shoulder', 'gripper_joint'), (1.0, 0.0), 2.0), 1.0)
    assert guard.hold(measured, 1.2) == JointTarget(('shoulder',), (0.4,), 0.1)
    assert guard.hold(measured, 1.2) is None
    guard.on_sent(JointTarget(('shoulder',), (1.0,), 2.0), 5.0)
    assert guard.hold(replace(measured, received_s=7.1), 7.1) is None


def test_every_joint_is_held_until_its_own_end():
    guard = JointGuard(ROBOT)
    guard.on_sent(JointTarget(('shoulder',), (1.0,), 2.0), 1.0)
    guard.on_sent(JointTarget(('elbow',), (1.0,), 0.5), 1.1)
    measured = JointSample(2.0, 2.0, {'shoulder': 0.4, 'elbow': 1.0})
    assert guard.hold(measured, 2.0) == JointTarget(('shoulder',), (0.4,), 0.1)


@pytest.mark.parametrize(('position', 'received_s'), [(math.nan, 1.5), (math.inf, 1.5), (0.4, 1.2)])
def test_no_joint_is_sent_to_a_position_that_is_no_number_or_old(position: float, received_s: float):
    guard = JointGuard(ROBOT)
    guard.on_sent(JointTarget(('shoulder',), (1.0,), 2.0), 1.0)
    assert guard.hold(JointSample(1.0, received_s, {'shoulder': position}), 1.5) is None
