"""One whole system on the virtual clock: robot, safety, executor, planner, model and person, in one thread."""

from __future__ import annotations

from random import Random

from robot_tool_agent.core.execution.call import CallRequest, CallResult
from robot_tool_agent.core.execution.config import ExecutionConfig
from robot_tool_agent.core.planning.limits import PlannerLimits
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.safety.config import SafetyConfig
from robot_tool_agent_sim.evidence.bus import Bus
from robot_tool_agent_sim.evidence.disk import Disk
from robot_tool_agent_sim.evidence.executor_process import ExecutorProcess
from robot_tool_agent_sim.evidence.person import Habits, Person
from robot_tool_agent_sim.evidence.planner_process import PlannerProcess
from robot_tool_agent_sim.evidence.process import Outside
from robot_tool_agent_sim.evidence.robot_side import RobotSide
from robot_tool_agent_sim.evidence.safety_process import SafetyProcess
from robot_tool_agent_sim.world import World

STEP_S = 0.02
# Waits are shorter than the nodes' defaults so that an episode is short; no rule depends on them.
PLANNER = PlannerLimits(
    llm_timeout_s=5.0,
    executor_timeout_s=4.0,
    call_margin_s=20.0,
    cancel_timeout_s=5.0,
    wait_timeout_s=20.0,
    task_timeout_s=120.0,
)
EXECUTOR = ExecutionConfig(approval_timeout_s=5.0)
SAFETY = SafetyConfig()


class System:
    """Everything that runs in an episode. `step` lets STEP_S pass."""

    def __init__(self, world: World, habits: Habits, chance: Random, robot: RobotDescription | None = None) -> None:
        robot = robot or world.robot
        self.world, self.robot, self.chance = world, robot, chance
        self.bus = Bus()
        self.disk = Disk()
        self.launcher = Outside()
        self.base = RobotSide(world, self.bus)
        self.safety = SafetyProcess(robot, SAFETY, self.bus, self.base)
        self.executor = ExecutorProcess(robot, EXECUTOR, self.bus, self.disk, self.safety, self.base, chance)
        self.planner = PlannerProcess(PLANNER, self.bus, self.executor, self.safety, chance)
        self.person = Person(habits, self.bus, self.safety, self.executor)
        self._wire()

    @property
    def now_s(self) -> float:
        """Steady time, s."""
        return self.bus.now_s

    def step(self) -> None:
        """Let one step of time pass: the robot first, then what its readings lead to."""
        self.bus.now_s = self.world.now_s + STEP_S
        self.base.step(STEP_S)
        self.bus.now_s = self.world.now_s
        self.bus.deliver()
        self.executor.turn()
        self.planner.turn()
        self.bus.deliver()
        self.safety.tick()
        self.bus.deliver()

    def close(self) -> None:
        """Free the disk."""
        self.disk.close()

    def _wire(self) -> None:
        bus, executor, planner, safety = self.bus, self.executor, self.planner, self.safety
        audience = executor.audience

        def accepted(goal: str) -> None:
            bus.send('acceptance', planner, lambda: planner.calls.on_accepted(goal))

        def result(goal: str, value: CallResult) -> None:
            bus.send('result', planner, lambda: planner.calls.on_result(goal, value))

        def executor_beat(boot: int, number: int) -> None:
            bus.send('heartbeat>safety', safety, lambda: safety.on_heartbeat('executor', boot, number))
            bus.send('heartbeat>planner', planner, lambda: planner.on_heartbeat(boot, number))

        def planner_beat(boot: int, number: int) -> None:
            bus.send('heartbeat>safety', safety, lambda: safety.on_heartbeat('planner', boot, number))
            bus.send('heartbeat>executor', executor, lambda: executor.on_heartbeat('planner', boot, number))

        audience.accepted, audience.result, audience.heartbeat = accepted, result, executor_beat
        planner.on_heartbeat_due = planner_beat


def operator_call(executor: ExecutorProcess, bus: Bus, request: CallRequest) -> None:
    """Let a person's own call reach the executor, past the planner."""
    bus.send('goal', executor, lambda: executor.on_goal(f'operator.{request.call_id}', request))
