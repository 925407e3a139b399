"""A robot that exists only in the test, behind the real MCP server and the SDK's own client, all in one event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
import json
from typing import Any

from mcp import Client
from robot_tool_agent.core.outcomes import Effect, ErrorCode, Outcome
from robot_tool_agent.core.skills.registry import SkillRegistry
from robot_tool_agent.mcp_server.results import SkillEnd
from robot_tool_agent.mcp_server.running import Question, RobotSilent, RunningCall, SkillCall
from robot_tool_agent.mcp_server.service import RobotService
from sim_house import robot_description

SERVER_ID = 'mcp-test'
DONE = SkillEnd(Outcome.SUCCEEDED, Effect.DONE, message='there', attempts=1)
CANCELED = SkillEnd(Outcome.CANCELED, Effect.PARTIAL, ErrorCode.CANCELED, 'stopped on request', attempts=1)
Play = Callable[['FakeRobot', RunningCall], None]


def end_at_once(robot: FakeRobot, running: RunningCall) -> None:
    """Let a call succeed as soon as it is sent."""
    robot.end(running, DONE)


def run_on(robot: FakeRobot, running: RunningCall) -> None:
    """Let a call run until it is cancelled."""


def ask_person(robot: FakeRobot, running: RunningCall) -> None:
    """Let a call wait for a person."""
    call = running.call
    running.tell_question(Question(call.call_id, call.skill, call.arguments_json, 'pick is high risk', 60.0))


class FakeRobot:
    """Counts what reaches it. `play` decides what becomes of a call."""

    def __init__(self, play: Play = end_at_once) -> None:
        self.play = play
        self.calls: list[SkillCall] = []
        self.canceled: list[str] = []
        self.decisions: list[tuple[str, bool, str]] = []
        self.running: list[RunningCall] = []
        self.skills_json: str | None = SkillRegistry(robot_description()).describe()[0]
        self.started = asyncio.Event()

    def start(self, call: SkillCall) -> RunningCall:
        self.calls.append(call)
        running = RunningCall(call, lambda: self._cancel(running))
        self.running.append(running)
        self.play(self, running)
        self.started.set()
        return running

    def end(self, running: RunningCall, end: SkillEnd) -> None:
        """Give a call its end."""
        self.running.remove(running)
        running.tell_end(end)

    def _cancel(self, running: RunningCall) -> None:
        self.canceled.append(running.call.call_id)
        self.end(running, CANCELED)

    def live_calls(self) -> int:
        return len(self.running)

    def cancel_all(self) -> None:
        for running in list(self.running):
            running.cancel()

    async def skills(self) -> str:
        if self.skills_json is None:
            raise RobotSilent('describe_skills: no answer')
        return self.skills_json

    async def decide(self, call_id: str, approve: bool, operator: str) -> str:
        self.decisions.append((call_id, approve, operator))
        for running in [item for item in self.running if item.call.call_id == call_id]:
            denied = SkillEnd(Outcome.REJECTED, Effect.NONE, ErrorCode.APPROVAL_DENIED, f'denied by {operator}')
            self.end(running, DONE if approve else denied)
        return 'so be it'

    async def safety(self) -> dict[str, Any]:
        return {'state': 'READY', 'motion_allowed': True}

    def open_circuit(self, name: str) -> None:
        """Change what describe_skills says, as a breaker that opens does."""
        skills = json.loads(self.skills_json or '[]')
        opened = [{**skill, 'circuit': 'open'} if skill['name'] == name else skill for skill in skills]
        self.skills_json = json.dumps(opened)


def with_client(
    robot: FakeRobot, mode: str, work: Callable[[Client, RobotService], Awaitable[None]], **options: Any
) -> None:
    """Run `work` with a client that speaks to a server for the robot. `mode` is `legacy` or `auto` (the newest)."""
    ask_client = options.pop('ask_client', True)

    async def play() -> None:
        robot.started = asyncio.Event()
        service = RobotService(robot, SERVER_ID, ask_client)
        async with Client(service.server, mode=mode, **options) as client:
            await asyncio.wait_for(work(client, service), 60.0)

    asyncio.run(play())
