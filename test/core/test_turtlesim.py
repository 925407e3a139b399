"""The turtle adapter's logic: sensors of a turtle, measured by what its field really does."""

from __future__ import annotations

import math
import sys
from types import ModuleType

import numpy as np
import pytest
from robot_tool_agent.config_files import ConfigError, load_robot
from robot_tool_agent.core.geometry import Pose2D, Twist2D
from robot_tool_agent.core.samples import OdomSample
from robot_tool_agent_sim.command_timeout import CommandTimeout
from robot_tool_agent_sim.turtlesim.tracker import MotionTracker
from robot_tool_agent_sim.turtlesim.turtle import Readings, Turtle
from robot_tool_agent_sim.turtlesim.types import pose_type
from sim_house import CONFIG
from turtle_field import SIZE_M, STEP_S, TurtleField

ROBOT = load_robot(CONFIG / 'robots' / 'turtlesim.yaml')


def measured(field: TurtleField, twist: Twist2D, steps: int = 20) -> Twist2D:
    """Return what the tracker measures after some steps with one command."""
    tracker, seen = MotionTracker(ROBOT.limits), Twist2D()
    for _ in range(steps):
        field.command(twist)
        seen = tracker.on_pose(OdomSample(field.now_s, field.now_s, field.step(), Twist2D(9.0, 9.0))).twist
    return seen


@pytest.mark.parametrize('twist', [Twist2D(1.0, 0.0), Twist2D(-0.5, 0.0), Twist2D(0.0, 1.5), Twist2D(0.8, -1.2)])
def test_velocity_is_measured_with_its_sign(twist: Twist2D) -> None:
    seen = measured(TurtleField(), twist)
    assert seen.v_mps == pytest.approx(twist.v_mps, abs=1e-3)
    assert seen.w_radps == pytest.approx(twist.w_radps, abs=1e-6)


def test_a_turtle_pushing_against_a_wall_does_not_move() -> None:
    field = TurtleField()
    field.teleport(SIZE_M, 5.0, 0.0)
    assert field.told == Twist2D()
    assert measured(field, Twist2D(1.0, 0.0)) == Twist2D()
    assert field.told.v_mps == 1.0


def test_turning_across_the_end_of_the_circle_is_no_leap() -> None:
    field = TurtleField()
    field.teleport(5.0, 5.0, math.pi - 0.05)
    assert measured(field, Twist2D(0.0, 1.0), 10).w_radps == pytest.approx(1.0)


def test_a_teleport_is_no_velocity() -> None:
    field, tracker = TurtleField(), MotionTracker(ROBOT.limits)
    seen = []
    for number in range(40):
        field.command(Twist2D(1.0, 0.0))
        if number == 20:
            field.teleport(1.0, 9.0, 2.0)
        seen.append(tracker.on_pose(OdomSample(field.now_s, field.now_s, field.step(), Twist2D())).twist)
    assert [twist.v_mps for twist in seen[1:]] == pytest.approx([1.0] * 39, abs=1e-6)
    assert max(abs(twist.w_radps) for twist in seen) < 1e-6


@pytest.mark.parametrize(('arrivals_s', 'least', 'most'), [((0.1,) * 6, 0.99, 1.01), ((0.2, 0.4, 0.6), 0.05, 0.2)])
def test_a_bunch_of_late_poses_is_no_burst_of_speed(arrivals_s: tuple[float, ...], least: float, most: float) -> None:
    tracker, seen = MotionTracker(ROBOT.limits), Twist2D()
    for number, arrival_s in enumerate(arrivals_s):
        pose = Pose2D(5.0 + number * STEP_S, 5.0, 0.0)
        seen = tracker.on_pose(OdomSample(arrival_s + 1e-6 * number, arrival_s, pose, Twist2D())).twist
    assert least <= seen.v_mps <= most


def readings_of(turtle: Turtle, field: TurtleField, steps: int) -> list[Readings]:
    found = [turtle.on_pose(field.step(), field.now_s, field.now_s) for _ in range(steps)]
    return [item for item in found if item is not None]


def test_each_pose_is_odometry_and_the_rest_comes_at_its_rate() -> None:
    found = readings_of(Turtle(ROBOT), TurtleField(), 250)  # 4 s
    assert len(found) == 250
    assert sum(item.global_pose is not None for item in found) == pytest.approx(80, abs=2)
    assert sum(item.scan is not None for item in found) == pytest.approx(80, abs=2)
    assert found[-1].odom.pose == Pose2D(0.5 * SIZE_M, 0.5 * SIZE_M, 0.0)
    assert found[-1].odom.twist == Twist2D()


def test_the_scan_shows_the_four_walls() -> None:
    field = TurtleField()
    field.teleport(2.0, 3.0, math.pi / 2)
    scan = next(item.scan for item in readings_of(Turtle(ROBOT), field, 9) if item.scan is not None)
    angles = scan.angle_min_rad + scan.angle_increment_rad * np.arange(scan.ranges_m.size)

    def seen_m(angle_rad: float) -> float:
        return float(scan.ranges_m[int(np.argmin(np.abs(np.remainder(angles - angle_rad + 3.0, math.tau) - 3.0)))])

    assert seen_m(0.0) == pytest.approx(SIZE_M - 3.0, abs=1e-3)
    assert seen_m(math.pi / 2) == pytest.approx(2.0, abs=1e-3)
    assert seen_m(math.pi) == pytest.approx(3.0, abs=1e-3)
    assert seen_m(-math.pi / 2) == pytest.approx(SIZE_M - 2.0, abs=1e-3)


def test_a_pose_that_is_no_number_is_left_out() -> None:
    assert Turtle(ROBOT).on_pose(Pose2D(math.nan, 0.0, 0.0), 1.0, 1.0) is None


def test_a_robot_without_scan_and_localization_gets_odometry_only() -> None:
    bare = ROBOT.topics.model_copy(update={'scan': None, 'global_pose': None})
    (found,) = readings_of(Turtle(ROBOT.model_copy(update={'topics': bare})), TurtleField(), 1)
    assert (found.scan, found.global_pose) == (None, None)


def test_silence_of_commands_means_zero_once() -> None:
    timeout = CommandTimeout(0.25)
    assert not timeout.due_zero(0.0)
    timeout.on_command(Twist2D(1.0, 0.0), 1.0)
    assert not timeout.due_zero(1.25)
    assert timeout.due_zero(1.26)
    assert not timeout.due_zero(1.30)
    timeout.on_command(Twist2D(), 2.0)
    assert not timeout.due_zero(9.0), 'a turtle that was told to stand needs no second word'


@pytest.mark.parametrize(('installed', 'taken'), [(('turtlesim',), 0), (('turtlesim', 'turtlesim_msgs'), 1)])
def test_the_message_type_is_that_of_the_distribution(
    monkeypatch: pytest.MonkeyPatch, installed: tuple[str, ...], taken: int
) -> None:
    kinds = []
    for package in ('turtlesim', 'turtlesim_msgs'):
        kinds.append(type('Pose', (), {}))
        module = ModuleType(f'{package}.msg')
        module.Pose = kinds[-1]  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, package, ModuleType(package) if package in installed else None)
        monkeypatch.setitem(sys.modules, f'{package}.msg', module if package in installed else None)
    assert pose_type() is kinds[taken]


def test_without_turtlesim_the_error_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    for package in ('turtlesim', 'turtlesim_msgs'):
        monkeypatch.setitem(sys.modules, package, None)
        monkeypatch.setitem(sys.modules, f'{package}.msg', None)
    with pytest.raises(ConfigError, match='turtlesim_msgs or turtlesim: install turtlesim'):
        pose_type()


def test_headings_beyond_every_circle_are_headings() -> None:
    turtle = Turtle(ROBOT)
    for step, theta in enumerate((1.7e308, -1.7e308, 3.0, -3.0e300)):
        seen = turtle.on_pose(Pose2D(5.0, 5.0, theta), 0.016 * step, 0.016 * step)
        assert seen is not None
        assert abs(seen.odom.pose.yaw_rad) <= math.pi
        assert seen.odom.twist.is_finite()
