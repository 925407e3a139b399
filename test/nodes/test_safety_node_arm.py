"""The safety node with the simulated robot that has an arm, an imu and a stop button: two real processes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from robot_tool_agent.nodes.qos import LATCHED
from robot_tool_agent_interfaces.msg import MotionCommand, SafetyState
from robot_tool_agent_interfaces.srv import ResetSafety, TripSafety
from robot_tool_agent_sim.harness.stand_ins import StandInExecutor
from safety_process import safety_process
from sim_house import CONFIG
from sim_process import KINDS, Probe, simulator
from trajectory_msgs.msg import JointTrajectoryPoint

ARM_DOMAIN = 39
ARM_FILE = CONFIG / 'robots' / 'sim_house_arm.yaml'


class ArmRobot:
    """The simulated robot with arm, imu and stop button, a stand-in executor and the state of the safety node."""

    def __init__(self) -> None:
        self.probe = Probe(ARM_DOMAIN, kinds={'joint_states': KINDS['joint_states']})
        self.states: list[SafetyState] = []
        self.probe.node.create_subscription(SafetyState, 'safety_state', self.states.append, LATCHED)
        self.executor = StandInExecutor(self.probe.node)

    def until_state(self, state: int, limit_s: float = 15.0) -> None:
        self.probe.until(lambda: self.states and self.states[-1].state == state, limit_s)

    def reset(self) -> None:
        self.probe.set_fault('none')
        self.probe.until(lambda: self.states[-1].resettable)
        assert self.probe.call(ResetSafety, 'reset_safety', ResetSafety.Request(operator_name='Ada')).success
        self.until_state(SafetyState.READY)

    def send_arm(self, shoulder_rad: float, elbow_rad: float) -> None:
        command = MotionCommand(epoch=self.states[-1].epoch, call_id=f'arm {shoulder_rad}', profile='normal')
        command.joints.joint_names = ['arm_shoulder', 'arm_elbow']
        command.joints.points = [JointTrajectoryPoint(positions=[shoulder_rad, elbow_rad])]
        self.executor.send(command)

    def arm(self) -> tuple[float, ...]:
        joints = self.probe.fresh('joint_states')
        positions = dict(zip(joints.name, joints.position, strict=True))
        return positions['arm_shoulder'], positions['arm_elbow']


@pytest.fixture(scope='module')
def arm_robot() -> Iterator[ArmRobot]:
    with simulator(ARM_DOMAIN, robot=ARM_FILE), safety_process(ARM_DOMAIN, robot=ARM_FILE):
        robot = ArmRobot()
        try:
            robot.until_state(SafetyState.READY)
            yield robot
        finally:
            robot.probe.close()


@pytest.mark.parametrize(
    ('saboteur', 'fault', 'state'),
    [
        ('tilted', 'TILT', SafetyState.HOLDING),
        ('joint_overruns', 'JOINT_LIMIT', SafetyState.HOLDING),
        ('estop_pressed', 'OPERATOR_STOP', SafetyState.ESTOPPED),
        ('battery_low', 'BATTERY_LOW', SafetyState.SAFE),
        ('moves_alone', 'STOP_NOT_CONFIRMED', SafetyState.HOLDING),
    ],
)
def test_saboteurs_of_the_simulated_robot_are_seen(arm_robot: ArmRobot, saboteur: str, fault: str, state: int):
    arm_robot.until_state(SafetyState.READY)
    assert arm_robot.probe.set_fault(saboteur).successful
    arm_robot.until_state(state, limit_s=20.0)
    assert arm_robot.states[-1].fault == fault
    arm_robot.reset()
    if saboteur == 'joint_overruns':
        arm_robot.send_arm(-1.2, 2.0)
        arm_robot.probe.until(lambda: arm_robot.arm() == pytest.approx((-1.2, 2.0), abs=0.02))


def test_the_arm_obeys_within_its_limits_and_goes_home_after_a_retreat(arm_robot: ArmRobot):
    arm_robot.until_state(SafetyState.READY)
    arm_robot.send_arm(0.4, 0.5)
    arm_robot.probe.until(lambda: arm_robot.arm() == pytest.approx((0.4, 0.5), abs=0.02))
    request = TripSafety.Request(fault='SKILL_UNKNOWN', detail='test')
    assert arm_robot.probe.call(TripSafety, 'trip_safety', request).success
    arm_robot.until_state(SafetyState.SAFE, limit_s=30.0)
    assert arm_robot.arm() == pytest.approx((-1.2, 2.0), abs=0.06)
    arm_robot.reset()
    arm_robot.send_arm(1.7, 0.5)
    arm_robot.until_state(SafetyState.HOLDING)
    assert arm_robot.states[-1].fault == 'JOINT_LIMIT'
    assert arm_robot.arm() == pytest.approx((-1.2, 2.0), abs=0.06), 'the target never went out'
