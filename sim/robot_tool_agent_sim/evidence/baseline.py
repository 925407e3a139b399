"""
The obvious agent: it acts, believes the return value, retries three times, and has no safety node.

Its skills move like ours, at the same speeds: the same motion code, without verification, journal, epoch or gate.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from robot_tool_agent.core.geometry import Twist2D, ZERO_TWIST
from robot_tool_agent.core.motion import JointTarget
from robot_tool_agent.core.planning.conversation import Message, ModelReply, ModelRequest, Role
from robot_tool_agent.core.planning.untrusted import fence
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.sensors import Instant, SensorView
from robot_tool_agent.core.skills.base import Refusal, Skill, StepStatus
from robot_tool_agent.core.skills.registry import SkillRegistry
from robot_tool_agent_sim.evidence.bus import Bus
from robot_tool_agent_sim.evidence.planner_process import Model
from robot_tool_agent_sim.evidence.process import Process
from robot_tool_agent_sim.evidence.robot_side import RobotSide
from robot_tool_agent_sim.schedule import Schedule

TRIES = 3
REPLY_TIMEOUT_S = 30.0
RETURNED = fence({'outcome': 'SUCCEEDED'})
# Whether the function returned; None: there was no such function, or its arguments did not fit.
Answer = Callable[[bool | None], None]


class SkillServer(Process):
    """Runs the skill it is asked for and answers whether its function returned."""

    def __init__(self, robot: RobotDescription, bus: Bus, base: RobotSide) -> None:
        super().__init__()
        self._robot, self._bus, self._base = robot, bus, base
        self.on_start: Callable[[str, str], None] = lambda skill, arguments: None
        self.on_return: Callable[[bool], None] = lambda done: None
        self.boot()

    def boot(self) -> None:
        """Start anew."""
        self.alive, self.stopped, self.boots = True, False, self.boots + 1
        self.view = SensorView(self._robot)
        self._registry = SkillRegistry(self._robot)
        self._skill: Skill[Any] | None = None
        self._tick = Schedule(20.0)

    def do(self, name: str, arguments: str, answer: Answer) -> None:
        """Begin a skill; a new request replaces the one before."""
        skill, now_s = self._registry.create(name, arguments), self._bus.now_s
        if isinstance(skill, Refusal) or skill.refusal(self.view, now_s) is not None:
            answer(None if isinstance(skill, Refusal) else False)
            return
        self.on_start(name, arguments)
        self._skill, self._answer = skill, answer
        self._until_s, self._since = now_s + self._registry.timeout_s(name), Instant(now_s - 1.0, now_s - 1.0)
        self._facts = skill.start_facts(self.view)
        skill.begin(self.view, now_s)

    def turn(self) -> None:
        """Tick the running skill."""
        skill, now_s = self._skill, self._bus.now_s
        if not self.runs or not self._tick.due(now_s) or skill is None:
            return
        step = skill.tick(self.view, now_s)
        twist = ZERO_TWIST if step.motion is None or step.motion.twist is None else step.motion.twist
        if step.status is StepStatus.RUNNING and now_s < self._until_s:
            self._send(twist, None if step.motion is None else step.motion.joints)
            return
        self._skill = None
        self._send(ZERO_TWIST, None)
        done = step.status is StepStatus.FINISHED
        self.on_return(done)
        self._answer(done)

    def _send(self, twist: Twist2D, joints: JointTarget | None) -> None:
        self._bus.send('cmd_vel', self._base, lambda: self._base.on_twist(twist))
        if joints is not None:
            self._bus.send('joint_trajectory', self._base, lambda: self._base.on_joints(joints))


class ObviousAgent(Process):
    """Asks the model what to do, does it, tries again up to three times, and says what the returns said."""

    def __init__(self, bus: Bus, server: SkillServer, model: Model) -> None:
        super().__init__()
        self._bus, self._server, self._model = bus, server, model
        self.end: bool | None = None
        self._number = 0
        self._failures = 0
        self._turn: list[Message] = []
        self._todo: list[tuple[str, str, str]] = []
        self._think()

    def _think(self) -> None:
        delay_s, reply = self._model(ModelRequest(tuple(self._turn), (), REPLY_TIMEOUT_S, 1024))
        self._number += 1
        number = self._number
        if delay_s is None:
            self._bus.after(REPLY_TIMEOUT_S, self, lambda: self._retry_model(number))
        else:
            self._bus.after(delay_s, self, lambda: self._read(reply))

    def _retry_model(self, number: int) -> None:
        if number == self._number:
            self._count(self._think)

    def _read(self, reply: Any) -> None:
        if not isinstance(reply, ModelReply) or not (reply.calls or reply.text) or reply.truncated:
            self._count(self._think)
        elif reply.calls:
            self._todo = [(call.name, call.arguments_json, call.ref) for call in reply.calls]
            self._turn = [reply.message()]
            self._act()
        else:
            self.end = reply.text.startswith(('DONE', 'ANSWER'))

    def _act(self) -> None:
        name, arguments, _ = self._todo[0]
        self._number += 1
        number = self._number

        def answer(done: bool | None) -> None:
            self._bus.send('result', self, lambda: self._returned(number, done))

        self._bus.send('goal', self._server, lambda: self._server.do(name, arguments, answer))
        self._bus.after(REPLY_TIMEOUT_S, self, lambda: self._returned(number, False))

    def _returned(self, number: int, done: bool | None) -> None:
        if number != self._number:
            return
        if not done:
            self._count(self._think if done is None else self._act)
            return
        self._turn.append(Message(Role.TOOL, RETURNED, ref=self._todo.pop(0)[2]))
        self._failures = 0
        self._act() if self._todo else self._think()

    def _count(self, again: Callable[[], None]) -> None:
        self._failures += 1
        if self._failures >= TRIES:
            self.end = False
        else:
            again()
