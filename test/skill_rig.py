"""Runs one skill in closed loop against the simulated house, without processes and without waiting."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
import json
from typing import Any

from robot_tool_agent.core.geometry import Pose2D, Twist2D, ZERO_TWIST
from robot_tool_agent.core.motion import Motion
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.sensors import Instant, SensorView
from robot_tool_agent.core.skills.base import Refusal, Skill, Step, StepStatus, Verdict
from robot_tool_agent.core.skills.registry import SkillRegistry
from robot_tool_agent_sim.world import World
from sim_house import house

DT_S = 0.02
LATENCY_STEPS = 5
SETTLE_S = 0.5
VERIFY_S = 2.0
LIMIT_S = 120.0

Hook = Callable[['Rig', Step], None]


@dataclass
class Run:
    """How one call went. `verdict` None: the sensors gave no answer in time."""

    refusal: Refusal | None = None
    steps: list[Step] = field(default_factory=list)
    verdict: Verdict | None = None
    start: dict[str, Any] = field(default_factory=dict)
    skill: Skill[Any] | None = None
    since: Instant | None = None
    took_s: float = 0.0

    @property
    def end(self) -> Step:
        """Return the last step of the motion."""
        return self.steps[-1]


class Rig:
    """A world, the sensors' view of it, and a gate that passes commands on after a latency of 0.1 s."""

    def __init__(self, world: World | None = None, robot: RobotDescription | None = None) -> None:
        """Put a robot into a world; `robot` is what it knows of it, left out: everything."""
        self.world = house() if world is None else world
        self.robot = self.world.robot if robot is None else robot
        self.registry = SkillRegistry(self.robot)
        self.view = SensorView(self.robot)
        self.path: list[Pose2D] = []
        self._ticks = 0
        self._queue: deque[Motion] = deque()
        self.silent: set[str] = set()
        self.advance(None, 1.0)

    @property
    def now_s(self) -> float:
        """Steady time."""
        return self.world.now_s

    def advance(self, motion: Motion | None, duration_s: float = DT_S) -> None:
        """Let time pass under one motion and take the sensors' samples as they come."""
        for _ in range(max(1, round(duration_s / DT_S))):
            self._queue.append(motion or Motion())
            if len(self._queue) > LATENCY_STEPS:
                self._apply(self._queue.popleft())
            self.world.step(DT_S)
            self._sense()
            self._ticks += 1

    def _apply(self, motion: Motion) -> None:
        self.world.command_base(motion.twist or ZERO_TWIST)
        if motion.joints is not None:
            self.world.command_gripper(motion.joints.positions[0], motion.joints.duration_s)

    def _sense(self) -> None:
        readings = [('odom', self.world.odom, self.view.on_odom, 1)]
        readings += [('global_pose', self.world.global_pose, self.view.on_global_pose, 5)]
        readings += [('joint_states', self.world.joints, self.view.on_joints, 2)]
        readings += [('detected_objects', self.world.objects, self.view.on_objects, 5)]
        readings += [('battery_state', self.world.battery, self.view.on_battery, 50)]
        readings += [('bumper', self.world.bumper, self.view.on_bumper, 2)]
        readings += [('scan', self.world.scan, self.view.on_scan, 10)]
        for name, read, take, every in readings:
            sample = read() if self._ticks % every == 0 and name not in self.silent else None
            if sample is not None:
                take(sample)
        self.path.append(self.world.pose)

    def run(self, name: str, arguments: dict[str, Any], hook: Hook | None = None) -> Run:
        """Run one call as the executor does: refusal, start facts, ticks, standstill, verdict."""
        skill = self.registry.create(name, json.dumps(arguments))
        if isinstance(skill, Refusal):
            return Run(skill)
        refusal = skill.refusal(self.view, self.now_s)
        if refusal is not None:
            return Run(refusal, skill=skill)
        run = Run(start=json.loads(json.dumps(skill.start_facts(self.view))), skill=skill)
        begun_s = self.now_s
        skill.begin(self.view, self.now_s)
        self._drive(skill, run, hook)
        run.took_s = self.now_s - begun_s
        self.advance(Motion(twist=Twist2D()), SETTLE_S)
        run.since, run.verdict = self.judge(skill, run.start)
        return run

    def judge(self, skill: Skill[Any], start: dict[str, Any]) -> tuple[Instant, Verdict | None]:
        """Return the verdict on samples newer than now."""
        since = Instant(self.world.stamp_s, self.now_s)
        deadline_s = self.now_s + VERIFY_S
        while self.now_s < deadline_s:
            verdict = skill.verify(self.view, start, since)
            if verdict is not None:
                return since, verdict
            self.advance(Motion(twist=Twist2D()))
        return since, None

    def _drive(self, skill: Skill[Any], run: Run, hook: Hook | None) -> None:
        deadline_s = self.now_s + LIMIT_S
        while self.now_s < deadline_s:
            step = skill.tick(self.view, self.now_s)
            run.steps.append(step)
            if step.status is not StepStatus.RUNNING:
                return
            if hook is not None:
                hook(self, step)
            self.advance(step.motion)


def at(x_m: float, y_m: float, yaw_rad: float = 0.0, fault: str = 'none') -> Rig:
    """Return a rig whose robot stands at a map pose."""
    return Rig(house(x_m, y_m, yaw_rad, fault))
