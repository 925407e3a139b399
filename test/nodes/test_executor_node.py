"""The executor node as a real process beside the simulator; safety is played by the test. Judged by ground truth."""

import json

from executor_process import executor, SafetyStandIn
import pytest
from robot_tool_agent_interfaces.action import ExecuteSkill
from robot_tool_agent_interfaces.srv import ControlCall, DescribeSkills, ResolveCall
from sim_process import simulator

DOMAIN = 5
Result = ExecuteSkill.Result


@pytest.fixture(scope='module')
def running(tmp_path_factory):
    journal = tmp_path_factory.mktemp('journal') / 'journal.sqlite3'
    with simulator(DOMAIN), executor(DOMAIN, journal) as process:
        rig = SafetyStandIn(DOMAIN)
        try:
            rig.until(lambda: rig.call_skill('get_robot_state')[0] == 'succeeded', 30.0)
            yield rig, process
        finally:
            rig.close()


@pytest.fixture
def rig(running):
    rig, _ = running
    rig.ready()
    rig.reset()
    rig.trips.clear()
    rig.until(lambda: at_spawn(rig.call_skill('get_robot_state', call_id='state')[1]))
    return rig


def at_spawn(result):
    """Tell whether the executor has followed the reset, which carries the robot away, in its own view of the world."""
    pose = json.loads(result.result_json).get('pose')
    return pose is not None and pose['x_m'] == pytest.approx(1.0, abs=0.02) and abs(pose['yaw_rad']) < 0.02


def test_the_state_names_pose_and_gripper(rig):
    status, result = rig.call_skill('get_robot_state', call_id='state')
    assert (status, result.outcome, result.effect, result.error_code) == ('succeeded', 1, 0, '')
    state = json.loads(result.result_json)
    assert state['pose']['x_m'] == pytest.approx(1.0, abs=0.02)
    assert state['gripper']['state'] == 'open'


def test_a_motion_is_what_ground_truth_says_and_happens_once(rig):
    status, result = rig.call_skill('move_relative', '{"distance_m": 0.4}', 'move-once')
    assert (status, result.outcome, result.effect) == ('succeeded', Result.SUCCEEDED, Result.EFFECT_DONE)
    travelled_m = rig.truth()['travelled_m']
    assert travelled_m == pytest.approx(0.4, abs=0.08)
    status, again = rig.call_skill('move_relative', '{"distance_m": 0.4}', 'move-once')
    assert (status, again.replayed, again.outcome) == ('succeeded', True, Result.SUCCEEDED)
    assert rig.truth()['travelled_m'] == pytest.approx(travelled_m, abs=0.001)


def test_two_goals_with_one_id_at_once_move_once(rig):
    first = rig.goal('move_relative', '{"distance_m": 0.4}', 'twice')
    second = rig.goal('move_relative', '{"distance_m": 0.4}', 'twice')
    status, result = rig.end(second)
    assert (status, result.error_code, result.effect) == ('aborted', 'IN_PROGRESS', 0)
    assert rig.end(first)[0] == 'succeeded'
    assert rig.truth()['travelled_m'] == pytest.approx(0.4, abs=0.08)


def test_cancel_is_answered_at_once_and_ends_at_standstill(rig):
    handle = rig.set_off('cancelled')
    answered_s = rig.cancel(handle)
    status, result = rig.end(handle)
    assert (status, result.outcome, result.effect) == ('canceled', Result.CANCELED, Result.EFFECT_PARTIAL)
    assert rig.true_speed_mps() < 0.01
    assert 0.02 < rig.truth()['travelled_m'] < 0.5
    assert answered_s < 3.0
    assert rig.trips == []
    status, again = rig.call_skill('move_relative', '{"distance_m": 2.0}', 'cancelled')
    assert (status, again.replayed, again.outcome) == ('aborted', True, Result.CANCELED)


def test_cancelling_a_second_goal_with_the_same_id_leaves_the_first_alone(rig):
    first = rig.goal('move_relative', '{"distance_m": 0.5}', 'shared')
    second = rig.goal('move_relative', '{"distance_m": 0.5}', 'shared')
    rig.cancel(second)
    assert rig.end(first)[0] == 'succeeded'


def test_a_safety_stop_ends_the_call_as_stopped_with_its_measured_effect(rig):
    handle = rig.set_off('stopped')
    rig.stop()
    status, result = rig.end(handle)
    assert (status, result.outcome, result.effect) == ('aborted', Result.STOPPED, Result.EFFECT_PARTIAL)
    assert result.error_code == 'STOPPED_BY_SAFETY'
    assert rig.trips == []
    status, locked = rig.call_skill('move_relative', '{"distance_m": 0.4}', 'locked')
    assert (status, locked.outcome, locked.error_code) == ('aborted', Result.REJECTED, 'SAFETY_LOCKED')
    assert locked.advice == 'WAIT'


def test_a_silent_safety_node_ends_the_motion(rig):
    handle = rig.set_off('silent')
    rig.speaks = False
    status, result = rig.end(handle)
    assert (status, result.outcome) == ('aborted', Result.STOPPED)
    rig.until(lambda: rig.true_speed_mps() < 0.01)


def test_wheels_that_do_not_turn_fail_with_no_effect_and_tell_safety(rig):
    rig.set_fault('wheels_stuck')
    status, result = rig.call_skill('move_relative', '{"distance_m": 0.5}', 'stuck')
    ended = (status, result.outcome, result.effect)
    assert ended == ('aborted', Result.FAILED, Result.EFFECT_NONE), result
    assert [trip.fault for trip in rig.trips] == ['SKILL_FAILED']
    assert rig.trips[0].call_id == 'stuck'
    assert rig.truth()['travelled_m'] < 0.01


def test_lying_odometry_is_never_a_success(rig):
    rig.set_fault('motion_lies')
    status, result = rig.call_skill('move_relative', '{"distance_m": 0.5}', 'lies')
    assert status == 'aborted'
    assert result.outcome != Result.SUCCEEDED
    assert rig.truth()['travelled_m'] < 0.01
    if result.effect == Result.EFFECT_UNKNOWN:
        request = ResolveCall.Request(call_id='lies', effect=0, operator_name='ann', reason='it stands where it stood')
        assert rig.call(ResolveCall, 'resolve_call', request).success


BAD = [
    ('fly', '{}', 'UNKNOWN_SKILL'),
    ('move_relative', '{', 'INVALID_JSON'),
    ('move_relative', '{"distance_m": NaN}', 'INVALID_JSON'),
    ('move_relative', '{"distance_m": 1e999}', 'INVALID_JSON'),
    ('move_relative', '{"distance_m": "1"}', 'INVALID_ARGUMENT'),
    ('move_relative', '{"distance_m": 50}', 'INVALID_ARGUMENT'),
    ('navigate_to', '{"place": "cellar"}', 'UNKNOWN_ENTITY'),
    ('navigate_to', '{"x_m": 90.0, "y_m": 1.0, "yaw_rad": 0.0}', 'INVALID_ARGUMENT'),
    ('pick', '{"object": "unicorn"}', 'UNKNOWN_ENTITY'),
    ('move_relative', '{"distance_m": ' + '[' * 100_000 + '}', 'INVALID_JSON'),
]


@pytest.mark.parametrize(
    ('skill', 'arguments', 'code'), BAD, ids=[f'{row[2]}-{index}' for index, row in enumerate(BAD)]
)
def test_nonsense_is_refused_and_moves_nothing(rig, skill, arguments, code):
    status, result = rig.call_skill(skill, arguments, f'nonsense-{BAD.index((skill, arguments, code))}')
    assert (status, result.outcome, result.effect, result.error_code) == ('aborted', Result.REJECTED, 0, code)
    assert rig.truth()['travelled_m'] == 0.0


@pytest.mark.parametrize('call_id', ['', 'a b', 'x' * 129, 'ü'])
def test_a_bad_call_id_is_refused(rig, call_id):
    status, result = rig.call_skill('move_relative', '{"distance_m": 0.4}', call_id)
    assert (status, result.error_code, result.effect) == ('aborted', 'INVALID_ARGUMENT', 0)


def test_skills_are_described_with_a_hash(rig):
    answer = rig.call(DescribeSkills, 'describe_skills', DescribeSkills.Request())
    names = {skill['name'] for skill in json.loads(answer.skills_json)}
    assert names >= {'navigate_to', 'move_relative', 'rotate_relative', 'pick', 'place', 'look', 'go_to_safe_pose'}
    assert len(answer.schema_hash) == 64


def test_the_heartbeat_rises(rig):
    rig.beats.clear()
    rig.until(lambda: len([beat for beat in rig.beats if beat.node == 'executor']) >= 3)
    sequences = [beat.sequence for beat in rig.beats if beat.node == 'executor']
    assert sequences == sorted(set(sequences))


def test_pause_holds_the_robot_and_resume_lets_it_go_on(rig):
    handle = rig.set_off('paused', '{"distance_m": 0.8}')
    assert rig.call(ControlCall, 'control_call', ControlCall.Request(call_id='paused', command='pause')).success
    rig.until(lambda: rig.true_speed_mps() < 0.01)
    stood_m = rig.truth()['travelled_m']
    rig.listen(1.0)
    assert rig.truth()['travelled_m'] == pytest.approx(stood_m, abs=0.001)
    assert rig.call(ControlCall, 'control_call', ControlCall.Request(call_id='paused', command='resume')).success
    assert rig.end(handle)[0] == 'succeeded'
    assert rig.truth()['travelled_m'] == pytest.approx(0.8, abs=0.09)
    assert not rig.call(ControlCall, 'control_call', ControlCall.Request(call_id='paused', command='pause')).success


def test_an_unreadable_safety_state_ends_the_motion_and_not_the_node(rig):
    handle = rig.set_off('unreadable')
    rig.state = 77
    rig.speak()
    status, result = rig.end(handle)
    assert (status, result.outcome) == ('aborted', Result.STOPPED)
    rig.ready()
    assert rig.call_skill('get_robot_state', call_id='state')[0] == 'succeeded'
