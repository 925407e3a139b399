"""Every saboteur of the simulator that the safety layer must see, and those that it must bear."""

from __future__ import annotations

import pytest
from robot_tool_agent.config_files import load_model, load_robot
from robot_tool_agent.core.geometry import Twist2D
from robot_tool_agent.core.motion import JointTarget
from robot_tool_agent.core.safety_state import SafetyMode as M
from robot_tool_agent_sim.description import WorldDescription
from robot_tool_agent_sim.world import World
from safety_rig import FORWARD, house, modes_of, Rig
from sim_house import CONFIG, WORLD_FILE

HOME = {'arm_shoulder': -1.2, 'arm_elbow': 2.0}
REACHED_OUT = JointTarget(('arm_shoulder', 'arm_elbow'), (0.5, 0.4), 1.0)


def armed(fault: str = 'none') -> Rig:
    """Return a rig with the robot that has arm, imu and stop button, in READY."""
    robot = load_robot(CONFIG / 'robots' / 'sim_house_arm.yaml')
    rig = Rig(World(robot, load_model(WORLD_FILE, WorldDescription))).ready()
    rig.world.set_fault(fault)
    return rig


# Saboteur, fault that must strike, time within which it must (s), state in which it ends.
DRIVING = [
    ('odom_frozen', 'ODOM_STALE', 0.3, M.HOLDING),
    ('odom_nan', 'ODOM_STALE', 0.3, M.HOLDING),
    ('odom_stuck_values', 'ODOM_STALE', 0.3, M.HOLDING),
    ('odom_jump', 'ODOM_JUMP', 0.1, M.HOLDING),
    ('odom_late', 'ODOM_STALE', 0.3, M.HOLDING),
    ('scan_late', 'SCAN_STALE', 0.4, M.HOLDING),
    ('scan_lost', 'SCAN_STALE', 0.4, M.HOLDING),
    ('scan_frozen', 'SCAN_STALE', 0.4, M.HOLDING),
    ('scan_nan', 'SCAN_STALE', 0.4, M.HOLDING),
    ('scan_zero', 'SCAN_STALE', 0.4, M.HOLDING),
    ('bumper_hit', 'BUMPER_CONTACT', 0.2, M.HOLDING),
    ('bumper_stuck', 'BUMPER_CONTACT', 0.2, M.HOLDING),
    ('estop_pressed', 'OPERATOR_STOP', 0.2, M.ESTOPPED),
    ('battery_low', 'BATTERY_LOW', 5.3, M.SAFE),
    ('tilted', 'TILT', 0.4, M.HOLDING),
    ('joint_overruns', 'JOINT_LIMIT', 4.0, M.HOLDING),
    ('wheels_stuck', 'NOT_FOLLOWING', 4.8, M.HOLDING),
    ('slow_wheels', 'NOT_FOLLOWING', 4.8, M.HOLDING),
]


@pytest.mark.parametrize(('saboteur', 'fault', 'within_s', 'end'), DRIVING, ids=[row[0] for row in DRIVING])
def test_a_saboteur_of_the_drive_is_seen_in_time(saboteur: str, fault: str, within_s: float, end: M):
    rig = armed()
    rig.run(1.0, Twist2D(0.3, 0.0))
    rig.world.set_fault(saboteur)
    began_s = rig.now_s
    rig.until(M.STOPPING, M.ESTOPPED, limit_s=within_s, twist=Twist2D(0.3, 0.0))
    assert rig.now_s - began_s <= within_s
    stop_s = rig.now_s
    while rig.true_speed() >= 0.01:
        rig.step(Twist2D(0.3, 0.0))
        assert rig.now_s - stop_s < 0.5
    rig.until(end, limit_s=30.0)
    assert rig.output.view.fault == fault
    assert rig.world.truth().contacts == 0


def test_a_robot_that_creeps_alone_is_held():
    rig = armed('moves_alone')
    rig.until(M.STOPPING, limit_s=1.0)
    assert rig.output.view.fault == 'MOTION_WITHOUT_COMMAND'
    rig.until(M.HOLDING, limit_s=3.0)
    assert rig.output.view.fault == 'STOP_NOT_CONFIRMED', 'it creeps on: nobody can stop it but its power switch'
    assert 'MOTION_WITHOUT_COMMAND' in rig.output.view.detail
    assert not rig.output.view.resettable


def test_a_robot_that_ignores_a_stop_raises_the_alarm():
    rig = armed()
    rig.run(1.0, FORWARD)
    rig.world.set_fault('ignores_stop')
    rig.trip('SKILL_FAILED')
    rig.until(M.HOLDING, limit_s=4.0)
    assert rig.output.view.fault == 'STOP_NOT_CONFIRMED'


@pytest.mark.parametrize('saboteur', ['obstacle_appears', 'person_steps_in'])
def test_what_steps_in_the_way_is_not_touched(saboteur: str):
    rig = armed(saboteur)
    rig.run(7.5, FORWARD)
    assert rig.world.truth().contacts == 0
    if saboteur == 'person_steps_in':
        assert rig.mode is M.READY
        assert rig.world.truth().travelled_m > 1.2, 'the person went and the robot went on'
    else:
        assert rig.world.truth().travelled_m < 1.2


@pytest.mark.parametrize('saboteur', ['odom_noisy', 'clock_jump', 'scan_short', 'gripper_lies'])
def test_what_must_be_borne(saboteur: str):
    rig = armed()
    rig.run(0.5, Twist2D(0.2, 0.0))
    rig.world.set_fault(saboteur)
    rig.run(3.0, Twist2D(0.2, 0.0))
    rig.run(2.0)
    assert rig.mode in (M.READY,) if saboteur not in ('clock_jump', 'scan_short') else (M.READY, M.STOPPING, M.HOLDING)
    assert rig.world.truth().contacts == 0


def test_after_the_retreat_the_arm_goes_home_while_the_base_stands():
    rig = armed()
    rig.command(None, joints=REACHED_OUT)
    rig.run(3.0)
    rig.run(2.0, Twist2D(0.3, 0.0))
    rig.trip('SKILL_UNKNOWN')
    rig.until(M.SAFE, limit_s=60.0)
    joints = rig.world.joints()
    assert joints is not None
    assert {name: joints.positions[name] for name in HOME} == pytest.approx(HOME, abs=0.05)
    assert joints.positions['gripper_joint'] == 0.10
    orders = [(output, number) for number, (_, output) in enumerate(rig.history) if output.joints is not None]
    home, number = orders[-1]
    assert home.view.mode is M.RETREATING
    assert set(home.joints.names) == set(HOME), 'the gripper is not asked to move'  # type: ignore[union-attr]
    assert all(output.twist.is_zero() for _, output in rig.history[number:]), 'the base stands'
    assert rig.history[number - 1][1].twist.is_zero()
    assert rig.world.pose.distance_to(rig.world.robot.safe_poses['dock'].pose) <= 0.08


def test_an_arm_that_does_not_get_home_is_told():
    rig = armed()
    rig.command(None, joints=REACHED_OUT)
    rig.run(3.0)
    rig.world.command_joints = lambda positions, duration_s=0.0: None  # type: ignore[method-assign]
    rig.trip('SKILL_UNKNOWN')
    rig.until(M.HOLDING, limit_s=30.0)
    assert rig.output.view.fault == 'RETREAT_BLOCKED'
    assert 'arm' in rig.output.view.detail


def test_a_stop_holds_the_arm_where_it_is():
    rig = armed()
    rig.command(None, joints=JointTarget(('arm_shoulder', 'arm_elbow'), (1.5, 0.2), 5.0))
    rig.run(1.0)
    rig.trip('OPERATOR_STOP')
    output = rig.tick()
    assert output.joints is not None
    rig.run(0.3)
    held = rig.world.joints()
    rig.run(2.0)
    assert held is not None
    assert rig.world.joints().positions == held.positions  # type: ignore[union-attr]
    assert held.positions['arm_shoulder'] < 0.0


def test_joints_and_base_are_gated_apart():
    rig = armed()
    rig.run(1.0, FORWARD)
    rig.command(None, joints=REACHED_OUT, call_id='arm')
    rig.run(0.5, FORWARD)
    assert rig.true_speed() == pytest.approx(0.4, abs=1e-6)
    assert rig.world.joints().positions['arm_shoulder'] > -1.2  # type: ignore[union-attr]
    assert M.READY in modes_of(rig)


def test_the_house_without_an_arm_is_unchanged():
    assert Rig(house()).ready().mode is M.READY
