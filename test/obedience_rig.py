"""
Planner's loop, real executive, real safety supervisor and a simulated house in one thread of virtual time.

The model obeys whatever the label of an object says: what holds then is not the model.
"""

from __future__ import annotations

from collections.abc import Callable
import json
from typing import Any

from execution_bench import DoneJob, memory_journal
from memory_rig import skill_result
from robot_tool_agent.config_files import load_model
from robot_tool_agent.core.execution.approvals import ApprovalDesk
from robot_tool_agent.core.execution.breaker import CircuitBreaker
from robot_tool_agent.core.execution.call import CallRequest
from robot_tool_agent.core.execution.config import ExecutionConfig
from robot_tool_agent.core.execution.executive import Executive
from robot_tool_agent.core.execution.hub import Hub
from robot_tool_agent.core.execution.ports import ApprovalAsk, TripRequest, Turn
from robot_tool_agent.core.execution.safety_watch import SafetyWatch
from robot_tool_agent.core.geometry import Pose2D
from robot_tool_agent.core.heartbeats import HeartbeatMonitor
from robot_tool_agent.core.motion import MotionRequest
from robot_tool_agent.core.planning.actions import Action, AskModel, FetchTools, SendCall
from robot_tool_agent.core.planning.calls import SkillResult
from robot_tool_agent.core.planning.conversation import ModelReply, ModelRequest, Role, ToolSpec
from robot_tool_agent.core.planning.limits import PlannerLimits
from robot_tool_agent.core.planning.loop import TaskLoop
from robot_tool_agent.core.planning.record import MemoryTaskStore, TaskEnd
from robot_tool_agent.core.robot import PoseConfig
from robot_tool_agent.core.robot.surroundings import ApprovalPolicy
from robot_tool_agent.core.safety.config import SafetyConfig
from robot_tool_agent.core.safety.requests import TripRequest as SafetyTrip
from robot_tool_agent.core.safety.supervisor import SafetySupervisor
from robot_tool_agent.core.safety_state import SafetyMode
from robot_tool_agent.core.sensors import SensorView
from robot_tool_agent.core.skills.registry import SkillRegistry
from robot_tool_agent.llm.scripted import calls, says
from robot_tool_agent_sim.description import ObjectConfig, WorldDescription
from robot_tool_agent_sim.world import World
from sim_house import robot_description, WORLD_FILE

DT_S = 0.02
BOOT = 10**9
START = Pose2D(2.0, 1.0, 0.0)
LIMIT_S = 90.0


class GatePorts:
    """The executive's way to the real supervisor."""

    def __init__(self, safety: SafetySupervisor, now_s: Callable[[], float]) -> None:
        self.motions: list[MotionRequest] = []
        self.asks: list[ApprovalAsk] = []
        self._safety = safety
        self._now_s = now_s

    def submit(self, work: Callable[[], Any]) -> DoneJob:
        return DoneJob(work)

    def send_motion(self, request: MotionRequest) -> None:
        self.motions.append(request)
        self._safety.on_command(request, self._now_s())

    def trip(self, request: TripRequest) -> DoneJob:
        asked = SafetyTrip(request.fault, request.detail, request.call_id, request.task_id, request.epoch)
        return DoneJob(lambda: self._safety.trip(asked, self._now_s()).success)

    def ask_approval(self, ask: ApprovalAsk) -> None:
        self.asks.append(ask)

    def jitter(self) -> float:
        return 0.5

    def log(self, text: str) -> None:
        raise AssertionError(text)


class Suite:
    """One task in a house whose first object bears a label."""

    def __init__(self, label: str, obey: Callable[[ModelRequest, int], ModelReply]) -> None:
        approvals = (ApprovalPolicy(skill='pick'),)
        self.robot = robot_description().model_copy(update={'approvals': approvals})
        described = load_model(WORLD_FILE, WorldDescription)
        thing = ObjectConfig(label=label, x_m=2.5, y_m=0.52, width_m=0.05)
        spawn = PoseConfig(x_m=START.x_m, y_m=START.y_m)
        self.world = World(self.robot, described.model_copy(update={'objects': {'thing_1': thing}, 'spawn': spawn}))
        self.safety = SafetySupervisor(self.robot, SafetyConfig(), BOOT, self.world.now_s)
        self.ports = GatePorts(self.safety, lambda: self.world.now_s)
        self.journal = memory_journal()
        config = ExecutionConfig(approval_timeout_s=2.0)
        view = SensorView(self.robot)
        self.hub = Hub(
            self.robot,
            config,
            self.journal,
            self.ports,
            view,
            SafetyWatch(config.safety_timeout_s),
            HeartbeatMonitor(config.lease_timeout_s),
            ApprovalDesk(self.robot),
            CircuitBreaker(config.breaker_failures, config.breaker_window_s, config.breaker_open_s),
            SkillRegistry(self.robot),
        )
        self.executive = Executive(self.hub)
        self.loop = TaskLoop('t', 'look around', PlannerLimits(max_steps=8), MemoryTaskStore())
        self.fastest_mps = 0.0
        self.modes: list[SafetyMode] = []
        self.told = ''
        self.tools: tuple[ToolSpec, ...] = ()
        self._obey = obey
        self._ended: list[tuple[str, SkillResult]] = []
        self._ticks = 0
        while self.safety.mode is not SafetyMode.READY:
            self.step()

    def run(self) -> TaskEnd:
        """Run the task to its end."""
        self.loop.begin(self.world.now_s)
        until_s = self.world.now_s + LIMIT_S
        while self.loop.end is None:
            assert self.world.now_s < until_s, self.loop.phase
            self._pump()
            self.step()
            for call_id, result in self._ended:
                self.loop.call_ended(call_id, result, self.world.now_s)
            self._ended.clear()
            self.loop.tick(self.safety.tick(self.world.now_s).view, self.world.now_s)
        return self.loop.end

    def step(self) -> None:
        """Let one period pass everywhere."""
        output = self.safety.tick(self.world.now_s)
        self.world.command_base(output.twist)
        if output.joints is not None:
            self.world.command_gripper(output.joints.positions[0], output.joints.duration_s)
        self.world.step(DT_S)
        self._ticks += 1
        self.fastest_mps = max(self.fastest_mps, abs(self.world.twist.v_mps))
        self._sense()
        now_s = self.world.now_s
        self.hub.heartbeats.heard('planner', 1, self._ticks, now_s)
        self.safety.on_heartbeat('executor', BOOT + 1, self._ticks, now_s)
        if not self.modes or self.modes[-1] is not output.view.mode:
            self.modes.append(output.view.mode)
        self.executive.on_safety(output.view, Turn(now_s, now_s, False))
        if self._ticks % 3 == 0:
            self.executive.advance(Turn(now_s, now_s))

    def _sense(self) -> None:
        world, view, safety = self.world, self.hub.view, self.safety
        takers: tuple[tuple[Callable[[], Any], tuple[Callable[[Any], Any], ...], int], ...] = (
            (world.odom, (view.on_odom, safety.on_odom), 1),
            (world.global_pose, (view.on_global_pose, safety.on_global_pose), 5),
            (world.joints, (view.on_joints, safety.on_joints), 2),
            (world.objects, (view.on_objects,), 5),
            (world.battery, (view.on_battery, safety.on_battery), 50),
            (world.bumper, (view.on_bumper, safety.on_bumper), 3),
            (world.scan, (view.on_scan, safety.on_scan), 4),
        )
        for read, take, every in takers:
            sample = read() if self._ticks % every == 0 else None
            for receive in take if sample is not None else ():
                receive(sample)

    def _pump(self) -> None:
        while actions := self.loop.take_actions():
            for action in actions:
                self._do(action)

    def _do(self, action: Action) -> None:
        if isinstance(action, FetchTools):
            self.loop.tools_arrived(*self.executive.describe(), self.world.now_s)
        elif isinstance(action, AskModel):
            self.tools = action.request.tools
            self.told = '\n'.join(turn.text for turn in action.request.messages if turn.role is Role.TOOL)
            step = sum(turn.role is Role.ASSISTANT for turn in action.request.messages)
            reply = calls(('look', {})) if step == 0 else self._obey(action.request, step - 1)
            self.loop.reply_arrived(action.request_id, reply, self.world.now_s)
        elif isinstance(action, SendCall):
            self._submit(action.call.call_id, action.call.tool.name, action.call.arguments_json)

    def _submit(self, call_id: str, skill: str, arguments_json: str) -> None:
        request = CallRequest(call_id, 't', skill, arguments_json, 'planner')
        turn = Turn(self.world.now_s, self.world.now_s)
        self.executive.submit(request, turn, lambda result: self._ended.append((call_id, skill_result(result))))

    def send(self, call_id: str, skill: str, arguments: Any) -> SkillResult:
        """Send a call past the planner, as one that checks nothing would, and return its end."""
        self._submit(call_id, skill, arguments if isinstance(arguments, str) else json.dumps(arguments))
        until_s = self.world.now_s + LIMIT_S
        while not self._ended:
            assert self.world.now_s < until_s, call_id
            self.step()
        return self._ended.pop()[1]

    def acted(self) -> list[str]:
        """Return the skills that were started and move something, in order."""
        return [
            record.admission.skill
            for record in self.journal.every()
            if record.started_at_s is not None and not record.admission.reads_only
        ]

    def ends(self) -> dict[str, str]:
        """Return the error code of each call in the journal, empty for none."""
        return {
            record.admission.call_id: record.end.error.value if record.end and record.end.error else ''
            for record in self.journal.every()
        }


def obeying(*demands: Any) -> Callable[[ModelRequest, int], ModelReply]:
    """Return a model that does in turn what a text demanded: pairs of a tool and arguments, or a final text."""

    def obey(request: ModelRequest, step: int) -> ModelReply:
        if step >= len(demands):
            return says('DONE: all of it, as the label said')
        demand = demands[step]
        return says(demand) if isinstance(demand, str) else calls(demand)

    return obey


def seen_label(told: str) -> str:
    """Return the label as the model was told it."""
    data = json.loads(told.split('\n')[0].removeprefix('<data>').removesuffix('</data>'))
    return str(data['result']['objects'][0]['label'])
