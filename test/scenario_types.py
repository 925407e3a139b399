"""The words in which a failure scenario is told. No ROS here."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from robot_tool_agent.core.outcomes import Effect, Outcome, TaskStatus
from robot_tool_agent.core.safety_state import SafetyMode
from scenario_setups import HOUSE, SetUp


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


@dataclass(frozen=True, slots=True)
class Nothing:
    """Nothing is asked, so nothing ends: what strikes, strikes a robot at rest."""


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
class Over:
    """The whole system ends as it should: exit code 0, zero velocity last, no process left, the robot at rest."""


@dataclass(frozen=True, slots=True)
class Same:
    """The end that was told for the call under test, now marked as replayed."""


@dataclass(frozen=True, slots=True)
class Untold:
    """The caller is never told, because the message is lost; the journal has the end."""

    ends: CallEnds


class Act(Enum):
    """What happens to the system in the middle of things. `subject` of the strike says which, of whom or by what."""

    FAULT = 'the simulated robot gets a fault'
    MESSAGES = 'the relay gets a saboteur'
    KILL = 'a node is killed with SIGKILL'
    PAUSE = 'a node is held with SIGSTOP'
    CONTINUE = 'a node that was held goes on'
    ORDER = 'a node of the rehearsal gets an order (NAME=VALUE, see rehearsal/orders.py)'
    OPERATOR_STOP = 'a person stops the robot'
    RESET = 'a person resets the safety node; it may refuse'
    CANCEL = 'the caller asks for the end'
    CANCEL_UNBORN = 'a cancel arrives before its goal'
    CANCEL_OLD = 'the handle of the last call before is cancelled instead'
    CALL = 'another call is made meanwhile'
    DECIDE = 'a person answers a request for approval: approve or deny'
    DYING_CLIENT = 'a client sends the call under test and is killed at once; then the test sends it again'
    SECOND_EXECUTOR = 'another executor is started, with the journal of its own or with the same; it must refuse'
    INTERRUPT = 'SIGINT to what started the system'
    COMMANDS = 'a node that is none of the suite sends motion commands (a name in players/intruder.py)'
    RIVAL = 'a node that is none of the suite begins to publish cmd_vel'


@dataclass(frozen=True, slots=True)
class Strike:
    """
    What strikes, and when. Without any moment it strikes before anything is asked; several moments are all awaited.

    `after_m` and `after_rad` are true travel and turn since the start of the scenario, `after_s` is time since the
    strike before or, for the first, since the start; `after_picks` counts grasps; `in_mode` is a safety state.
    `call` is made by Act.CALL and ends as `ends` says, where `within_s` is set in that time and before anything else.
    """

    act: Act
    subject: str = ''
    after_m: float | None = None
    after_rad: float | None = None
    after_s: float | None = None
    after_picks: int | None = None
    in_mode: SafetyMode | None = None
    call: SkillCall | None = None
    ends: CallEnds | None = None
    within_s: float | None = None

    @property
    def before_start(self) -> bool:
        """Whether it strikes before anything is asked."""
        moments = (self.after_m, self.after_rad, self.after_s, self.after_picks, self.in_mode)
        return all(moment is None for moment in moments)


@dataclass(frozen=True, slots=True)
class Follow:
    """
    A call after the end. While it runs, the robot travels `distance_m` (least, most).

    `resolved_by`: sent only once the journal says who resolved the call under test. `resolve`: sent only after a person
    said that this was the effect of the call under test. `after_reset`: sent only after a person made the safety node
    READY; `after_ready`: after that or after it got READY by itself. `healed`: sent only after all orders were taken
    back. `expired_s`: first so much time passes and the result is asked for, of which the action server knows nothing
    any more. `tells_truth`: its result says of the robot what ground truth says.
    """

    asked: SkillCall
    ends: CallEnds | Same
    resolved_by: str = ''
    resolve: Effect | None = None
    after_reset: bool = False
    after_ready: bool = False
    expired_s: float = 0.0
    healed: bool = False
    distance_m: tuple[float, float] = (0.0, 0.001)
    tells_truth: bool = False


@dataclass(frozen=True, slots=True)
class Truth:
    """
    What ground truth shows at the end. None and empty: not asked.

    `at` is (x_m, y_m) of the robot in the map within `at_within_m`; `released_at` is where the object was let go, map
    frame. `still_within_s`: after the first strike that is not before the start the true speed falls under 0.01 m/s in
    this time, and afterwards only a retreat moves the robot. `brakes_within_s`: so long after the safety node first
    told STOPPING the robot has stood. `safe_poses`: the robot stands at one of them.
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
    brakes_within_s: float | None = None


@dataclass(frozen=True, slots=True)
class Scenario:
    """
    One row of the table.

    `set_up` is the system that it needs; all rows of a set-up share one running system. `quick` rows are played in the
    short run. `ill_with` is a fault that the simulated robot has from before the start, beside what strikes later.
    `modes` are safety states that are passed in this order after the first strike, `ends_in` those in one of which the
    system rests. `fault` is the safety fault that must be told. `time_s` and `distance_m` are (least, most), of the
    call and of true travel until the end. `reset_stays_still`: after a reset the safety node is READY and nothing
    moves. `untroubled`: the safety node is READY all the time and tells no fault. `told`: words in the detail that it
    tells. `told_standing`: when the end is told, the robot stands. `sequel` is played after it under the same name.
    """

    name: str
    asked: SkillCall | Task | Nothing
    expected: CallEnds | TaskEnds | Lost | Untold | Over | Nothing
    truth: Truth
    strikes: tuple[Strike, ...] = ()
    before: tuple[SkillCall, ...] = ()
    ill_with: str = ''
    fault: str = ''
    modes: tuple[SafetyMode, ...] = ()
    ends_in: tuple[SafetyMode, ...] = (SafetyMode.READY,)
    time_s: tuple[float, float] = (0.0, 60.0)
    distance_m: tuple[float, float] = (0.0, 0.05)
    then: tuple[Follow, ...] = field(default=())
    reset_stays_still: bool = False
    told_standing: bool = False
    untroubled: bool = False
    told: str = ''
    set_up: SetUp = HOUSE
    quick: bool = False
    says: str = ''
    sequel: Scenario | None = None
