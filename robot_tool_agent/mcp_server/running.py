"""One skill call as the side of MCP sees it. Everything here happens on the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from robot_tool_agent.mcp_server.results import SkillEnd


class RobotSilent(Exception):
    """Whoever was asked did not answer in time; nothing was done for the request."""


@dataclass(frozen=True, slots=True)
class SkillCall:
    """What is asked of the executor. `task_id` stands for the connection: a person's no holds for all of it."""

    call_id: str
    task_id: str
    skill: str
    arguments_json: str


@dataclass(frozen=True, slots=True)
class Question:
    """A call that waits for a person. `timeout_s`: no answer by then is a no."""

    call_id: str
    skill: str
    arguments_json: str
    reason: str
    timeout_s: float


class RunningCall:
    """A call on its way. `changed` is set whenever there is something new to look at."""

    def __init__(self, call: SkillCall, on_cancel: Callable[[], None]) -> None:
        self.call = call
        self.progress: tuple[str, float] | None = None
        self.question: Question | None = None
        self.end: SkillEnd | None = None
        self.fault: str | None = None
        self.changed = asyncio.Event()
        self._on_cancel = on_cancel

    @property
    def live(self) -> bool:
        """Whether the end is not known yet."""
        return self.end is None and self.fault is None

    def cancel(self) -> None:
        """Ask for the call to be stopped. Its end still comes."""
        if self.live:
            self._on_cancel()

    def tell_progress(self, text: str, progress: float) -> None:
        """Take note of how far the call is, 0 to 1."""
        self.progress = (text, progress)
        self.changed.set()

    def tell_question(self, question: Question) -> None:
        """Take note that a person is asked."""
        self.question = question
        self.changed.set()

    def tell_end(self, end: SkillEnd) -> None:
        """Take the end."""
        self.end = end
        self.changed.set()

    def tell_unsent(self, reason: str) -> None:
        """Take note that the executor never got the call."""
        self.fault = reason
        self.changed.set()


class Robot(Protocol):
    """The robot's side, as the MCP server uses it."""

    def start(self, call: SkillCall) -> RunningCall:
        """Send a call to the executor."""

    def live_calls(self) -> int:
        """Return how many calls have no end yet."""

    def cancel_all(self) -> None:
        """Ask for every call to be stopped."""

    async def skills(self) -> str:
        """Return skills_json of describe_skills. Raise RobotSilent if nobody answers."""

    async def decide(self, call_id: str, approve: bool, operator: str) -> str:
        """Answer an approval request in a person's name; return what the executor said. Raise RobotSilent."""

    async def safety(self) -> dict[str, Any]:
        """Return the safety state that was heard last and how old it is. Raise RobotSilent if none was heard."""
