"""What is kept of a task so that it can be rebuilt: each event that decided what the loop did next."""

from __future__ import annotations

from dataclasses import dataclass

from robot_tool_agent.core.planning.calls import SkillResult
from robot_tool_agent.core.planning.conversation import ModelReply
from robot_tool_agent.core.planning.record import TaskEnd


@dataclass(frozen=True, slots=True)
class ToolsRead:
    """The skills as described from here on."""

    skills_json: str
    schema_hash: str


@dataclass(frozen=True, slots=True)
class ReplyTaken:
    """A model's reply. Kept before anything of it is sent."""

    reply: ModelReply


@dataclass(frozen=True, slots=True)
class CallDone:
    """The end of a call. Kept before the model hears of it."""

    call_id: str
    result: SkillResult


@dataclass(frozen=True, slots=True)
class StopAsked:
    """The task is to end this way once no call of it runs. Kept so that a restart does not go on with it."""

    end: TaskEnd


@dataclass(frozen=True, slots=True)
class Resumed:
    """A new process took the task up again. For people to read; it decides nothing."""


Event = ToolsRead | ReplyTaken | CallDone | StopAsked | Resumed


@dataclass(frozen=True, slots=True)
class Entry:
    """An event with its time since the task began, in seconds of the processes that worked on it."""

    elapsed_s: float
    event: Event
