"""When the loop must look once more, so that silence is answered at its limit and not up to a period later."""

from __future__ import annotations

import math

import pytest
from robot_tool_agent.core.geometry import ZERO_TWIST
from robot_tool_agent.core.safety_state import SafetyMode
from safety_rig import cruising, DT_S, FORWARD, Rig

JUST_S = 1e-4


def last_before(rig: Rig, deadline_s: float) -> None:
    """Tick on, without another message, until the deadline is less than a period away."""
    while rig.now_s + DT_S < deadline_s:
        rig.world.step(DT_S)
        rig.tick()


def test_a_robot_that_is_told_to_drive_waits_first_for_the_next_command() -> None:
    rig = cruising()
    assert rig.safety.next_deadline_s(rig.now_s) == pytest.approx(rig.now_s + 0.2)


@pytest.mark.parametrize(('name', 'limit_s'), [('odometry', 0.25), ('scans', 0.25), ('beats', 0.5)])
def test_a_silence_has_its_deadline_and_nothing_comes_of_it_before(name: str, limit_s: float) -> None:
    rig = Rig().ready()
    rig.run(0.3)
    before_s = rig.now_s
    setattr(rig, name, False)
    rig.run(limit_s - 0.1)
    deadline_s = rig.safety.next_deadline_s(rig.now_s)
    assert before_s + limit_s - 0.1 < deadline_s <= before_s + limit_s
    last_before(rig, deadline_s)
    assert rig.safety.tick(deadline_s - JUST_S).view.mode is SafetyMode.READY
    assert rig.safety.tick(deadline_s + JUST_S).view.mode is not SafetyMode.READY


def test_a_command_that_is_not_repeated_dies_at_its_deadline() -> None:
    rig = cruising()
    deadline_s = rig.safety.next_deadline_s(rig.now_s)
    rig.run(0.18)
    speed_mps = rig.output.twist.v_mps
    assert rig.safety.tick(deadline_s - JUST_S).twist.v_mps == speed_mps
    assert rig.safety.tick(deadline_s + 5e-3).twist.v_mps < speed_mps


def test_a_silence_that_has_begun_is_waited_for_no_more() -> None:
    rig = Rig().ready()
    rig.odometry = rig.scans = rig.beats = rig.bumper = False
    rig.run(1.0, FORWARD)
    assert rig.output.twist == ZERO_TWIST
    assert rig.safety.next_deadline_s(rig.now_s + 1.0) == math.inf
