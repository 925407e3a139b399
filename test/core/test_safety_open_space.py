"""A turtle that is put elsewhere in mid-drive: it holds, or in open space parks by a straight line that was checked."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from robot_tool_agent.config_files import ConfigError, load_robot
from robot_tool_agent.core.geometry import Pose2D, Twist2D, ZERO_TWIST
from robot_tool_agent.core.localization import Localizer
from robot_tool_agent.core.motion import MotionRequest, Profile
from robot_tool_agent.core.robot import PoseConfig, RobotDescription
from robot_tool_agent.core.safety.config import SafetyConfig
from robot_tool_agent.core.safety.straight_way import plan_straight_way
from robot_tool_agent.core.safety.supervisor import Output, SafetySupervisor
from robot_tool_agent.core.safety_state import SafetyMode as M
from robot_tool_agent.core.samples import GlobalPoseSample, OdomSample
from robot_tool_agent_sim.turtlesim.turtle import Turtle
from sim_house import CONFIG
from turtle_field import TurtleField

FILE = CONFIG / 'robots' / 'turtlesim.yaml'
ROBOT = load_robot(FILE)
CLOSED = ROBOT.model_copy(update={'open_space': False})
PARKING = ROBOT.safe_poses['parking'].pose
NOTHING = np.empty((0, 2))
BOOT_ID = 10**18


class TurtleRig:
    """The safety supervisor round a turtle, step by step. `located`, `scanning`: whether those topics speak."""

    def __init__(self, robot: RobotDescription = ROBOT) -> None:
        self.field, self.turtle = TurtleField(), Turtle(ROBOT)
        self.safety = SafetySupervisor(robot, SafetyConfig(), BOOT_ID, 0.0)
        self.located = self.scanning = True
        self.outputs: list[Output] = []
        self.driven: list[Pose2D] = []
        self._beats = 0
        self.until(M.READY)

    def step(self, twist: Twist2D | None = None) -> Output:
        pose, now_s = self.field.step(), self.field.now_s
        readings = self.turtle.on_pose(pose, now_s, now_s)
        assert readings is not None
        self.safety.on_odom(readings.odom)
        if readings.global_pose is not None and self.located:
            self.safety.on_global_pose(readings.global_pose)
        if readings.scan is not None and self.scanning:
            self.safety.on_scan(readings.scan)
        self._beats += 1
        self.safety.on_heartbeat('executor', BOOT_ID + 1, self._beats, now_s)
        if twist is not None:
            self.safety.on_command(MotionRequest(self.safety.epoch, 'call', Profile.NORMAL, twist), now_s)
        output = self.safety.tick(now_s)
        self.field.command(output.twist)
        self.outputs.append(output)
        self.driven.append(pose)
        return output

    def run(self, duration_s: float, twist: Twist2D | None = None) -> None:
        for _ in range(round(duration_s / 0.016)):
            self.step(twist)

    def until(self, *modes: M, limit_s: float = 60.0) -> None:
        for _ in range(round(limit_s / 0.016)):
            if self.safety.mode in modes:
                return
            self.step()
        raise AssertionError(f'still {self.safety.mode.name}: {self.outputs[-1].view}')

    def teleport_while_driving(self, x_m: float, y_m: float, yaw_rad: float = 0.0) -> None:
        self.run(1.5, Twist2D(1.0, 0.0))
        assert self.outputs[-1].twist.v_mps == pytest.approx(1.0)
        self.field.teleport(x_m, y_m, yaw_rad)

    @property
    def fault(self) -> str:
        return self.outputs[-1].view.fault


def test_without_open_space_it_holds_where_it_was_put() -> None:
    rig = TurtleRig(CLOSED)
    rig.teleport_while_driving(9.0, 8.0)
    rig.until(M.HOLDING, limit_s=3.0)
    rig.run(3.0)
    assert (rig.safety.mode, rig.fault) == (M.HOLDING, 'ODOM_JUMP')
    assert rig.field.pose.distance_to(Pose2D(9.0, 8.0, 0.0)) < 0.6, 'braking from 1 m/s'
    assert rig.outputs[-1].twist == ZERO_TWIST


@pytest.mark.parametrize('put', [(9.0, 8.0, 0.0), (2.0, 2.0, 3.0), (9.8, 5.5, -1.6), (3.0, 9.0, math.pi)])
def test_in_open_space_it_parks_by_a_straight_line(put: tuple[float, float, float]) -> None:
    rig = TurtleRig()
    rig.teleport_while_driving(*put)
    rig.until(M.RETREATING, limit_s=3.0)
    begin = len(rig.driven)
    start = rig.field.pose
    rig.until(M.SAFE)
    assert (rig.fault, rig.outputs[-1].view.detail.split('; ')[-1]) == ('ODOM_JUMP', 'parked at parking')
    assert rig.field.pose.distance_to(PARKING) <= ROBOT.limits.position_tolerance_m
    line = np.array((PARKING.x_m - start.x_m, PARKING.y_m - start.y_m))
    sides = [_side_m(pose, start, line) for pose in rig.driven[begin:]]
    assert max(sides) < 0.2, 'it keeps to the line'
    speeds = [abs(out.twist.v_mps) for out in rig.outputs[begin:]]
    assert max(speeds) <= ROBOT.limits.retreat_speed_mps + 1e-9
    rig.run(2.0)
    assert rig.safety.mode is M.SAFE, 'a person must see to it'
    assert rig.safety.reset('ana', rig.field.now_s).success
    rig.until(M.READY, limit_s=2.0)


def _side_m(pose: Pose2D, start: Pose2D, line: Any) -> float:
    offset = np.array((pose.x_m - start.x_m, pose.y_m - start.y_m))
    return abs(float(line[0] * offset[1] - line[1] * offset[0])) / float(np.linalg.norm(line))


def test_a_turtle_that_stood_when_it_was_put_elsewhere_stays() -> None:
    rig = TurtleRig()
    rig.run(1.0)
    rig.field.teleport(9.0, 8.0, 0.0)
    rig.until(M.HOLDING, limit_s=3.0)
    rig.run(2.0)
    assert (rig.safety.mode, rig.fault) == (M.HOLDING, 'ODOM_JUMP')
    assert rig.field.pose == Pose2D(9.0, 8.0, 0.0)


def test_without_localization_nobody_knows_the_line() -> None:
    rig = TurtleRig()
    rig.run(1.5, Twist2D(1.0, 0.0))
    rig.located = False
    rig.field.teleport(9.0, 8.0, 0.0)
    rig.until(M.HOLDING, limit_s=3.0)
    assert rig.fault == 'RETREAT_BLOCKED'
    assert 'after ODOM_JUMP' in rig.outputs[-1].view.detail


def test_without_a_scan_it_does_not_set_out() -> None:
    rig = TurtleRig()
    rig.run(1.5, Twist2D(1.0, 0.0))
    rig.scanning = False
    rig.field.teleport(9.0, 8.0, 0.0)
    rig.until(M.HOLDING, limit_s=3.0)
    assert rig.fault == 'SCAN_STALE'


def test_a_second_teleport_on_the_way_ends_it() -> None:
    rig = TurtleRig()
    rig.teleport_while_driving(9.0, 8.0)
    rig.until(M.RETREATING, limit_s=3.0)
    rig.run(2.0)
    rig.field.teleport(2.0, 9.0, 0.0)
    rig.until(M.HOLDING, limit_s=1.0)
    assert rig.fault in ('ODOM_JUMP', 'RETREAT_BLOCKED')
    rig.run(2.0)
    assert rig.safety.mode is M.HOLDING


def test_put_outside_the_geofence_or_beside_a_wall_it_holds() -> None:
    for x_m, y_m in ((0.3, 5.0), (10.6, 10.6)):
        rig = TurtleRig()
        rig.teleport_while_driving(x_m, y_m, 1.6)
        rig.until(M.HOLDING, limit_s=4.0)


def located(pose: Pose2D) -> Localizer:
    localizer = Localizer(True)
    localizer.on_odom(OdomSample(1.0, 1.0, pose, ZERO_TWIST))
    localizer.on_global_pose(GlobalPoseSample(1.0, 1.0, pose))
    return localizer


HERE = Pose2D(9.0, 5.5, 0.0)


def test_the_nearest_safe_pose_that_can_be_reached_is_taken() -> None:
    poses = {'far': PoseConfig(x_m=9.0, y_m=1.5), 'near': PoseConfig(x_m=7.0, y_m=5.5)}
    robot = ROBOT.model_copy(update={'safe_poses': poses})
    for seen, name, end in (
        (NOTHING, 'near', [7.0, 5.5]),
        (np.array([[6.3, 5.5]]), 'near', [7.0, 5.5]),  # behind the goal, 0.7 m off; 0.6 m are kept
        (np.array([[8.0, 5.5]]), 'far', [9.0, 1.5]),
    ):
        way = plan_straight_way(robot, located(HERE), HERE, seen)
        assert way is not None
        assert (way.name, way.points.tolist()) == (name, [[9.0, 5.5], end])
    both = np.array([[8.0, 5.5], [9.0, 3.0]])
    assert plan_straight_way(robot, located(HERE), HERE, both) is None


@pytest.mark.parametrize(('y_m', 'free'), [(5.5, False), (6.05, False), (6.15, True), (4.95, False), (4.85, True)])
def test_what_the_scan_shows_keeps_its_distance(y_m: float, free: bool) -> None:
    way = plan_straight_way(ROBOT, located(HERE), HERE, np.array([[6.0, y_m]]))
    assert (way is not None) is free


@pytest.mark.parametrize(('wall', 'free'), [((6.0, 6.2, 6.0, 9.0), True), ((6.0, 5.9, 6.0, 9.0), False)])
def test_a_wall_of_the_map_keeps_its_distance(wall: tuple[float, float, float, float], free: bool) -> None:
    known = ROBOT.map.model_copy(update={'walls': (*ROBOT.map.walls, wall)})
    way = plan_straight_way(ROBOT.model_copy(update={'map': known}), located(HERE), HERE, NOTHING)
    assert (way is not None) is free


def test_a_line_that_leaves_the_geofence_is_none() -> None:
    notch = ((0.65, 0.65), (10.44, 0.65), (10.44, 10.44), (6.5, 10.44), (6.0, 5.0), (5.5, 10.44), (0.65, 10.44))
    robot = ROBOT.model_copy(update={'geofence': notch})
    assert plan_straight_way(robot, located(HERE), HERE, NOTHING) is None
    low = Pose2D(9.0, 3.0, 0.0)
    assert plan_straight_way(robot, located(low), low, NOTHING) is not None


def test_without_localization_or_geofence_there_is_no_line() -> None:
    assert plan_straight_way(ROBOT, Localizer(True), HERE, NOTHING) is None
    unfenced = ROBOT.model_copy(update={'geofence': None})
    assert plan_straight_way(unfenced, located(HERE), HERE, NOTHING) is None


@pytest.mark.parametrize('gone', ['geofence: [[0.65', '  scan: {rate_hz'])
def test_open_space_without_geofence_or_scan_is_refused(tmp_path: Any, gone: str) -> None:
    lines = [line for line in FILE.read_text(encoding='utf-8').splitlines() if not line.startswith(gone)]
    path = tmp_path / 'robot.yaml'
    path.write_text('\n'.join(lines), encoding='utf-8')
    with pytest.raises(ConfigError, match=r'open_space needs a geofence and topics\.scan'):
        load_robot(path)
