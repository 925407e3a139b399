"""The words in which a failure scenario is told. No ROS here."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from robot_tool_agent.core.outcomes import Effect, Outcome, TaskStatus
from robot_tool_agent.core.safety_state import SafetyMode


@dataclass(frozen=True, slots=True)
class SkillCall:
    """One skill call. An empty `call_id` stands for a new one; `again` stands for the id of the call under test."""

    skill: str
    arguments_json: str = '{}'
    call_id: str = ''
    again: bool = False


@dataclass(frozen=True, slots=True)
class Task:
    """One instruction in natural language."""

    instruction: str


class Act(Enum):
    """What happens to the system in the middle of things."""

    FAULT = 'the simulated robot gets a fault'
    KILL = 'a node is killed with SIGKILL'
    OPERATOR_STOP = 'a person stops the robot'
    CANCEL = 'the caller asks for the end'
    SEND_AGAIN = 'the same call is sent a second time'


@dataclass(frozen=True, slots=True)
class Strike:
    """What strikes, and when: before the start, or once the robot has truly travelled (m) and turned (rad) so far."""

    act: Act
    subject: str = ''
    after_m: float | None = None
    after_rad: float | None = None

    @property
    def before_start(self) -> bool:
        """Whether it strikes before anything is asked."""
        return self.after_m is None and self.after_rad is None


@dataclass(frozen=True, slots=True)
class CallEnds:
    """How a call may end: one of `outcomes`, one of `effects`, one of `errors` (empty text: none)."""

    outcomes: tuple[Outcome, ...]
    effects: tuple[Effect, ...]
    errors: tuple[str, ...] = ('',)
    replayed: bool = False


@dataclass(frozen=True, slots=True)
class TaskEnds:
    """How a task may end."""

    statuses: tuple[TaskStatus, ...]
    errors: tuple[str, ...] = ('',)


@dataclass(frozen=True, slots=True)
class Lost:
    """The end never arrives: the process that owed it is gone."""


@dataclass(frozen=True, slots=True)
class Follow:
    """A call after the end. The robot does not move for it.

    `resolved_by`: sent only once the journal says who resolved the call under test.
    """

    asked: SkillCall
    ends: CallEnds
    resolved_by: str = ''


@dataclass(frozen=True, slots=True)
class Truth:
    """What ground truth shows at the end. None and empty: not asked.

    `at` is (x_m, y_m) of the robot in the map within `at_within_m`; `released_at` is where the object was let go, map
    frame. `still_within_s`: after the strike the true speed falls under 0.01 m/s in this time, and afterwards only a
    retreat moves the robot. `safe_poses`: the robot stands at one of them.
    """

    held: str | None = None
    picks: int = 0
    places: int = 0
    contacts: int = 0
    at: tuple[float, float] | None = None
    at_within_m: float = 0.12
    released_at: tuple[float, float] | None = None
    safe_poses: tuple[tuple[float, float], ...] = ()
    still_within_s: float | None = None


@dataclass(frozen=True, slots=True)
class Scenario:
    """One row of the table.

    `ill_with` is a fault that the simulated robot has from before the start, beside what strikes later.
    `modes` are safety states that are passed in this order after the strike, `ends_in` those in one of which the system
    rests. `fault` is the safety fault that must be told. `time_s` and `distance_m` are (least, most), of the call and
    of true travel until the end. `reset_stays_still`: after a reset the safety node is READY and nothing moves.
    """

    name: str
    asked: SkillCall | Task
    expected: CallEnds | TaskEnds | Lost
    truth: Truth
    strike: Strike | None = None
    before: tuple[SkillCall, ...] = ()
    ill_with: str = ''
    fault: str = ''
    modes: tuple[SafetyMode, ...] = ()
    ends_in: tuple[SafetyMode, ...] = (SafetyMode.READY,)
    time_s: tuple[float, float] = (0.0, 60.0)
    distance_m: tuple[float, float] = (0.0, 0.05)
    then: tuple[Follow, ...] = field(default=())
    reset_stays_still: bool = False
