"""What the loop asks its surroundings to do. It never does anything itself."""

from __future__ import annotations

from dataclasses import dataclass

from robot_tool_agent.core.planning.calls import PlannedCall
from robot_tool_agent.core.planning.conversation import ModelRequest
from robot_tool_agent.core.planning.record import TaskEnd


@dataclass(frozen=True, slots=True)
class FetchTools:
    """Ask describe_skills; answer with `tools_arrived` or `tools_failed`. `timeout_s` in seconds."""

    timeout_s: float


@dataclass(frozen=True, slots=True)
class AskModel:
    """Ask a provider; answer with `reply_arrived` or `model_failed` and this `request_id`."""

    request_id: int
    request: ModelRequest
    provider: str


@dataclass(frozen=True, slots=True)
class SendCall:
    """Send a call to the executor; answer with `call_ended` or `call_lost`. Taken within `accept_timeout_s` or lost."""

    call: PlannedCall
    accept_timeout_s: float


@dataclass(frozen=True, slots=True)
class CancelCall:
    """Ask the executor to stop a call; its end still comes through `call_ended`."""

    call_id: str


@dataclass(frozen=True, slots=True)
class Report:
    """Tell those who asked how far the task is. `progress` is 0 to 1, that of the present step."""

    step: int
    kind: str
    text: str
    progress: float


@dataclass(frozen=True, slots=True)
class Finish:
    """The task is over and no call of it runs."""

    end: TaskEnd


Action = FetchTools | AskModel | SendCall | CancelCall | Report | Finish
