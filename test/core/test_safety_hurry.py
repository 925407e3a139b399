"""News that may not wait for the next period of the gate."""

from __future__ import annotations

from dataclasses import replace

import pytest
from robot_tool_agent.core.geometry import Twist2D
from robot_tool_agent.core.safety_state import SafetyMode
from safety_rig import cruising, FORWARD, Rig, scan_of, wall_ahead


def scan_now(rig: Rig, distance_m: float | None) -> None:
    """Let the range sensor see a wall ahead, or nothing, between two ticks."""
    scan = scan_of() if distance_m is None else wall_ahead(distance_m)
    rig.safety.on_scan(replace(scan, stamp_s=rig.world.stamp_s + 1e-3, received_s=rig.now_s + 1e-3))


def test_an_obstacle_that_appears_is_answered_at_once() -> None:
    rig = cruising()
    assert not rig.safety.hurries
    before = rig.output.twist.v_mps
    scan_now(rig, 0.25)
    assert rig.safety.hurries
    answer = rig.safety.hurry(rig.now_s + 2e-3)
    assert answer.v_mps < before
    assert not rig.safety.hurries
    told = rig.safety.tick(rig.now_s + 3e-3)
    assert told.twist.v_mps < answer.v_mps
    assert told.view.limit_reason == 'OBSTACLE'


def test_a_free_way_and_a_standing_robot_are_in_no_hurry() -> None:
    rig = cruising()
    scan_now(rig, None)
    assert not rig.safety.hurries
    standing = Rig().ready()
    scan_now(standing, 0.25)
    assert not standing.safety.hurries


def test_a_contact_while_braking_is_answered_at_once() -> None:
    rig = cruising()
    rig.trip('SKILL_FAILED')
    rig.step(FORWARD)
    assert rig.mode is SafetyMode.STOPPING
    assert rig.output.twist.v_mps > 0.2
    rig.press(True)
    assert rig.safety.hurries
    assert rig.safety.zero_ordered
    assert rig.safety.hurry(rig.now_s + 1e-3) == Twist2D()
    assert not rig.safety.zero_ordered
    assert not rig.safety.hurries


@pytest.mark.parametrize('early_s', [0.0, 1e-4, 1e-3])
def test_an_early_turn_brakes_no_harder_than_the_time_allows(early_s: float) -> None:
    rig = cruising()
    before = rig.output.twist.v_mps
    scan_now(rig, 0.25)
    after = rig.safety.hurry(rig.now_s + early_s).v_mps
    limit = rig.world.robot.limits.max_decel_mps2 * early_s
    assert before - limit - 1e-9 <= after <= before


def test_a_hurried_turn_hides_nothing_from_the_next_tick() -> None:
    rig = cruising()
    rig.odometry = False
    rig.run(0.24, FORWARD)
    scan_now(rig, 0.25)
    rig.safety.hurry(rig.now_s + 0.02)
    assert rig.safety.tick(rig.now_s + 0.021).view.fault == 'ODOM_STALE'


@pytest.mark.parametrize('fault', ['OPERATOR_STOP', 'SKILL_FAILED'])
def test_zero_is_ordered_only_by_a_fault_that_does_not_brake(fault: str) -> None:
    rig = cruising()
    rig.trip(fault)
    assert rig.safety.zero_ordered is (fault == 'OPERATOR_STOP')
    assert rig.safety.tick(rig.now_s + 1e-3).twist.is_zero() is (fault == 'OPERATOR_STOP')


def test_a_stall_that_ends_with_a_hurried_answer_still_excuses_the_next_tick() -> None:
    rig = cruising()
    rig.odometry = False
    rig.run(0.2, FORWARD)
    late_s = rig.now_s + 0.1
    scan = wall_ahead(0.25)
    rig.safety.on_scan(replace(scan, stamp_s=rig.world.stamp_s + 0.1, received_s=late_s))
    rig.safety.hurry(late_s)
    assert rig.safety.tick(late_s + 1e-4).view.fault == '', 'odometry may wait in the queue behind the scan'
    assert rig.safety.tick(late_s + 2e-4).view.fault == 'ODOM_STALE'
