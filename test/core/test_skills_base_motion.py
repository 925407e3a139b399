"""Driving skills in closed loop: what they do, what the sensors must show, and what is no success."""

import itertools
import math

import pytest
from robot_tool_agent.core.geometry import Pose2D
from robot_tool_agent.core.outcomes import Effect, ErrorCode
from robot_tool_agent.core.robot import KnownMap
from robot_tool_agent.core.skills.base import StepStatus
from sim_house import house, robot_description
from skill_rig import at, Rig

FREE = (2.0, 1.9, 0.0)


def fault_while_moving(name, after_m=0.3):
    """Return a hook that lets a fault strike once the base came some way."""

    def hook(rig, step):
        if rig.world.truth().travelled_m > after_m and rig.world.fault_name == 'none':
            rig.world.set_fault(name)

    return hook


def shift(rig, pose):
    """Carry the robot to another pose, unseen by its wheels."""
    rig.world.pose = pose


@pytest.mark.parametrize('distance_m', [0.02, 0.1, 0.5, 2.0, -0.1, -1.0])
def test_move_relative_moves_by_the_distance(distance_m):
    rig = at(*FREE)
    run = rig.run('move_relative', {'distance_m': distance_m})
    assert run.verdict.reached, run.verdict.message
    assert run.verdict.effect is Effect.DONE
    assert rig.world.pose.x_m - 2.0 == pytest.approx(distance_m, abs=0.01)
    assert run.verdict.result['moved_m'] == pytest.approx(distance_m, abs=0.01)
    assert rig.world.truth().turned_rad < 0.02


@pytest.mark.parametrize('angle_rad', [0.1, 1.5708, -1.5708, 3.1416, -3.1416, 4.5, 6.2832, -6.2832])
def test_rotate_relative_turns_by_the_angle(angle_rad):
    rig = at(*FREE)
    run = rig.run('rotate_relative', {'angle_rad': angle_rad})
    assert run.verdict.reached, run.verdict.message
    assert rig.world.truth().turned_rad == pytest.approx(abs(angle_rad), abs=0.03)
    assert run.verdict.result['turned_rad'] == pytest.approx(angle_rad, abs=0.03)
    assert rig.world.truth().travelled_m == 0.0


@pytest.mark.parametrize('name', ['kitchen', 'THE KITCHEN', ' counter ', '厨房'])
def test_navigate_to_a_place_by_any_of_its_names(name):
    rig = Rig()
    run = rig.run('navigate_to', {'place': name})
    assert run.verdict.reached
    assert rig.world.pose.distance_to(Pose2D(7.0, 4.7, 0.0)) < 0.04
    assert rig.world.pose.yaw_rad == pytest.approx(1.5708, abs=0.05)
    assert rig.world.truth().contacts == 0
    progress = [step.progress for step in run.steps]
    assert progress[0] < 0.1
    assert progress[-1] == 1.0
    assert all(earlier <= later + 0.02 for earlier, later in itertools.pairwise(progress))


def test_evidence_holds_the_numbers_of_both_sensors():
    run = Rig().run('navigate_to', {'place': 'living_room'})
    proof = run.verdict.evidence
    assert proof['topic'] == 'global_pose'
    assert proof['measured']['position_error_m'] <= proof['tolerance']['position_m'] == 0.08
    assert proof['wanted'] == {'x_m': 2.0, 'y_m': 1.9, 'yaw_rad': 0.0}
    assert proof['stamp_s'] > run.since.stamp_s
    assert [check['topic'] for check in proof['checks']] == ['odom', 'global_pose']


def test_already_there_succeeds_without_motion_but_only_on_new_samples():
    rig = at(*FREE)
    run = rig.run('navigate_to', {'place': 'living_room'})
    assert run.verdict.reached
    assert rig.world.truth().travelled_m == 0.0
    rig.silent = {'global_pose'}
    assert rig.judge(run.skill, run.start)[1] is None
    rig.silent = {'odom'}
    assert rig.judge(run.skill, run.start)[1] is None


def test_go_to_safe_pose_takes_the_shortest_way():
    rig = at(3.5, 4.0)
    run = rig.run('go_to_safe_pose', {})
    assert run.verdict.reached
    assert run.verdict.result['safe_pose'] == 'bedroom_corner'
    assert rig.world.pose.distance_to(Pose2D(3.8, 4.5, 0.0)) < 0.05
    assert rig.run('go_to_safe_pose', {}).took_s < 0.5


def test_the_nearest_safe_pose_is_not_the_one_behind_the_wall():
    run = at(4.0, 2.4).run('go_to_safe_pose', {})  # study_corner is 1.5 m away in a straight line, through a wall
    assert run.verdict.result['safe_pose'] in ('study_corner', 'dock')
    assert run.verdict.reached


@pytest.mark.parametrize(
    ('name', 'arguments', 'left', 'value'),
    [
        ('navigate_to', {'place': 'table'}, 'left_m', None),
        ('move_relative', {'distance_m': 2.0}, 'left_m', 1.7),
        ('rotate_relative', {'angle_rad': 3.0}, 'left_rad', None),
    ],
)
def test_stuck_wheels_fail_after_three_seconds_and_say_what_is_left(name, arguments, left, value):
    rig = at(2.0, 1.9, 0.0)

    def hook(rig, step):
        truth = rig.world.truth()
        if truth.travelled_m > 0.3 or truth.turned_rad > 0.7:
            rig.world.set_fault('wheels_stuck')

    run = rig.run(name, arguments, hook)
    assert (run.end.status, run.end.error) == (StepStatus.FAILED, ErrorCode.EXECUTION_ERROR)
    assert 'no motion for 3 s' in run.end.detail
    assert not run.verdict.reached
    assert run.verdict.effect is Effect.PARTIAL
    assert run.verdict.result[left] > 0.5
    if value is not None:
        assert run.verdict.result[left] == pytest.approx(value, abs=0.05)


@pytest.mark.parametrize(
    ('name', 'arguments'),
    [
        ('navigate_to', {'place': 'table'}),
        ('move_relative', {'distance_m': 1.0}),
        ('rotate_relative', {'angle_rad': 1.0}),
        ('go_to_safe_pose', {}),
    ],
)
def test_a_robot_that_never_moved_has_no_effect(name, arguments):
    run = at(*FREE, fault='wheels_stuck').run(name, arguments)
    assert (run.verdict.reached, run.verdict.effect) == (False, Effect.NONE)


LYING = [
    ('move_relative', {'distance_m': 1.0}),
    ('move_relative', {'distance_m': 0.1}),
    ('move_relative', {'distance_m': -0.5}),
    ('rotate_relative', {'angle_rad': 1.5708}),
    ('rotate_relative', {'angle_rad': 0.2}),
    ('rotate_relative', {'angle_rad': 6.2832}),
    ('navigate_to', {'place': 'table'}),
    ('go_to_safe_pose', {}),
]


@pytest.mark.parametrize(('name', 'arguments'), LYING)
def test_odometry_that_claims_motion_is_not_believed(name, arguments):
    run = at(*FREE, fault='motion_lies').run(name, arguments)
    assert (run.verdict.reached, run.verdict.effect) == (False, Effect.UNKNOWN)


def test_a_lie_half_way_is_not_believed():
    run = at(*FREE).run('move_relative', {'distance_m': 2.0}, fault_while_moving('motion_lies'))
    assert (run.verdict.reached, run.verdict.effect) == (False, Effect.UNKNOWN)
    assert 'contradict' in run.verdict.message or 'disagree' in run.verdict.message


def test_a_robot_that_was_carried_to_its_goal_did_not_drive_there():
    rig = at(*FREE)
    run = rig.run('navigate_to', {'place': 'study'})
    shift(rig, rig.robot.places['table'].pose)
    rig.advance(None, 0.5)
    skill = rig.registry.create('navigate_to', '{"place": "table"}')
    verdict = rig.judge(skill, run.start)[1]
    assert (verdict.reached, verdict.effect) == (False, Effect.UNKNOWN)


def test_a_push_after_the_motion_is_seen():
    rig = at(*FREE)
    run = rig.run('move_relative', {'distance_m': 0.5})
    shift(rig, Pose2D(2.5, 1.75, 0.0))
    rig.advance(None, 0.5)
    assert not rig.judge(run.skill, run.start)[1].reached


def test_another_process_can_judge_by_the_stored_facts():
    rig = at(*FREE)
    for name, arguments in [('move_relative', '{"distance_m": 0.5}'), ('rotate_relative', '{"angle_rad": 1.5}')]:
        run = rig.run(name, rig.registry.create(name, arguments).arguments.model_dump())
        assert rig.judge(rig.registry.create(name, arguments), run.start)[1].reached
    full = rig.run('rotate_relative', {'angle_rad': 6.2})
    verdict = rig.judge(rig.registry.create('rotate_relative', '{"angle_rad": 6.2}'), full.start)[1]
    assert (verdict.reached, verdict.effect) == (False, Effect.UNKNOWN)
    assert 'nobody counted' in verdict.message


def without_localization():
    """Return a rig whose robot has odometry only and knows no walls; its map is the odom frame."""
    known = robot_description()
    topics = known.topics.model_copy(update={'global_pose': None})
    return Rig(house(2.0, 1.9), known.model_copy(update={'topics': topics, 'map': KnownMap(), 'geofence': None}))


@pytest.mark.parametrize(
    ('name', 'arguments'),
    [
        ('navigate_to', {'x_m': 0.8, 'y_m': -0.5, 'yaw_rad': 1.0}),
        ('move_relative', {'distance_m': 0.7}),
        ('rotate_relative', {'angle_rad': -2.0}),
    ],
)
def test_a_robot_without_localization_is_judged_by_odometry(name, arguments):
    run = without_localization().run(name, arguments)
    assert run.verdict.reached, run.verdict.message
    assert run.verdict.evidence['topic'] == 'odom'
    assert 'global' not in run.start


def test_without_start_facts_nothing_is_claimed():
    rig = at(*FREE)
    for name, arguments in [('navigate_to', '{"place": "living_room"}'), ('move_relative', '{"distance_m": 1.0}')]:
        verdict = rig.judge(rig.registry.create(name, arguments), {})[1]
        assert (verdict.reached, verdict.effect) == (False, Effect.UNKNOWN)


REFUSED = [
    ('navigate_to', {'place': 'kitchn'}, ErrorCode.UNKNOWN_ENTITY, 'did you mean kitchen?'),
    ('navigate_to', {'place': 'garden'}, ErrorCode.UNKNOWN_ENTITY, 'bedroom, desk, kitchen'),
    ('navigate_to', {'x_m': 7.0, 'y_m': 5.5, 'yaw_rad': 0.0}, ErrorCode.INVALID_ARGUMENT, 'from a wall'),
    ('navigate_to', {'x_m': 99.0, 'y_m': 1.0, 'yaw_rad': 0.0}, ErrorCode.INVALID_ARGUMENT, 'outside the area'),
    ('move_relative', {'distance_m': 5.0}, ErrorCode.PRECONDITION_FAILED, 'only 2.2'),
    ('move_relative', {'distance_m': -3.0}, ErrorCode.PRECONDITION_FAILED, 'behind'),
]


@pytest.mark.parametrize(('name', 'arguments', 'error', 'part'), REFUSED)
def test_refusals_say_what_would_help(name, arguments, error, part):
    run = at(2.0, 2.4, 0.0).run(name, arguments)
    assert run.refusal.error is error
    assert part in run.refusal.message
    assert run.steps == []


def test_a_robot_that_is_not_localized_does_not_start():
    rig = Rig()
    rig.silent = {'global_pose'}
    rig.advance(None, 1.0)
    for name, arguments in [('navigate_to', {'place': 'table'}), ('rotate_relative', {'angle_rad': 1.0})]:
        refusal = rig.run(name, arguments).refusal
        assert refusal.error is ErrorCode.STALE_SENSOR
        assert 'global_pose is' in refusal.message


def test_backing_away_from_a_near_wall_is_allowed_and_going_on_is_not():
    rig = at(7.0, 5.18, math.pi / 2)
    assert rig.run('move_relative', {'distance_m': 0.1}).refusal.error is ErrorCode.PRECONDITION_FAILED
    assert rig.run('move_relative', {'distance_m': -0.3}).verdict.reached


def test_something_near_is_named_when_nothing_moves():
    run = at(7.0, 5.1, math.pi / 2, fault='wheels_stuck').run('move_relative', {'distance_m': -0.5})
    assert 'something is 0.12 m from the robot and blocks the way' in run.end.detail
