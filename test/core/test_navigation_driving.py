"""Steering laws and counters, each against numbers worked out by hand."""

import itertools
import math

import pytest
from robot_tool_agent.core.geometry import Point, Pose2D, Twist2D, ZERO_TWIST
from robot_tool_agent.core.navigation import Follower, FollowerState, house_map, ProgressWatch
from robot_tool_agent.core.navigation.steering import advance, braking_speed, limited_arc, turn_towards
from robot_tool_agent.core.navigation.straight import StraightDrive
from robot_tool_agent.core.navigation.turning import TurnCounter
from robot_tool_agent.core.samples import GlobalPoseSample, OdomSample
from robot_tool_agent.core.sensors import SensorView
from sim_house import robot_description
from skill_rig import Rig

ROBOT = robot_description()
LIMITS = ROBOT.limits
POSES = {name: pose.pose for name, pose in {**ROBOT.places, **ROBOT.safe_poses}.items()}


@pytest.mark.parametrize(('distance', 'decel', 'latency_s'), [(0.5, 1.5, 0.15), (0.01, 1.5, 0.15), (2.0, 6.0, 0.3)])
def test_braking_speed_solves_its_equation(distance, decel, latency_s):
    v = braking_speed(distance, decel, latency_s)
    assert v * latency_s + v * v / decel == pytest.approx(distance)


def test_speeds_stay_within_limits_and_keep_their_sign():
    assert advance(5.0, 0.5, LIMITS) == 0.5
    assert advance(-5.0, 0.3, LIMITS) == -0.3
    assert 0.03 <= advance(0.001, 0.5, LIMITS) <= 0.031
    assert turn_towards(3.0, LIMITS) == Twist2D(0.0, 1.6)
    assert turn_towards(-0.001, LIMITS) == Twist2D(0.0, -0.15)
    assert limited_arc(0.5, 8.0, LIMITS) == Twist2D(0.2, 1.6)
    assert limited_arc(0.5, 0.0, LIMITS) == Twist2D(0.5, 0.0)


def test_a_follower_turns_first_when_it_looks_away():
    follower = Follower([Point(0.0, 0.0), Point(2.0, 0.0)], 0.0, LIMITS)
    step = follower.step(Pose2D(0.0, 0.0, math.pi / 2), stands=True)
    assert step.twist.v_mps == 0.0
    assert step.twist.w_radps < -0.5
    assert step.left_m == pytest.approx(2.0)
    assert follower.step(Pose2D(0.0, 0.0, 0.0), stands=False).twist == Twist2D(0.5, 0.0)


def test_a_follower_that_is_there_aligns_and_arrives():
    follower = Follower([Point(1.0, 1.0), Point(1.0, 1.0)], 1.0, LIMITS)
    assert follower.step(Pose2D(1.0, 1.0, 0.0), stands=True).state is FollowerState.ALIGNING
    turning = follower.step(Pose2D(1.0, 1.0, 0.99), stands=False)
    assert (turning.state, turning.twist) == (FollowerState.ALIGNING, ZERO_TWIST)
    done = follower.step(Pose2D(1.0, 1.0, 0.99), stands=True)
    assert (done.state, done.twist) == (FollowerState.ARRIVED, ZERO_TWIST)


def test_a_loop_that_passes_its_goal_is_driven_to_the_end():
    corners = [Point(0.0, 0.0), Point(2.0, 0.0), Point(2.0, 2.0), Point(0.0, 0.0)]
    follower = Follower(corners, None, LIMITS)
    assert follower.step(Pose2D(0.0, 0.0, 0.0), stands=True).left_m == pytest.approx(4.0 + math.sqrt(8.0))


@pytest.mark.parametrize('start', POSES)
def test_every_drive_ends_in_tolerance_and_keeps_its_distance(start):
    rig = Rig()
    assert rig.run('navigate_to', as_arguments(POSES[start])).verdict.reached
    for goal in POSES:
        before = len(rig.path)
        run = rig.run('navigate_to', as_arguments(POSES[goal]))
        assert run.verdict.reached, (goal, run.verdict.message)
        assert rig.world.pose.distance_to(POSES[goal]) <= LIMITS.position_tolerance_m
        path = rig.path[before:]
        assert min(gap_m(rig, pose) for pose in path[::10]) >= LIMITS.stop_distance_m + 0.05
        assert max(a.distance_to(b) for a, b in itertools.pairwise(path)) <= LIMITS.max_speed_mps * 0.0201
    assert rig.world.truth().contacts == 0


def as_arguments(pose):
    return {'x_m': pose.x_m, 'y_m': pose.y_m, 'yaw_rad': pose.yaw_rad}


def gap_m(rig, pose):
    return house_map(rig.robot).clearance_m(pose.point) - rig.robot.footprint.circumscribed_m


def test_a_straight_drive_measures_along_its_heading():
    drive = StraightDrive(Pose2D(1.0, 2.0, math.pi / 2), -0.5, LIMITS)
    assert drive.left_m(Pose2D(1.0, 1.8, math.pi / 2)) == pytest.approx(-0.3)
    assert not drive.is_over(Pose2D(1.0, 1.8, math.pi / 2))
    assert drive.is_over(Pose2D(1.0, 1.498, math.pi / 2))
    twist = drive.twist(Pose2D(1.0, 1.8, math.pi / 2))
    assert (twist.v_mps, twist.w_radps) == (-0.3, pytest.approx(0.0))


def test_a_straight_drive_steers_back_to_its_line():
    ahead = StraightDrive(Pose2D(0.0, 0.0, 0.0), 1.0, LIMITS)
    assert ahead.twist(Pose2D(0.2, 0.05, 0.0)).w_radps < 0.0
    back = StraightDrive(Pose2D(0.0, 0.0, 0.0), -1.0, LIMITS)
    assert back.twist(Pose2D(-0.2, 0.05, 0.0)).w_radps > 0.0


def test_a_turn_is_counted_beyond_a_full_circle():
    counter = TurnCounter()
    for step in range(101):
        counter.take(math.remainder(0.0 - 0.07 * step, math.tau))
    assert counter.turned_rad == pytest.approx(-7.0)


def view_at(robot, x_m, now_s):
    view = SensorView(robot)
    view.on_odom(OdomSample(now_s, now_s, Pose2D(x_m, 0.0, 0.0), ZERO_TWIST))
    view.on_global_pose(GlobalPoseSample(now_s, now_s, Pose2D(x_m, 0.0, 0.0)))
    return view


def stuck_times(moves_mps, commanded, gap_s=0.1):
    watch, stuck = ProgressWatch(), []
    for tick in range(60):
        now_s = 10.0 + gap_s * tick
        if watch.is_stuck(view_at(ROBOT, moves_mps * now_s, now_s), commanded, now_s):
            stuck.append(now_s - 10.0)
    return stuck


def test_no_progress_is_noticed_after_three_seconds():
    assert stuck_times(0.0, Twist2D(0.2, 0.0))[0] == pytest.approx(3.0, abs=0.15)


@pytest.mark.parametrize(
    ('moves_mps', 'commanded', 'gap_s'),
    [(0.03, Twist2D(0.2, 0.0), 0.1), (0.0, ZERO_TWIST, 0.1), (0.0, None, 0.1), (0.0, Twist2D(0.2, 0.0), 2.0)],
    ids=['slow but moving', 'not told to', 'left alone', 'paused between'],
)
def test_progress_or_no_command_is_not_stuck(moves_mps, commanded, gap_s):
    assert stuck_times(moves_mps, commanded, gap_s) == []
