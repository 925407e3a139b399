"""Never blind: what the range sensor does not see is not driven into, and a scan that is nonsense is no scan."""

from __future__ import annotations

import math

import numpy as np
import pytest
from robot_tool_agent.core.geometry import Twist2D
from robot_tool_agent.core.motion import Profile
from robot_tool_agent.core.robot import Footprint
from robot_tool_agent.core.safety.clearance import free_time_s, time_above_s
from robot_tool_agent.core.safety.limiter import Limiter, LimitReason, Scene
from robot_tool_agent.core.safety.outline import Circle, Polygon
from robot_tool_agent.core.safety.scans import needed_sight_m, Obstacles, ScanReader
from robot_tool_agent.core.safety_state import SafetyMode as M
from robot_tool_agent.core.samples import OdomSample, ScanSample
from safety_rig import at, cruising, FORWARD, house, Rig, robot_description, scan_of

ROBOT = robot_description()
LIMITER = Limiter(ROBOT)
INF = math.inf
FRONT, REAR = range(-30, 31), range(150, 211)


def blinded(degrees: range, value: float) -> ScanSample:
    return scan_of(dict.fromkeys(degrees, value), default_m=3.0)


def allowed(scan: ScanSample, v_mps: float, w_radps: float = 0.0) -> tuple[Twist2D, LimitReason]:
    obstacles = ScanReader(ROBOT, LIMITER.reach_m).read(scan)
    assert obstacles is not None
    found = LIMITER.limit(Twist2D(v_mps, w_radps), Profile.NORMAL, Scene(obstacles, at()))
    return found.twist, found.reason


@pytest.mark.parametrize('value', [math.nan, 0.0, 0.01], ids=['nan', 'zero', 'below range_min'])
@pytest.mark.parametrize(('degrees', 'v_mps'), [(FRONT, 0.5), (REAR, -0.3)], ids=['ahead', 'behind'])
def test_nothing_is_driven_into_a_direction_that_was_not_measured(degrees: range, v_mps: float, value: float):
    scan = blinded(degrees, value)
    assert allowed(scan, v_mps) == (Twist2D(), LimitReason.BLIND)
    assert allowed(scan, v_mps, 0.3) == (Twist2D(), LimitReason.BLIND)
    assert allowed(scan, 0.0, 1.0) == (Twist2D(0.0, 1.0), LimitReason.NONE), 'turning on the spot leads nowhere'
    back = -0.3 if v_mps > 0.0 else 0.3
    assert allowed(scan, back) == (Twist2D(back, 0.0), LimitReason.NONE)


def test_a_few_lost_rays_and_inf_rays_blind_nobody():
    scan = blinded(range(-5, 6), math.nan)
    assert allowed(scan, 0.5) == (Twist2D(0.5, 0.0), LimitReason.NONE)
    assert allowed(blinded(FRONT, INF), 0.5) == (Twist2D(0.5, 0.0), LimitReason.NONE)


def test_a_robot_that_has_seen_nothing_yet_may_only_turn():
    nothing = Scene(None, at())
    assert LIMITER.limit(FORWARD, Profile.NORMAL, nothing).reason is LimitReason.BLIND
    assert LIMITER.limit(Twist2D(0.0, 1.0), Profile.NORMAL, nothing).twist == Twist2D(0.0, 1.0)


@pytest.mark.parametrize(
    ('scan', 'why'),
    [
        (ScanSample(1.0, 1.0, 0.0, math.tau, 0.05, 8.0, np.array([INF])), 'angles'),
        (ScanSample(1.0, 1.0, 0.0, 0.2, 0.05, 8.0, np.full(31, INF)), 'angles'),
        (ScanSample(1.0, 1.0, 0.0, math.tau / 360, 0.05, 8.0, np.full(720, INF)), 'angles'),
        (ScanSample(1.0, 1.0, math.nan, math.tau / 360, 0.05, 8.0, np.full(360, INF)), 'angles'),
        (ScanSample(1.0, 1.0, 0.0, math.tau / 360, 0.05, 0.0, np.full(360, 0.3)), 'ranges'),
        (ScanSample(1.0, 1.0, 0.0, math.tau / 360, 0.05, 0.1, np.full(360, 0.3)), 'sees'),
        (ScanSample(1.0, 1.0, 0.0, math.tau / 360, -1.0, 8.0, np.full(360, 0.3)), 'ranges'),
        (ScanSample(1.0, 1.0, 0.0, math.tau / 360, 0.05, INF, np.full(360, 0.3)), 'ranges'),
        (ScanSample(1.0, 1.0, 0.0, math.tau / 360, math.nan, 8.0, np.full(360, 0.3)), 'ranges'),
        (ScanSample(1.0, 1.0, 0.0, math.tau / 360, 0.05, math.nan, np.full(360, 0.3)), 'ranges'),
        (scan_of(default_m=math.nan), 'measured nothing'),
        (scan_of(default_m=0.0), 'measured nothing'),
        (ScanSample(1.0, 1.0, 0.0, math.tau / 360, 0.05, 8.0, np.full(20, 2.0)), 'measured nothing'),
    ],
)
def test_nonsense_is_no_scan_and_says_why(scan: ScanSample, why: str):
    reader = ScanReader(ROBOT, 3.0)
    assert reader.read(scan) is None
    assert why in reader.refusal
    assert reader.read(scan_of()) is not None
    assert reader.refusal == ''


def test_a_sensor_must_see_as_far_as_the_robot_needs_to_stop():
    assert needed_sight_m(ROBOT) == pytest.approx(0.18 + 0.08 + 0.5 * 0.15 + 0.25 / 3.0)


@pytest.mark.parametrize('value', [math.nan, 0.0], ids=['nan', 'zero'])
def test_a_robot_blind_ahead_does_not_close_in_on_the_wall(value: float):
    rig = Rig(house(4.5 - 0.18 - 0.30, 2.5, 0.0)).ready()
    rig.scans = False
    for tick in range(150):
        rig.step(Twist2D(0.5, 0.0) if tick > 3 else None)
        if tick % 3 == 0:
            scan = rig.world.scan()
            assert scan is not None
            angles = scan.angle_min_rad + scan.angle_increment_rad * np.arange(scan.ranges_m.size)
            scan.ranges_m[np.cos(angles) > math.cos(0.6)] = value
            rig.safety.on_scan(scan)
    assert rig.mode is M.READY
    assert rig.world.truth().travelled_m == 0.0
    assert rig.output.view.limit_reason == 'BLIND'


def test_range_max_of_zero_stops_the_robot_and_says_why():
    rig = cruising()
    rig.scans = False
    for _ in range(20):
        rig.step(FORWARD)
        scan = rig.world.scan()
        assert scan is not None
        rig.safety.on_scan(
            ScanSample(scan.stamp_s, scan.received_s, 0.0, scan.angle_increment_rad, 0.05, 0.1, scan.ranges_m)
        )
    assert (rig.mode, rig.fault) == (M.STOPPING, 'SCAN_STALE')
    assert 'sees 0.1 m' in rig.output.view.detail


@pytest.mark.parametrize('bad', [math.nan, INF])
def test_a_clearance_that_is_no_number_is_no_clearance(bad: float):
    clearances = np.array([1.0, 1.0, bad, 1.0])
    assert time_above_s(clearances, 0.1, 0.1, 3.0) < 3.0
    assert time_above_s(np.ones(4), 0.1, 0.1, 3.0) == INF


@pytest.mark.parametrize('far', [1e300, 1e200, 1e8])
def test_a_pose_at_the_end_of_the_world_frees_nothing(far: float):
    wall = Obstacles(np.array([0.4]), np.array([0.0]), True, True)
    if far > 1e150:
        with np.errstate(over='ignore'):
            assert free_time_s(FORWARD, at(far, far), wall, Circle(0.18), 0.08, 1.0) < INF
    rig = cruising()
    rig.odometry = False
    for _ in range(20):
        rig.step(FORWARD)
        rig.safety.on_odom(OdomSample(rig.world.stamp_s, rig.now_s, at(far), FORWARD))
    assert (rig.mode, rig.fault) == (M.STOPPING, 'ODOM_STALE')
    assert 'no finite number' in rig.output.view.detail


@pytest.mark.parametrize('v_mps', [0.5, 1.5, 3.0])
@pytest.mark.parametrize(
    'outline', [Circle(0.05), Circle(0.18), Polygon(np.array([(0.3, 0.06), (-0.3, 0.06), (-0.3, -0.06), (0.3, -0.06)]))]
)
def test_no_pole_is_stepped_over_at_any_speed(outline: Circle | Polygon, v_mps: float):
    for x_m in np.linspace(0.5, v_mps * 2.0 - 0.4, 60):
        pole = Obstacles(np.array([x_m]), np.array([0.02]), True, True)
        assert free_time_s(Twist2D(v_mps, 0.0), at(), pole, outline, 0.02, 2.0) < 2.0, f'pole at {x_m:.3f} m'


def test_a_fast_robot_of_a_valid_description_stops_before_a_pole():
    limits = ROBOT.limits.model_copy(update={'max_speed_mps': 3.0, 'max_accel_mps2': 3.0, 'max_decel_mps2': 3.0})
    fast = ROBOT.model_copy(update={'limits': limits, 'footprint': Footprint(radius_m=0.1)})
    limiter = Limiter(fast)
    for gap_m in np.linspace(0.3, 3.0, 40):
        scan = scan_of({0: 0.1 + gap_m})
        obstacles = ScanReader(fast, limiter.reach_m).read(scan)
        assert obstacles is not None
        v_mps = limiter.limit(Twist2D(3.0, 0.0), Profile.NORMAL, Scene(obstacles, at())).twist.v_mps
        way_m = v_mps * limits.latency_s + v_mps**2 / (2.0 * limits.max_decel_mps2)
        assert way_m <= gap_m - limits.stop_distance_m + 0.02


def test_a_robot_without_range_sensor_says_so_in_every_state():
    world = house()
    topics = world.robot.topics.model_copy(update={'scan': None})
    world.robot = world.robot.model_copy(update={'topics': topics})
    rig = Rig(world).ready()
    rig.run(0.5, FORWARD)
    assert rig.true_speed() > 0.1
    assert all('NO RANGE SENSOR' in output.view.detail for _, output in rig.history)
