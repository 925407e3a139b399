"""The skills behind the real safety layer: it lets a task pass, and a stop is not worked around."""

import pytest
from robot_tool_agent.config_files import load_model
from robot_tool_agent.core.motion import Motion, MotionRequest
from robot_tool_agent.core.outcomes import Effect
from robot_tool_agent.core.robot import KnownMap, PoseConfig
from robot_tool_agent.core.safety.config import SafetyConfig
from robot_tool_agent.core.safety.supervisor import SafetySupervisor
from robot_tool_agent.core.safety_state import SafetyMode
from robot_tool_agent_sim.description import WorldDescription
from robot_tool_agent_sim.world import World
from sim_house import robot_description, WORLD_FILE
from skill_rig import DT_S, Rig

BOOT = 10**9


def house_with_box(robot, x_m):
    """Return the house with a wall in the living room that no map shows."""
    hidden = () if x_m is None else ((x_m, 0.7, x_m, 1.3),)
    walls = KnownMap(walls=(*robot.map.walls, *hidden))
    description = load_model(WORLD_FILE, WorldDescription).model_copy(update={'spawn': PoseConfig(x_m=2.0, y_m=1.0)})
    return World(robot.model_copy(update={'map': walls}), description)


class GatedRig(Rig):
    """A rig whose commands pass the safety supervisor."""

    def __init__(self, box_at_x_m=None):
        known = robot_description()
        self.world = house_with_box(known, box_at_x_m)
        self.supervisor = SafetySupervisor(self.world.robot, SafetyConfig(), BOOT, self.world.now_s)
        self.beat = 0
        self.output = self.supervisor.tick(self.world.now_s)
        super().__init__(self.world, known)

    def advance(self, motion: Motion | None, duration_s: float = DT_S) -> None:
        for _ in range(max(1, round(duration_s / DT_S))):
            self._pass_gate(motion)
            self.world.step(DT_S)
            self._sense()
            self._tell_supervisor()
            self._ticks += 1

    def _pass_gate(self, motion):
        if motion is not None:
            epoch = self.output.view.epoch
            request = MotionRequest(epoch, 'call', motion.profile, motion.twist, motion.joints)
            self.supervisor.on_command(request, self.now_s)
        self.output = self.supervisor.tick(self.now_s)
        self.world.command_base(self.output.twist)
        if self.output.joints is not None:
            self.world.command_gripper(self.output.joints.positions[0], self.output.joints.duration_s)

    def _tell_supervisor(self):
        self.supervisor.on_odom(self.world.odom())
        if self._ticks % 5 == 0:
            self.beat += 1
            self.supervisor.on_heartbeat('executor', BOOT + 1, self.beat, self.now_s)
            self.supervisor.on_global_pose(self.world.global_pose())
        if self._ticks % 3 == 0:
            self.supervisor.on_scan(self.world.scan())
            self.supervisor.on_bumper(self.world.bumper())
            self.supervisor.on_joints(self.world.joints())


def test_a_fetch_task_passes_the_gate_whole():
    rig = GatedRig()
    task = [
        ('navigate_to', {'place': 'kitchen'}),
        ('pick', {'object': 'bottle_1'}),
        ('navigate_to', {'place': 'table'}),
        ('place', {'place': 'table'}),
        ('move_relative', {'distance_m': -0.3}),
        ('rotate_relative', {'angle_rad': 3.0}),
        ('go_to_safe_pose', {}),
    ]
    for name, arguments in task:
        run = rig.run(name, arguments)
        assert run.verdict.reached, (name, run.end.detail, run.verdict.message)
        assert rig.output.view.mode is SafetyMode.READY
    truth = rig.world.truth()
    assert (truth.picks, truth.places, truth.contacts) == (1, 1, 0)


@pytest.mark.parametrize('distance_m', [1.0, -1.0])
def test_an_obstacle_nobody_knows_of_stops_the_robot_and_is_named(distance_m):
    rig = GatedRig(box_at_x_m=2.0 + 0.6 * distance_m)
    run = rig.run('move_relative', {'distance_m': distance_m})
    assert 'blocks the way' in run.end.detail
    assert (run.verdict.reached, run.verdict.effect) == (False, Effect.PARTIAL)
    assert 0.2 < abs(run.verdict.result['moved_m']) < 0.4
    assert rig.world.truth().contacts == 0
