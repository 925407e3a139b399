"""Which commands are heard."""

from __future__ import annotations

import math
from typing import Any

import pytest
from robot_tool_agent.core.geometry import Twist2D, ZERO_TWIST
from robot_tool_agent.core.motion import JointTarget, MotionRequest, Profile
from robot_tool_agent.core.robot import Arm, JointRange
from robot_tool_agent.core.safety.epochs import Epoch
from robot_tool_agent.core.safety.gate import CLOSED_CALLS_KEPT, Gate, Offer
from robot_tool_agent.core.safety_state import SafetyMode as M
from safety_rig import robot_description

ROBOT = robot_description()
EPOCH = 7
FORWARD = Twist2D(0.3, 0.1)
GRIP = JointTarget(('gripper_joint',), (0.0,), 1.0)


def request(call_id: str = 'a', twist: Twist2D | None = FORWARD, epoch: int = EPOCH, **other: Any) -> MotionRequest:
    return MotionRequest(epoch, call_id, twist=twist, **other)


@pytest.fixture
def gate() -> Gate:
    gate = Gate(ROBOT, 0.2)
    gate.open(EPOCH)
    return gate


def test_a_command_of_this_epoch_stands_until_it_is_too_old(gate: Gate):
    assert gate.offer(request(profile=Profile.APPROACH), 1.0) is Offer.ACCEPTED
    assert gate.base(1.2).twist == FORWARD
    assert gate.base(1.2).profile is Profile.APPROACH
    assert gate.base(1.21).twist == ZERO_TWIST


@pytest.mark.parametrize('epoch', [0, EPOCH - 1, EPOCH + 1])
def test_any_other_epoch_is_dropped_and_counted(gate: Gate, epoch: int):
    assert gate.offer(request(epoch=epoch), 1.0) is Offer.EPOCH
    assert gate.base(1.0).twist == ZERO_TWIST
    assert gate.counters['epoch'] == 1


def test_a_closed_gate_hears_nothing_and_forgets(gate: Gate):
    gate.offer(request(joints=GRIP), 1.0)
    gate.close()
    assert gate.offer(request(), 1.0) is Offer.CLOSED_GATE
    gate.open(EPOCH + 1)
    assert gate.base(1.0).twist == ZERO_TWIST
    assert gate.take_joints() is None
    assert gate.offer(request('b', epoch=EPOCH + 1), 1.0) is Offer.ACCEPTED


def test_one_call_owns_the_base_until_it_falls_silent(gate: Gate):
    gate.offer(request('a'), 1.0)
    assert gate.offer(request('b', Twist2D(0.1, 0.0)), 1.1) is Offer.LEASE
    assert gate.base(1.1).twist == FORWARD
    assert gate.offer(request('b', Twist2D(0.1, 0.0)), 1.3) is Offer.ACCEPTED
    assert gate.base(1.3).twist == Twist2D(0.1, 0.0)


def test_last_closes_the_call_and_frees_the_base(gate: Gate):
    gate.offer(request('a', ZERO_TWIST, last=True), 1.0)
    assert gate.offer(request('a'), 1.01) is Offer.CLOSED_CALL
    assert gate.offer(request('b'), 1.01) is Offer.ACCEPTED


def test_last_closes_a_call_that_does_not_own_the_base(gate: Gate):
    gate.offer(request('a'), 1.0)
    gate.offer(request('b', ZERO_TWIST, last=True), 1.0)
    assert gate.base(1.0).twist == FORWARD
    assert gate.offer(request('b'), 2.0) is Offer.CLOSED_CALL


def test_base_and_joints_are_gated_apart(gate: Gate):
    gate.offer(request('drive'), 1.0)
    assert gate.offer(request('grip', None, joints=GRIP), 1.05) is Offer.ACCEPTED
    assert gate.base(1.1).twist == FORWARD
    assert gate.take_joints() == GRIP
    assert gate.take_joints() is None


def test_a_joint_motion_is_owned_for_as_long_as_it_takes(gate: Gate):
    gate.offer(request('grip', None, joints=GRIP), 1.0)
    assert gate.offer(request('other', None, joints=GRIP), 1.9) is Offer.LEASE
    assert gate.offer(request('other', None, joints=GRIP), 2.1) is Offer.ACCEPTED


@pytest.mark.parametrize(
    'bad',
    [
        request(twist=Twist2D(math.nan, 0.0)),
        request(''),
        request('c' * 129),
        request(twist=Twist2D(0.0, math.inf)),
        request(twist=None, joints=JointTarget(('gripper_joint',), (math.nan,), 1.0)),
        request(twist=None, joints=JointTarget(('gripper_joint',), (0.0, 0.1), 1.0)),
        request(twist=None, joints=JointTarget((), (), 1.0)),
        request(twist=None, joints=JointTarget(('elbow',), (0.0,), 1.0)),
        request(twist=None, joints=JointTarget(('gripper_joint',), (0.0,), -1.0)),
        request(twist=FORWARD, joints=JointTarget(('gripper_joint',), (-math.inf,), 1.0)),
    ],
)
def test_what_is_no_motion_never_passes(gate: Gate, bad: MotionRequest):
    assert gate.offer(bad, 1.0) is Offer.INVALID
    assert gate.base(1.0).twist == ZERO_TWIST
    assert gate.take_joints() is None


def test_memory_of_closed_calls_is_bounded(gate: Gate):
    for number in range(CLOSED_CALLS_KEPT + 50):
        gate.offer(request(f'call-{number}', ZERO_TWIST, last=True), 1.0)
    assert gate.offer(request(f'call-{CLOSED_CALLS_KEPT + 49}'), 1.0) is Offer.CLOSED_CALL
    assert len(gate.counters) <= len(Offer)


def test_the_epoch_rises_on_entering_and_on_leaving_ready_only():
    epoch = Epoch(1000)
    seen = []
    for old, new in [(M.STARTING, M.READY), (M.READY, M.STOPPING), (M.STOPPING, M.HOLDING), (M.HOLDING, M.STARTING)]:
        epoch.on_change(old, new)
        seen.append(epoch.value)
    assert seen == [1001, 1002, 1002, 1002]


def test_an_epoch_far_from_this_boots_is_of_another_one_also_after_the_wall_clock_was_set_back():
    boot_id = 1_796_000_000_000_000_000
    epoch = Epoch(boot_id)
    assert all(epoch.is_of_another_boot(value) for value in (1, boot_id - 1, boot_id + 10**9))
    assert not any(epoch.is_of_another_boot(value) for value in (0, boot_id, boot_id + 1, boot_id + 1000))


def test_what_waited_behind_a_stall_is_dropped_and_still_closes_its_call(gate: Gate):
    assert gate.offer(request(), 1.0, waited=True) is Offer.WAITED
    assert gate.base(1.0).twist == ZERO_TWIST
    gate.offer(request('b', ZERO_TWIST, last=True), 1.0, waited=True)
    assert gate.offer(request('b'), 1.3) is Offer.CLOSED_CALL


def test_mismatches_are_remembered_for_a_moment(gate: Gate):
    gate.offer(request(epoch=EPOCH + 1), 1.0)
    assert [gate.mismatches(now_s) for now_s in (1.0, 1.29, 1.31)] == [True, True, False]


ARM = Arm(joints={'elbow': JointRange(min_rad=-1.0, max_rad=2.0, max_speed_radps=0.5)})


@pytest.mark.parametrize(
    ('names', 'positions', 'answer'),
    [
        (('elbow',), (2.0,), Offer.ACCEPTED),
        (('elbow',), (2.01,), Offer.JOINT_LIMIT),
        (('elbow',), (-1.01,), Offer.JOINT_LIMIT),
        (('gripper_joint',), (0.11,), Offer.JOINT_LIMIT),
        (('elbow', 'gripper_joint'), (1.0, -0.01), Offer.JOINT_LIMIT),
        (('wrist',), (0.0,), Offer.INVALID),
    ],
)
def test_a_joint_target_past_its_limits_never_passes(
    names: tuple[str, ...], positions: tuple[float, ...], answer: Offer
):
    gate = Gate(ROBOT.model_copy(update={'arm': ARM}), 0.2)
    gate.open(EPOCH)
    assert gate.offer(request(twist=None, joints=JointTarget(names, positions, 1.0)), 1.0) is answer
    assert (gate.take_joints() is not None) is (answer is Offer.ACCEPTED)
