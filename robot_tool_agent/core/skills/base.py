"""What a skill is: one class that states its facts, moves by ticks and is judged by sensors."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, ClassVar, Generic, TypeVar

from pydantic import BaseModel, ConfigDict
from robot_tool_agent.core.motion import Motion
from robot_tool_agent.core.navigation.remote import Navigator
from robot_tool_agent.core.outcomes import Effect, ErrorCode
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.sensors import Instant, SensorView

Json = dict[str, Any]


class SkillArguments(BaseModel):
    """
    Base of all argument models: closed keys, strict types, no NaN.

    `rules` is JSON Schema for what the validators of a model demand and a schema of single fields cannot say. It is for
    checkers such as the planner; providers of models are not given it, for many of them do not take it.
    """

    model_config = ConfigDict(extra='forbid', frozen=True, strict=True, allow_inf_nan=False)
    rules: ClassVar[Json] = {}


class Resource(str, Enum):
    """What a skill needs for itself."""

    BASE = 'base'
    ARM = 'arm'
    GRIPPER = 'gripper'


class Risk(str, Enum):
    """`high` asks a person first."""

    LOW = 'low'
    HIGH = 'high'


class StepStatus(Enum):
    """Where a skill's motion is."""

    RUNNING = 'running'
    FINISHED = 'finished'
    FAILED = 'failed'


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """
    How often a call may be tried: attempts in all, first pause (doubled each time), spread of the pause.

    A motion that is not idempotent gets a second attempt at most, and only after sensors proved that the first changed
    nothing. `deadline_s` counts from the first attempt; none begins after it.
    """

    attempts: int = 1
    backoff_s: float = 0.5
    jitter: float = 0.5
    deadline_s: float = 60.0


@dataclass(frozen=True, slots=True)
class Offer:
    """A call that would undo or complete what a call left half done."""

    skill: str
    arguments: Json


@dataclass(frozen=True, slots=True)
class Step:
    """Answer of one tick. FINISHED means that the motion is over, not that it succeeded: sensors decide that."""

    status: StepStatus
    motion: Motion | None = None
    progress: float = 0.0
    detail: str = ''
    error: ErrorCode | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a call may not start. `message` says what would make it possible."""

    error: ErrorCode
    message: str
    details: Json = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Verdict:
    """
    What the sensors show after standstill.

    `reached` is true only if they show the goal state. `evidence` holds measured, wanted, tolerance, topic, stamp_s.
    """

    reached: bool
    effect: Effect
    message: str
    evidence: Json
    result: Json = field(default_factory=dict)
    error: ErrorCode = ErrorCode.VERIFICATION_FAILED


@dataclass(frozen=True, slots=True)
class Services:
    """What the executor offers skills beside sensors."""

    navigator: Navigator | None = None


ArgumentsT = TypeVar('ArgumentsT', bound=SkillArguments)


class Skill(ABC, Generic[ArgumentsT]):
    """
    One call of a skill. An instance lives for one attempt; facts are class attributes.

    Order of use: `refusal` (nothing has moved), `start_facts` (stored with STARTED), `begin`, `tick` until it is over,
    `verify` until it answers. `verify` depends on arguments, stored start facts and sensors only, so that a later
    process can judge a call it did not run.
    """

    name: ClassVar[str]
    description: ClassVar[str]
    arguments_type: ClassVar[type[SkillArguments]]
    reads_only: ClassVar[bool] = False
    idempotent: ClassVar[bool] = False
    resources: ClassVar[frozenset[Resource]] = frozenset()
    risk: ClassVar[Risk] = Risk.LOW
    timeout_s: ClassVar[float] = 30.0
    required_topics: ClassVar[tuple[str, ...]] = ()
    retry: ClassVar[RetryPolicy] = RetryPolicy()
    # Skills with the same arguments that may reach the same goal another way, in order; `verify` of this one judges.
    fallbacks: ClassVar[tuple[str, ...]] = ()
    # Whether `verify` can tell what the call did even after a retreat has moved the base.
    judged_after_retreat: ClassVar[bool] = False

    services: Services = Services()

    def __init__(self, arguments: ArgumentsT, robot: RobotDescription) -> None:
        self.arguments = arguments
        self.robot = robot

    def refusal(self, view: SensorView, now_s: float) -> Refusal | None:
        """Return why the call may not start now, None if it may. Freshness of `required_topics` is checked before."""
        return None

    def start_facts(self, view: SensorView) -> Json:
        """Return what `verify` must know of the world before the motion, as JSON."""
        return {}

    def begin(self, view: SensorView, now_s: float) -> None:
        """Plan the motion. Called once, after STARTED is durable."""
        return

    def release(self) -> None:
        """Let go of what `begin` or `tick` took outside this process. Called when the motion is over."""
        return

    def compensation(self, view: SensorView, verdict: Verdict) -> Offer | None:
        """Return a call that would tidy up what this one left half done, None if there is none."""
        return None

    @abstractmethod
    def tick(self, view: SensorView, now_s: float) -> Step:
        """Return the motion wanted now. Called at the executor's rate; must not block."""

    @abstractmethod
    def verify(self, view: SensorView, start: Mapping[str, Any], since: Instant) -> Verdict | None:
        """Judge by samples newer than `since`; None while they have not come."""
