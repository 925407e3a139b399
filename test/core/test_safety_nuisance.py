"""What must not trip, and must not even slow the robot for nothing."""

from __future__ import annotations

import math

import pytest
from robot_tool_agent.core.geometry import Twist2D
from robot_tool_agent.core.motion import Profile
from robot_tool_agent.core.robot import Footprint
from robot_tool_agent.core.safety_state import SafetyMode as M
from safety_rig import house, Rig

BOX = Footprint(polygon_m=((0.22, 0.16), (-0.22, 0.16), (-0.22, -0.16), (0.22, -0.16)))


def never_left_ready(rig: Rig) -> bool:
    modes = [output.view.mode for _, output in rig.history]
    return all(mode is M.READY for mode in modes[modes.index(M.READY):])


@pytest.mark.parametrize('gap_m', [0.01, 0.05, 0.3])
def test_turning_on_the_spot_beside_a_wall(gap_m: float):
    rig = Rig(house(4.5 - 0.18 - gap_m, 2.5)).ready()
    rig.run(5.0, Twist2D(0.0, 1.6))
    assert rig.world.truth().turned_rad > 7.0
    assert never_left_ready(rig)


def test_stopping_from_full_speed():
    rig = Rig().ready()
    rig.run(2.0, Twist2D(0.5, 0.0))
    rig.run(2.0, Twist2D(0.0, 0.0))
    assert rig.true_speed() == 0.0
    assert never_left_ready(rig)


@pytest.mark.parametrize('offset_m', [-0.2, 0.0, 0.2])
@pytest.mark.parametrize('footprint', [None, BOX], ids=['round', 'box'])
def test_a_door_of_one_metre_is_passed_at_speed_even_off_centre(offset_m: float, footprint: Footprint | None):
    rig = Rig(house(2.3 + offset_m, 1.8, math.pi / 2, footprint=footprint, scan_noise_m=0.005)).ready()
    rig.run(4.0, Twist2D(0.4, 0.0))
    assert rig.world.pose.y_m > 3.1
    assert min(out.twist.v_mps for _, out in rig.history[-75:]) > 0.39
    assert never_left_ready(rig)


def test_along_a_wall_closer_than_the_stop_distance():
    rig = Rig(house(1.6, 3.0 - 0.18 - 0.05, math.pi)).ready()
    rig.run(2.0, Twist2D(0.3, 0.0))
    assert rig.world.truth().travelled_m > 0.4
    assert rig.world.truth().contacts == 0


def test_creeping_to_the_counter_and_backing_off():
    rig = Rig(house(7.0, 4.7, math.pi / 2)).ready()
    for _ in range(400):
        if rig.world.pose.y_m >= 5.08:
            break
        rig.step(Twist2D(0.1, 0.0), Profile.APPROACH)
    assert rig.world.pose.y_m == pytest.approx(5.08, abs=0.01)
    rig.run(2.5, Twist2D(-0.2, 0.0))
    assert rig.world.pose.y_m < 4.75
    assert never_left_ready(rig)


def test_one_lost_scan():
    rig = Rig().ready()
    for tick in range(150):
        rig.scans = tick % 30 >= 4  # the robot loses at least one scan in every 0.6 s
        rig.step(Twist2D(0.3, 0.0))
    assert never_left_ready(rig)


def test_a_late_heartbeat():
    rig = Rig().ready()
    for tick in range(150):
        rig.beats = tick % 30 >= 7
        rig.step(Twist2D(0.3, 0.0))
    assert never_left_ready(rig)


def test_two_minutes_of_standing():
    rig = Rig().ready()
    rig.run(120.0)
    assert never_left_ready(rig)
    assert rig.world.truth().travelled_m == 0.0


def test_a_box_robot_retreats_too():
    rig = Rig(house(footprint=BOX)).ready()
    for x_m, y_m in [(2.3, 1.6), (2.3, 4.5)]:
        rig.go_to(x_m, y_m)
    rig.trip('SKILL_UNKNOWN')
    rig.until(M.SAFE, limit_s=60.0)
    assert rig.world.pose.distance_to(rig.world.robot.safe_poses['dock'].pose) <= 0.08
    assert rig.world.truth().contacts == 0
