"""Pick and place in closed loop: every object and surface, and every way it can go wrong."""

import math

import pytest
from robot_tool_agent.core.geometry import Point
from robot_tool_agent.core.outcomes import Effect, ErrorCode
from robot_tool_agent.core.skills.base import StepStatus
from skill_rig import at, Rig

KITCHEN = (7.0, 4.7, 1.5708)
PLACE_OF = {'cup_1': 'kitchen', 'bottle_1': 'kitchen', 'book_1': 'shelf'}
SURFACES = ('desk', 'kitchen', 'shelf', 'table')


def strike(fault, when):
    """Return a hook that lets a fault strike in the phase whose detail holds a text."""

    def hook(rig, step):
        if when in step.detail and rig.world.fault_name == 'none':
            rig.world.set_fault(fault)

    return hook


def carry(rig, name, place):
    """Bring an object to a place and return both runs."""
    assert rig.run('navigate_to', {'place': PLACE_OF[name]}).verdict.reached
    picked = rig.run('pick', {'object': name})
    assert rig.run('navigate_to', {'place': place}).verdict.reached
    return picked, rig.run('place', {'place': place})


def distance_m(rig, name, point):
    return rig.world.object_positions()[name].distance_to(point)


@pytest.mark.parametrize('place', SURFACES)
@pytest.mark.parametrize('name', PLACE_OF)
def test_every_object_can_be_brought_to_every_surface(name, place):
    rig = Rig()
    picked, placed = carry(rig, name, place)
    assert (picked.verdict.reached, picked.verdict.effect) == (True, Effect.DONE)
    assert picked.verdict.result['object'] == name
    assert (placed.verdict.reached, placed.verdict.effect) == (True, Effect.DONE)
    truth = rig.world.truth()
    assert (truth.held, truth.picks, truth.places, truth.contacts) == (None, 1, 1, 0)
    assert distance_m(rig, name, rig.robot.places[place].surface.point) <= (0.03 if place != 'kitchen' else 0.3)


def test_a_taken_spot_is_avoided():
    rig = Rig()
    assert carry(rig, 'cup_1', 'table')[1].verdict.reached
    assert carry(rig, 'book_1', 'table')[1].verdict.reached
    cup, book = (rig.world.object_positions()[name] for name in ('cup_1', 'book_1'))
    assert 0.12 <= cup.distance_to(book) <= 0.16


def test_pick_by_the_only_label_and_evidence():
    run = at(*KITCHEN).run('pick', {'object': 'Cup'})
    assert run.verdict.reached
    assert run.verdict.result == {
        'object': 'cup_1',
        'holding': True,
        'object_at': {'x_m': pytest.approx(7.0, abs=0.02), 'y_m': pytest.approx(5.23, abs=0.03)},
    }
    opening, sight = run.verdict.evidence, run.verdict.evidence['checks'][0]
    assert (opening['topic'], opening['measured']) == ('joint_states', {'opening_m': 0.06})
    assert sight['topic'] == 'detected_objects'
    assert sight['measured']['gap_m'] <= 0.02
    assert sight['measured']['moved_m'] == pytest.approx(0.25, abs=0.02)
    assert min(opening['stamp_s'], sight['stamp_s']) > run.since.stamp_s


def test_the_creep_uses_the_approach_profile_and_never_touches():
    rig = at(*KITCHEN)
    run = rig.run('pick', {'object': 'bottle_1'})
    assert run.verdict.reached
    near = [step for step in run.steps if step.motion and step.detail.startswith(('approaching', 'backing'))]
    assert near
    assert all(step.motion.profile.value == 'approach' for step in near)
    assert all(abs(step.motion.twist.v_mps) <= rig.robot.limits.approach_speed_mps for step in near)
    assert rig.world.truth().contacts == 0


def test_a_closed_empty_gripper_opens_on_the_way():
    rig = at(*KITCHEN)
    rig.world.command_gripper(0.0)
    rig.advance(None, 1.5)
    assert rig.view.gripper_opening_m() == 0.0
    assert rig.run('pick', {'object': 'cup_1'}).verdict.reached


def test_a_slip_is_noticed_and_the_object_found_where_it_was():
    rig = at(*KITCHEN, fault='gripper_slips')
    run = rig.run('pick', {'object': 'cup_1'})
    assert run.end.status is StepStatus.FINISHED
    assert (run.verdict.reached, run.verdict.effect) == (False, Effect.NONE)
    assert run.verdict.error is ErrorCode.VERIFICATION_FAILED
    assert 'the gripper is empty and cup_1 is where it was' in run.verdict.message


def test_a_slip_on_the_way_back_leaves_it_moved():
    rig = at(*KITCHEN)

    def drop(rig, step):
        if step.detail.startswith('backing') and rig.world.pose.y_m < 4.95:
            rig.world.hand.drop()

    run = rig.run('pick', {'object': 'cup_1'}, drop)
    rig.world.command_gripper(0.0)
    rig.advance(None, 1.0)
    verdict = rig.judge(run.skill, run.start)[1]
    assert (verdict.reached, verdict.effect) == (False, Effect.PARTIAL)
    assert verdict.evidence['checks'][0]['measured']['moved_m'] == pytest.approx(0.14, abs=0.03)


def test_an_object_lost_after_the_pick_is_no_success():
    rig = at(*KITCHEN)
    run = rig.run('pick', {'object': 'cup_1'})
    rig.world.hand.drop()
    rig.advance(None, 1.5)
    assert not rig.judge(run.skill, run.start)[1].reached


@pytest.mark.parametrize('when', ['moving the gripper', 'backing off'])
def test_a_lying_gripper_is_no_success(when):
    run = at(*KITCHEN).run('pick', {'object': 'cup_1'}, strike('motion_lies', when))
    assert (run.verdict.reached, run.verdict.effect) == (False, Effect.UNKNOWN)
    assert 'it may not be held' in run.verdict.message


def test_a_gripper_that_feels_something_else_is_no_success():
    rig = at(*KITCHEN)
    run = rig.run('pick', {'object': 'cup_1'})
    rig.world.hand.things['cup_1'].position = Point(7.4, 5.48)
    rig.world.hand.held = None
    verdict = rig.judge(run.skill, run.start)[1]
    assert (verdict.reached, verdict.effect) == (False, Effect.UNKNOWN)
    assert 'contradiction: the gripper feels something, cup_1 is seen elsewhere' in verdict.message


def test_an_object_that_is_not_seen_afterwards_leaves_it_open():
    rig = at(*KITCHEN)
    run = rig.run('pick', {'object': 'cup_1'})
    del rig.world.hand.things['cup_1']
    rig.world.hand.held = None
    verdict = rig.judge(run.skill, run.start)[1]
    assert (verdict.reached, verdict.effect) == (False, Effect.UNKNOWN)


@pytest.mark.parametrize('topic', ['joint_states', 'detected_objects', 'odom', 'global_pose'])
def test_every_sensor_must_be_newer_than_standstill(topic):
    rig = at(*KITCHEN)
    run = rig.run('pick', {'object': 'cup_1'})
    rig.silent = {topic}
    assert rig.judge(run.skill, run.start)[1] is None


def test_an_object_that_moves_is_followed():
    rig = at(*KITCHEN)

    def push(rig, step):
        if 'approaching' in step.detail:
            cup = rig.world.hand.things['cup_1']
            cup.position = Point(7.15, 5.48) if rig.world.pose.y_m < 4.9 else cup.position

    run = rig.run('pick', {'object': 'cup_1'}, push)
    assert run.verdict.reached, run.verdict.message
    assert any('planning anew' in step.detail for step in run.steps)


def test_an_object_that_vanishes_fails():
    rig = at(*KITCHEN)

    def take(rig, step):
        if 'approaching' in step.detail:
            rig.world.hand.things.pop('cup_1', None)

    run = rig.run('pick', {'object': 'cup_1'}, take)
    assert (run.end.status, run.end.error) == (StepStatus.FAILED, ErrorCode.EXECUTION_ERROR)
    assert 'no longer seen' in run.end.detail
    assert run.verdict.effect is Effect.UNKNOWN


def test_a_gripper_that_does_not_open_or_close_fails():
    rig = at(*KITCHEN)
    rig.world.hand.command = lambda opening_m, duration_s: None
    run = rig.run('pick', {'object': 'cup_1'})
    assert run.end.detail == 'the gripper does not move'
    assert run.verdict.effect is Effect.NONE


def test_pick_refusals():
    assert at(*KITCHEN).run('pick', {'object': 'book_1'}).refusal.error is ErrorCode.UNKNOWN_ENTITY
    refusal = at(*KITCHEN).run('pick', {'object': 'mug'}).refusal
    assert refusal.details['valid_values'] == ['bottle', 'bottle_1', 'cup', 'cup_1']
    far = at(7.0, 3.6, 1.5708).run('pick', {'object': 'cup_1'}).refusal
    assert far.error is ErrorCode.PRECONDITION_FAILED
    assert 'cup_1 is 1.88 m away' in far.message
    rig = at(*KITCHEN)
    rig.world.hand.things['bottle_1'].label = 'cup'
    rig.advance(None, 0.2)
    two = rig.run('pick', {'object': 'cup'}).refusal
    assert two.error is ErrorCode.INVALID_ARGUMENT
    assert two.details['valid_values'] == ['bottle_1', 'cup_1']


def test_pick_with_something_held_is_refused():
    rig = at(*KITCHEN)
    assert rig.run('pick', {'object': 'cup_1'}).verdict.reached
    refusal = rig.run('pick', {'object': 'bottle_1'}).refusal
    assert refusal.error is ErrorCode.PRECONDITION_FAILED
    assert 'place it first' in refusal.message


def test_place_refusals():
    rig = at(*KITCHEN)
    assert 'holds nothing' in rig.run('place', {'place': 'kitchen'}).refusal.message
    assert rig.run('place', {'place': 'study'}).refusal.error is ErrorCode.UNKNOWN_ENTITY
    assert rig.run('pick', {'object': 'cup_1'}).verdict.reached
    far = rig.run('place', {'place': 'table'}).refusal
    assert far.error is ErrorCode.PRECONDITION_FAILED
    assert 'navigate to the place first' in far.message


def test_place_that_does_not_let_go_changes_nothing():
    rig = at(*KITCHEN)
    assert rig.run('pick', {'object': 'cup_1'}).verdict.reached
    rig.world.hand.command = lambda opening_m, duration_s: None
    run = rig.run('place', {'place': 'kitchen'})
    assert run.end.detail == 'the gripper does not move'
    assert (run.verdict.reached, run.verdict.effect) == (False, Effect.NONE)
    assert rig.world.truth().held == 'cup_1'


def test_place_that_loses_the_object_on_the_way_says_where_it_is():
    rig = at(*KITCHEN)
    assert rig.run('pick', {'object': 'cup_1'}).verdict.reached

    def drop(rig, step):
        if 'approaching' in step.detail and rig.world.hand.held:
            rig.world.hand.drop()

    run = rig.run('place', {'place': 'kitchen'}, drop)
    assert (run.verdict.reached, run.verdict.effect) == (False, Effect.PARTIAL)
    assert run.verdict.result['off_m'] > 0.2


def test_a_lie_while_opening_is_no_success():
    rig = at(*KITCHEN)
    assert rig.run('pick', {'object': 'cup_1'}).verdict.reached
    run = rig.run('place', {'place': 'kitchen'}, strike('motion_lies', 'moving the gripper'))
    assert rig.world.truth().held == 'cup_1'
    assert (run.verdict.reached, run.verdict.effect) == (False, Effect.UNKNOWN)


def test_stuck_wheels_while_approaching_fail_with_no_effect():
    run = at(*KITCHEN).run('pick', {'object': 'cup_1'}, strike('wheels_stuck', 'approaching'))
    assert (run.end.status, run.end.error) == (StepStatus.FAILED, ErrorCode.EXECUTION_ERROR)
    assert run.verdict.effect is Effect.NONE


@pytest.mark.parametrize('yaw_rad', [0.6, 1.57, 2.5])
@pytest.mark.parametrize(('x_m', 'y_m'), [(7.0, 4.2), (6.6, 4.9), (7.6, 4.6)])
def test_pick_from_other_spots(x_m, y_m, yaw_rad):
    rig = at(x_m, y_m, math.atan2(5.48 - y_m, 7.0 - x_m) + (yaw_rad - 1.57))
    run = rig.run('pick', {'object': 'cup_1'})
    assert run.verdict.reached, run.verdict.message
    assert rig.world.truth().contacts == 0
