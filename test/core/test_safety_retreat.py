"""The way back: trail, plan, and the drive in the simulated house."""

from __future__ import annotations

from itertools import pairwise
import math

import numpy as np
import pytest
from robot_tool_agent.core.geometry import Point, Pose2D, Twist2D
from robot_tool_agent.core.localization import Localizer
from robot_tool_agent.core.robot import PoseConfig, RobotDescription
from robot_tool_agent.core.safety.retreat import Retreat, RetreatStatus
from robot_tool_agent.core.safety.scans import Obstacles
from robot_tool_agent.core.safety.trail import Trail
from robot_tool_agent.core.safety.way_back import plan_way_back, WayBack
from robot_tool_agent.core.safety_state import SafetyMode as M
from robot_tool_agent.core.samples import GlobalPoseSample, OdomSample
from robot_tool_agent_sim.walls import Walls
from robot_tool_agent_sim.world import World
from safety_rig import at, house, Rig, robot_description

ROBOT = robot_description()
ORIGIN = Pose2D(0.0, 0.0, 0.0)


def trail_of(*poses: tuple[float, float]) -> Trail:
    trail = Trail(0.05, 60.0)
    for x_m, y_m in poses:
        trail.record(at(x_m, y_m))
    return trail


def line(start: tuple[float, float], end: tuple[float, float], step_m: float = 0.02) -> list[tuple[float, float]]:
    count = max(2, round(math.dist(start, end) / step_m))
    return [tuple(point) for point in np.linspace(start, end, count)]  # type: ignore[misc]


def test_the_trail_keeps_its_spacing():
    points = trail_of(*line((0, 0), (2, 0))).points()
    gaps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    assert 30 <= len(points) <= 41
    assert np.all(gaps >= 0.05 - 1e-9)


def test_going_back_shortens_the_trail():
    trail = trail_of(*line((0, 0), (2, 0)), *line((2, 0), (0.5, 0)))
    assert len(trail.points()) <= 14
    assert trail.points()[-1] == pytest.approx((0.5, 0.0), abs=0.15)


def test_a_loop_is_cut_where_it_closes():
    corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.5, 1.0), (0.5, -1.0)]
    way = [point for a, b in pairwise(corners) for point in line(a, b)]
    points = trail_of(*way).points()
    assert points[:, 0].max() <= 0.6, 'the loop through x = 1 is gone'
    assert tuple(points[-1]) == pytest.approx((0.5, -1.0), abs=0.05)


def test_a_gap_voids_the_trail():
    points = trail_of(*line((0, 0), (1, 0)), (2.0, 0.0)).points()
    assert points.tolist() == [[2.0, 0.0]]


def test_memory_of_the_trail_is_bounded_and_the_newest_stays():
    trail = Trail(0.05, 5.0)
    for step in range(5000):
        trail.record(at(0.06 * step, 0.0))
    assert len(trail.points()) <= 100
    assert trail.points()[-1, 0] == pytest.approx(0.06 * 4999)


def localized(map_from_odom: Pose2D = ORIGIN) -> Localizer:
    localizer = Localizer(True)
    localizer.on_odom(OdomSample(1.0, 1.0, at(), Twist2D()))
    localizer.on_global_pose(GlobalPoseSample(1.0, 1.0, map_from_odom))
    return localizer


def robot_with(**poses: tuple[float, float]) -> RobotDescription:
    safe = {name: PoseConfig(x_m=x, y_m=y) for name, (x, y) in poses.items()}
    return ROBOT.model_copy(update={'safe_poses': safe})


def test_the_nearest_safe_pose_along_the_trail_is_chosen():
    robot = robot_with(far=(1.0, 1.5), near=(3.0, 1.5))
    trail = trail_of(*line((1.0, 1.5), (4.0, 1.5))).points()
    way = plan_way_back(robot, localized(), at(4.0, 1.5), trail, 0.8)
    assert way is not None
    assert way.name == 'near'
    assert way.points[0].tolist() == [4.0, 1.5]
    assert way.points[-1].tolist() == [3.0, 1.5]


def test_safe_poses_are_carried_from_the_map_into_odom():
    robot = robot_with(dock=(1.0, 1.0))
    way = plan_way_back(robot, localized(at(1.0, 1.5, math.pi / 2)), at(0.0, 0.0), np.empty((0, 2)), 0.8)
    assert way is not None
    assert way.points[-1] == pytest.approx((-0.5, 0.0))


def test_the_trail_is_not_left_through_a_wall_or_too_far():
    behind_wall = robot_with(other_room=(4.0, 3.4))  # the wall y = 3 lies between
    trail = trail_of(*line((3.0, 2.6), (4.0, 2.6))).points()
    assert plan_way_back(behind_wall, localized(), at(4.0, 2.6), trail, 2.0) is None
    assert plan_way_back(robot_with(away=(4.0, 1.0)), localized(), at(4.0, 2.6), trail, 0.8) is None


def test_without_localization_there_is_no_way_back():
    assert plan_way_back(ROBOT, Localizer(True), at(1.0, 1.0), np.empty((0, 2)), 5.0) is None


def covered(front: bool, rear: bool) -> Obstacles:
    return Obstacles(np.empty(0), np.empty(0), front, rear)


def start_retreat(*points: tuple[float, float]) -> Retreat:
    return Retreat(WayBack('goal', np.array(points)), ROBOT.limits, 0.0, 90.0, 2.5)


def test_it_backs_along_the_way_it_came():
    step = start_retreat((2.0, 0.0), (0.0, 0.0)).step(at(2.0, 0.0), covered(True, True), 0.0)
    assert step.twist.v_mps == pytest.approx(-0.25)
    assert step.twist.w_radps == pytest.approx(0.0, abs=1e-9)


def test_it_turns_first_where_the_scan_does_not_cover_the_way():
    retreat = start_retreat((2.0, 0.0), (0.0, 0.0))
    pose = at(2.0, 0.0)
    for tick in range(400):
        step = retreat.step(pose, covered(True, False), 0.02 * tick)
        assert step.twist.v_mps >= 0.0, 'never backwards into the unseen'
        pose = step.twist.step(pose, 0.02)
    assert abs(pose.yaw_rad) == pytest.approx(math.pi, abs=0.2)
    assert pose.x_m < 1.0


def test_it_does_not_move_blind():
    step = start_retreat((2.0, 0.0), (0.0, 0.0)).step(at(2.0, 0.0), covered(False, False), 0.0)
    assert (step.status, step.twist) == (RetreatStatus.BLIND, Twist2D())


def test_it_has_a_deadline():
    step = start_retreat((2.0, 0.0), (0.0, 0.0)).step(at(2.0, 0.0), covered(True, True), 90.0)
    assert step.status is RetreatStatus.LATE


def kitchen_trip(rig: Rig) -> None:
    """Drive from the dock through two doors to the kitchen counter."""
    for x_m, y_m in [(2.0, 1.5), (5.2, 1.5), (6.7, 1.6), (6.7, 3.9), (7.0, 4.7)]:
        rig.go_to(x_m, y_m)


def to_safe_pose_m(world: World, name: str) -> float:
    return world.pose.distance_to(world.robot.safe_poses[name].pose)


def test_it_parks_at_the_nearest_safe_pose_and_keeps_to_the_trail():
    rig = Rig().ready()
    kitchen_trip(rig)
    been = [Point(output_pose.x_m, output_pose.y_m) for output_pose in _driven(rig)]
    before_m = rig.world.truth().travelled_m
    rig.trip('SKILL_UNKNOWN')
    rig.until(M.SAFE, limit_s=60.0)
    assert 'kitchen_corner' in rig.output.view.detail
    assert to_safe_pose_m(rig.world, 'kitchen_corner') <= ROBOT.limits.position_tolerance_m
    assert rig.world.truth().travelled_m - before_m < 1.5
    assert min(rig.world.pose.distance_to(point) for point in been) < 0.8
    assert rig.world.truth().contacts == 0


def _driven(rig: Rig) -> list[Pose2D]:
    trail = rig.safety._parking.trail.points()
    origin = rig.world._description.spawn.pose
    return [origin.compose(Pose2D(float(x), float(y), 0.0)) for x, y in trail]


def test_it_finds_back_through_two_doors():
    world = house()
    only_dock = {'dock': world.robot.safe_poses['dock']}
    world.robot = world.robot.model_copy(update={'safe_poses': only_dock})
    rig = Rig(world).ready()
    kitchen_trip(rig)
    rig.beats = False
    rig.until(M.SAFE, limit_s=90.0)
    assert to_safe_pose_m(world, 'dock') <= ROBOT.limits.position_tolerance_m
    assert world.truth().contacts == 0
    speeds = [abs(out.twist.v_mps) for _, out in rig.history if out.view.mode is M.RETREATING]
    assert max(speeds) <= ROBOT.limits.retreat_speed_mps + 1e-9


def test_after_a_retreat_the_robot_can_retreat_again():
    rig = Rig().ready()
    for _ in range(2):
        rig.go_to(2.3, 1.5)
        rig.trip('SKILL_FAILED')
        rig.until(M.SAFE, limit_s=30.0)
        assert to_safe_pose_m(rig.world, 'dock') <= ROBOT.limits.position_tolerance_m
        rig.until(M.READY, limit_s=3.0)


def test_a_box_put_in_the_way_ends_in_holding_without_contact():
    rig = Rig().ready()
    rig.go_to(3.0, 1.2)
    box = [(2.0, 0.8, 2.0, 1.6), (2.1, 0.8, 2.1, 1.6), (2.0, 0.8, 2.1, 0.8), (2.0, 1.6, 2.1, 1.6)]
    _put_walls(rig.world, box)
    rig.trip('SKILL_UNKNOWN')
    rig.until(M.HOLDING, limit_s=30.0)
    assert rig.fault == 'RETREAT_BLOCKED'
    assert 'SKILL_UNKNOWN' in rig.output.view.detail
    assert rig.world.truth().contacts == 0
    assert rig.world.pose.x_m > 2.1 + 0.18
    rig.run(2.0, Twist2D(0.2, 0.0))
    assert rig.true_speed() == 0.0


def _put_walls(world: World, segments: list[tuple[float, float, float, float]]) -> None:
    """Put something into the real world that the known map does not have."""
    pose, fault = world.pose, world.fault
    walls = Walls((*world.robot.map.walls, *segments))
    world._walls, world._lidar = walls, type(world._lidar)(walls)
    world._guard = type(world._guard)(world.robot.footprint, walls)
    world.pose, world.fault = pose, fault


@pytest.mark.parametrize(
    ('strike', 'fault'), [('scans', 'SCAN_STALE'), ('odometry', 'ODOM_STALE'), ('bumper', 'INPUT_INVALID')]
)
def test_an_input_lost_on_the_way_back_ends_in_holding(strike: str, fault: str):
    rig = Rig().ready()
    rig.go_to(3.0, 1.2)
    rig.trip('SKILL_UNKNOWN')
    rig.until(M.RETREATING, limit_s=3.0)
    rig.run(1.0)
    setattr(rig, strike, False)
    rig.until(M.HOLDING, limit_s=0.5)
    assert rig.fault == fault
    rig.run(0.5)
    assert rig.true_speed() == 0.0


def test_contact_on_the_way_back_ends_in_holding():
    rig = Rig().ready()
    rig.go_to(3.0, 1.2)
    rig.trip('SKILL_FAILED')
    rig.until(M.RETREATING, limit_s=3.0)
    rig.run(1.0)
    rig.press(True)
    assert rig.tick().twist == Twist2D()
    assert (rig.mode, rig.fault) == (M.HOLDING, 'BUMPER_CONTACT')


def test_stuck_wheels_on_the_way_back_end_in_holding():
    rig = Rig().ready()
    rig.go_to(3.0, 1.2)
    rig.trip('SKILL_UNKNOWN')
    rig.until(M.RETREATING, limit_s=3.0)
    rig.world.set_fault('wheels_stuck')
    rig.until(M.HOLDING, limit_s=5.0)
    assert rig.fault == 'RETREAT_BLOCKED'


def test_a_jump_of_odometry_voids_the_way_back():
    rig = Rig().ready()
    rig.go_to(3.0, 1.2)
    rig.world._odom_pose = rig.world._odom_pose.compose(at(5.0, 0.0))
    rig.until(M.HOLDING, limit_s=3.0)
    assert rig.fault == 'ODOM_JUMP'
    assert len(rig.safety._parking.trail.points()) <= 1
    rig.run(0.5)
    assert rig.safety.reset('Ada', rig.now_s).success
    rig.until(M.READY, limit_s=1.5)


def test_a_jump_on_the_way_back_ends_it():
    rig = Rig().ready()
    rig.go_to(3.0, 1.2)
    rig.trip('SKILL_UNKNOWN')
    rig.until(M.RETREATING, limit_s=3.0)
    rig.world._odom_pose = rig.world._odom_pose.compose(at(0.0, 1.0))
    rig.run(0.1)
    assert (rig.mode, rig.fault) == (M.HOLDING, 'ODOM_JUMP')
    assert 'jumped' in rig.output.view.detail
