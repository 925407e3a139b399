"""The supervisor round a simulated robot: start, gate, requests, resets, epochs."""

from __future__ import annotations

import math

import pytest
from robot_tool_agent.core.geometry import Twist2D, ZERO_TWIST
from robot_tool_agent.core.motion import JointTarget
from robot_tool_agent.core.safety.gate import Offer
from robot_tool_agent.core.safety.supervisor import SafetySupervisor
from robot_tool_agent.core.safety_state import SafetyMode as M
from safety_rig import BOOT_ID, cruising, FORWARD, house, modes_of, Rig


def test_ready_needs_every_input_and_the_executor():
    for missing, text in [('odometry', 'odom'), ('scans', 'scan'), ('bumper', 'bumper'), ('beats', 'heartbeat')]:
        rig = Rig()
        setattr(rig, missing, False)
        rig.run(1.0, FORWARD)
        assert rig.mode is M.STARTING
        assert text in rig.output.view.detail
        assert rig.output.view.fault == ''
        assert rig.true_speed() == 0.0
        setattr(rig, missing, True)
        rig.until(M.READY, limit_s=1.5)


def test_the_gate_speaks_in_every_tick_and_passes_a_command():
    rig = cruising()
    assert len(rig.history) == rig.ticks
    assert rig.output.twist == FORWARD
    assert rig.output.view.motion_allowed
    assert rig.output.view.epoch == BOOT_ID + 1


def test_without_a_fresh_command_the_robot_is_braked_to_zero():
    rig = cruising()
    rig.run(0.2)
    assert rig.output.twist.v_mps == pytest.approx(0.4, abs=0.04)
    rig.run(0.32)
    assert rig.output.twist == ZERO_TWIST
    assert rig.mode is M.READY


def test_commands_of_an_ended_epoch_stay_dead_after_the_reset():
    rig = cruising()
    old = rig.safety.epoch
    rig.trip('OPERATOR_STOP')
    rig.run(1.0)
    assert rig.safety.reset('Ada', rig.now_s).success
    rig.until(M.READY, limit_s=1.5)
    start = rig.world.pose
    for _ in range(50):
        rig.command(FORWARD, epoch=old)
        rig.step()
    assert rig.world.pose == start
    assert rig.safety.counters['epoch'] == 50
    rig.run(0.5, FORWARD)
    assert rig.true_speed() > 0.1
    assert rig.safety.epoch == old + 2


def test_a_trip_of_an_ended_epoch_has_no_effect():
    rig = cruising()
    answer = rig.trip('SKILL_FAILED', rig.safety.epoch - 1)
    assert not answer.success
    assert str(rig.safety.epoch) in answer.message
    assert rig.mode is M.READY
    assert rig.trip('SKILL_FAILED', rig.safety.epoch).success
    assert rig.mode is M.STOPPING


def test_a_stop_by_a_person_works_with_any_epoch():
    rig = cruising()
    assert rig.trip('OPERATOR_STOP', rig.safety.epoch - 1).success
    assert rig.mode is M.ESTOPPED
    assert rig.tick().twist == ZERO_TWIST


@pytest.mark.parametrize('order', ['commands first', 'tick first'])
def test_commands_that_waited_behind_a_suspended_process_move_nothing(order: str):
    rig = Rig().ready()
    rig.world.step(5.0)
    start = rig.world.pose
    if order == 'tick first':
        rig.tick()
    rig._sense()
    rig._sense_slowly()
    rig.safety.on_heartbeat('executor', rig.executor_boot_id, rig.sequence + 1, rig.now_s)
    for _ in range(10):
        rig.command(FORWARD)
    for _ in range(5):
        rig.step()
    assert rig.safety.counters['waited'] == 10
    assert rig.world.pose == start
    rig.run(0.5)
    for _ in range(60):
        rig.command(FORWARD)
        rig.step()
    assert rig.mode is M.READY
    assert rig.true_speed() > 0.1, 'fresh commands are obeyed again'


def test_a_command_from_before_a_suspension_is_not_taken_up_again():
    rig = cruising()
    rig.world.step(0.25)
    speeds = []
    for _ in range(20):
        rig.step()
        speeds.append(rig.output.twist.v_mps)
    assert speeds == sorted(speeds, reverse=True)
    assert speeds[-1] == 0.0


@pytest.mark.parametrize('step_ns', [10**9, -(10**9), 10**15])
def test_an_epoch_of_another_boot_holds_whichever_way_the_wall_clock_was_set(step_ns: int):
    rig = cruising()
    rig.command(FORWARD, epoch=BOOT_ID + step_ns)
    assert rig.mode is M.STOPPING
    rig.until(M.HOLDING, limit_s=3.0)
    assert rig.fault == 'SAFETY_RESTARTED'


@pytest.mark.parametrize('fault', ['', 'nonsense', 'BUMPER_CONTACT'])
def test_only_listed_faults_may_be_asked_for(fault: str):
    rig = cruising()
    answer = rig.trip(fault)
    assert not answer.success
    assert 'OPERATOR_STOP' in answer.message
    assert rig.mode is M.READY


def test_reset_needs_a_name_moves_nothing_and_repeated_does_nothing():
    rig = cruising()
    rig.trip('OPERATOR_STOP')
    rig.run(1.0)
    assert rig.output.view.resettable
    assert not rig.safety.reset('  ', rig.now_s).success
    assert rig.mode is M.ESTOPPED
    assert rig.safety.reset('Ada', rig.now_s).success
    rig.until(M.READY, limit_s=1.5)
    epoch = rig.safety.epoch
    again = rig.safety.reset('Ada', rig.now_s)
    assert (again.success, again.message) == (True, 'nothing to reset')
    rig.run(0.5)
    assert (rig.mode, rig.safety.epoch, rig.fault) == (M.READY, epoch, '')
    assert rig.true_speed() == 0.0


@pytest.mark.parametrize(
    ('part', 'text'), [('odometry', 'odom'), ('scans', 'scan'), ('beats', 'heartbeat'), ('bumper', 'bumper')]
)
def test_reset_is_refused_while_a_cause_stands_that_can_end_alone(part: str, text: str):
    rig = cruising()
    setattr(rig, part, False)
    rig.until(M.HOLDING, M.SAFE, limit_s=40.0)
    assert not rig.output.view.resettable
    answer = rig.safety.reset('Ada', rig.now_s)
    assert not answer.success
    assert text in answer.message
    setattr(rig, part, True)
    rig.run(0.3)
    assert rig.output.view.resettable
    assert rig.safety.reset('Ada', rig.now_s).success
    rig.until(M.READY, limit_s=1.5)


def test_reset_is_refused_while_the_robot_stops_or_retreats_or_moves():
    rig = cruising()
    rig.trip('SKILL_UNKNOWN')
    assert not rig.safety.reset('Ada', rig.now_s).success
    rig.until(M.RETREATING, limit_s=3.0)
    assert not rig.safety.reset('Ada', rig.now_s).success
    rig = cruising()
    rig.trip('OPERATOR_STOP')
    assert 'moves' in rig.safety.reset('Ada', rig.now_s).message


def test_a_pressed_bumper_permits_a_reset_and_then_only_motion_away():
    rig = Rig(house(0.6, 1.0, math.pi)).ready()
    rig.bumper = False
    rig.run(0.1, Twist2D(0.1, 0.0))
    rig.press(True)
    rig.until(M.HOLDING, limit_s=3.0)
    rig.press(True)
    rig.step()
    rig.press(True)
    assert rig.safety.reset('Ada', rig.now_s).success
    for _ in range(60):
        rig.press(True)
        rig.step(Twist2D(0.2, 0.0))
    assert rig.mode is M.READY
    assert rig.true_speed() == 0.0
    assert rig.output.view.limit_reason == 'CONTACT'
    rig.call_id = 'away'
    for _ in range(20):
        rig.press(True)
        rig.step(Twist2D(-0.2, 0.0))
    assert rig.world.twist.v_mps < -0.1
    rig.press(False)
    rig.step()
    rig.press(True)
    assert rig.mode is M.STOPPING


@pytest.mark.parametrize('boot_id', [BOOT_ID - 10**11, BOOT_ID + 10**15], ids=['in order', 'wall clock set back'])
def test_a_restart_under_a_running_executor_holds(boot_id: int):
    rig = Rig()
    rig.executor_boot_id, rig.sequence = boot_id, 600
    rig.until(M.HOLDING, limit_s=1.0)
    assert rig.fault == 'SAFETY_RESTARTED'
    assert M.READY not in modes_of(rig)
    rig.run(1.0, FORWARD)
    assert rig.mode is M.HOLDING
    assert rig.safety.reset('Ada', rig.now_s).success
    rig.until(M.READY, limit_s=1.5)


@pytest.mark.parametrize('head_start_beats', [0, 10, 40])
def test_a_common_start_never_trips_whichever_comes_first(head_start_beats: int):
    rig = Rig()
    rig.executor_boot_id, rig.sequence = BOOT_ID - head_start_beats * 10**8, head_start_beats
    rig.until(M.READY, limit_s=1.5)


def test_a_stall_of_the_own_process_judges_only_after_the_queues_were_read():
    rig = cruising()
    rig.world.step(0.4)
    rig.tick()
    assert rig.mode is M.READY
    rig.sequence += 1
    rig._sense()
    rig._sense_slowly()
    rig.safety.on_heartbeat('executor', rig.executor_boot_id, rig.sequence, rig.now_s)
    rig.run(0.5, FORWARD)
    assert rig.mode is M.READY
    rig.world.step(0.4)
    rig.tick()
    rig.world.step(0.02)
    rig.tick()
    assert rig.mode is M.STOPPING


def test_joint_commands_pass_once_in_ready_only():
    rig = Rig().ready()
    grip = JointTarget(('gripper_joint',), (0.0,), 1.0)
    rig.command(None, joints=grip)
    assert rig.tick().joints == grip
    assert rig.tick().joints is None
    rig.trip('OPERATOR_STOP')
    rig.command(None, joints=grip)
    assert rig.tick().joints is None


def test_offers_are_counted_by_reason():
    rig = cruising()
    rig.command(FORWARD, call_id='rival')
    assert rig.safety.counters[Offer.LEASE.value] == 1
    assert rig.safety.counters[Offer.ACCEPTED.value] > 50


def test_boot_number_and_epoch_lie_above_those_of_an_earlier_boot():
    world = house()
    later = SafetySupervisor(world.robot, Rig().safety._config, BOOT_ID + 10**9, 0.0)
    assert later.epoch > cruising().safety.epoch


def test_one_gap_during_start_begins_the_settling_anew():
    rig = Rig()
    rig.run(0.8)
    rig.odometry = False
    rig.run(0.4)
    rig.odometry = True
    rig.run(0.8)
    assert rig.mode is M.STARTING
    rig.until(M.READY, limit_s=0.5)


def test_a_jump_that_comes_with_a_reset_is_seen_before_ready():
    rig = cruising()
    rig.trip('OPERATOR_STOP')
    rig.run(1.0)
    assert rig.safety.reset('Ada', rig.now_s).success
    rig.run(0.1)
    rig.world.shift_odom(2.0)
    rig.run(0.1)
    assert rig.mode is M.STARTING
    rig.until(M.READY, limit_s=0.5)
    rig.run(1.0)
    assert rig.mode is M.READY
