"""Safety's small parts one by one, at the edges of their rules."""

from __future__ import annotations

import math

import pytest
from robot_tool_agent.core.geometry import Pose2D, Twist2D, ZERO_TWIST
from robot_tool_agent.core.motion import JointTarget, MotionRequest
from robot_tool_agent.core.robot import Arm, JointRange
from robot_tool_agent.core.safety.braking import stop_time_s
from robot_tool_agent.core.safety.config import SafetyConfig
from robot_tool_agent.core.safety.envelope import MotionWatch
from robot_tool_agent.core.safety.gate import Gate, Offer
from robot_tool_agent.core.safety.limiter import Limiter
from robot_tool_agent.core.safety.liveness import Finding, Peers
from robot_tool_agent.core.safety.trail import LOOP_RADIUS_M, Trail
from sim_house import robot_description

ROBOT = robot_description()
BAND_MPS, BAND_RADPS, DT_S = 0.05, 0.1, 0.02
LIMITS = ROBOT.limits


def watched(*parts: tuple[Twist2D, float]) -> MotionWatch:
    """Return a watch that saw outputs, each for a while."""
    watch, now_s = MotionWatch(LIMITS, BAND_MPS, BAND_RADPS), 100.0
    for twist, duration_s in parts:
        for _ in range(round(duration_s / DT_S)):
            now_s += DT_S
            watch.on_output(twist, now_s)
    return watch


def uncommanded(watch: MotionWatch, v_mps: float, w_radps: float = 0.0) -> bool:
    watch.on_odom(Twist2D(v_mps, w_radps))
    return watch.uncommanded() != ''


def unfollowed(watch: MotionWatch, v_mps: float, w_radps: float = 0.0) -> bool:
    watch.on_odom(Twist2D(v_mps, w_radps))
    return watch.unfollowed() != ''


def test_with_zero_from_the_start_only_the_dead_band_is_explained():
    watch = watched((ZERO_TWIST, DT_S))
    for sign in (1.0, -1.0):
        assert not uncommanded(watch, sign * (BAND_MPS - 1e-6))
        assert uncommanded(watch, sign * (BAND_MPS + 1e-6))
        assert not uncommanded(watch, 0.0, sign * (BAND_RADPS - 1e-6))
        assert uncommanded(watch, 0.0, sign * (BAND_RADPS + 1e-6))


def test_a_commanded_speed_explains_a_fifth_more_of_it_and_nothing_the_other_way():
    watch = watched((Twist2D(0.4, 0.0), 2.0))
    assert not uncommanded(watch, 0.4 * 1.2 + BAND_MPS - 1e-6)
    assert uncommanded(watch, 0.4 * 1.2 + BAND_MPS + 1e-6)
    assert uncommanded(watch, -BAND_MPS - 1e-6)


def test_after_a_stop_the_last_speed_is_explained_for_the_lag_and_then_for_the_braking():
    lag_s = LIMITS.latency_s + 0.1
    assert not uncommanded(watched((Twist2D(0.4, 0.0), 2.0), (ZERO_TWIST, lag_s - 0.04)), 0.4)
    late = watched((Twist2D(0.4, 0.0), 2.0), (ZERO_TWIST, lag_s + 0.4 / LIMITS.max_decel_mps2 + 0.04))
    assert uncommanded(late, BAND_MPS + 1e-6)


def test_what_is_due_rises_with_the_acceleration_and_is_missed_below_two_thirds():
    watch = watched((Twist2D(0.4, 0.0), 2.0))
    assert not unfollowed(watch, 0.4 * 0.65 + 1e-6)
    assert unfollowed(watch, 0.4 * 0.65 - 1e-6)
    early = watched((Twist2D(0.4, 0.0), 0.1))
    assert not unfollowed(early, 0.8 * 0.1 * 0.65 + 1e-6)
    assert unfollowed(watched((Twist2D(-0.3, 0.0), 2.0)), -0.3 * 0.65 + 1e-6)
    assert not unfollowed(watched((Twist2D(-0.3, 0.0), 2.0)), -0.3 * 0.65 - 1e-6)
    assert not unfollowed(watched((Twist2D(0.04, 0.0), 2.0)), 0.0)


@pytest.mark.parametrize('v_mps', [0.4, -0.3])
def test_nothing_is_due_before_the_lag_has_passed(v_mps: float):
    starting = watched((ZERO_TWIST, 1.0), (Twist2D(v_mps, 0.0), 0.1))
    assert not unfollowed(starting, 0.0)
    assert unfollowed(watched((ZERO_TWIST, 1.0), (Twist2D(v_mps, 0.0), 1.0)), 0.0)


def test_each_component_is_watched_alone():
    assert uncommanded(watched((ZERO_TWIST, 0.5)), 0.0, 0.5)
    assert unfollowed(watched((Twist2D(0.4, 1.0), 2.0)), 0.4, 0.0)
    assert unfollowed(watched((Twist2D(0.4, 1.0), 2.0)), 0.0, 1.0)


@pytest.mark.parametrize(
    ('positions', 'duration_s', 'offer'),
    [
        ((0.5, 0.5), 1.0, Offer.ACCEPTED),
        ((0.5, math.nan), 1.0, Offer.INVALID),
        ((math.inf, 0.5), 1.0, Offer.INVALID),
        ((0.5, 0.5), -1e-9, Offer.INVALID),
        ((0.5, 0.5), math.inf, Offer.INVALID),
        ((0.5,), 1.0, Offer.INVALID),
    ],
)
def test_one_position_that_is_no_number_spoils_the_target(
    positions: tuple[float, ...], duration_s: float, offer: Offer
):
    joints = {name: JointRange(min_rad=-1.0, max_rad=1.0, max_speed_radps=6.0) for name in ('one', 'two')}
    robot = ROBOT.model_copy(update={'arm': Arm(joints=joints)})
    gate = Gate(robot, 0.2)
    gate.open(7)
    assert gate.offer(MotionRequest(7, 'a', joints=JointTarget(('one', 'two'), positions, duration_s)), 1.0) is offer


def test_a_gripper_may_be_told_to_close_at_once():
    gate = Gate(ROBOT, 0.2)
    gate.open(7)
    at_once = JointTarget(('gripper_joint',), (0.0,), 0.0)
    assert gate.offer(MotionRequest(7, 'a', joints=at_once), 1.0) is Offer.ACCEPTED


def test_peers_are_told_apart_by_name_and_boot():
    peers = Peers(SafetyConfig(), 5, 0.0)
    assert not peers.planner_lost(1e6)
    assert peers.heard('planner', 1, 1, 10.0) is None
    assert not peers.planner_lost(10.1)
    assert peers.planner_lost(10.0 + SafetyConfig().planner_timeout_s + 0.01)
    peers.heard('safety', 5, 1, 20.0)
    assert not peers.rival_safety(20.0)
    peers.heard('safety', 6, 1, 20.0)
    assert peers.rival_safety(20.4)
    assert not peers.rival_safety(20.6)
    assert peers.heard('executor', 1, 1, 30.0) is None
    assert peers.heard('executor', 2, 1, 30.1) is Finding.REPLACED
    assert not peers.executor.alive(30.1 + SafetyConfig().executor_timeout_s + 0.01)


def test_a_loop_is_cut_where_it_closes_and_only_behind_the_latest_points():
    trail = Trail(0.1, 10.0)
    square = [(0.0, 0.0), (0.4, 0.0), (0.4, 0.4), (0.0, 0.4), (-0.4, 0.4), (-0.4, 0.0)]
    for x_m, y_m in square:
        trail.record(Pose2D(x_m, y_m, 0.0))
    assert len(trail.points()) == 6
    trail.record(Pose2D(0.0 - LOOP_RADIUS_M + 0.01, 0.0, 0.0))
    assert trail.points().tolist() == [[0.0, 0.0], [pytest.approx(-LOOP_RADIUS_M + 0.01), 0.0]]
    to_and_fro = Trail(0.1, 10.0)
    for x_m in (0.0, 0.2, 0.4, 0.2):
        to_and_fro.record(Pose2D(x_m, 0.0, 0.0))
    assert len(to_and_fro.points()) == 4


def test_a_full_trail_loses_its_oldest_tenth():
    trail = Trail(0.1, 2.0)
    for place in range(21):
        trail.record(Pose2D(0.2 * place, 0.0, 0.0))
    assert trail.points()[:, 0].tolist() == pytest.approx([0.2 * place for place in range(2, 21)])


def test_where_slowing_down_needs_little_way_braking_says_how_far_obstacles_matter():
    limits = LIMITS.model_copy(update={'slowdown_distance_m': 0.08})
    limiter = Limiter(ROBOT.model_copy(update={'limits': limits}))
    braking_s = limits.latency_s + stop_time_s(Twist2D(limits.max_speed_mps, 0.0), limits) / 2.0
    assert limiter.reach_m == pytest.approx(0.18 + 0.08 + 0.5 * (0.5 + braking_s))
