"""What a player is given: a running system; and what it keeps of the scenario that it plays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from signal import Signals

from players.intruder import Intruder
from rehearsal.orders import Orders
from robot_tool_agent_sim.harness.goals import Goal
from robot_tool_agent_sim.harness.probe import Probe
from scenario_setups import HOUSE, SetUp
from scenario_types import CallEnds, SkillCall, Task


@dataclass(frozen=True, slots=True)
class Stage:
    """
    A running system: how to watch it, how to signal one of its nodes, how to end it, where its journal lies.

    `interrupt` sends SIGINT to what started the system and returns its exit code.
    """

    probe: Probe
    signal: Callable[[str, Signals], object]
    interrupt: Callable[[], int]
    home: Path
    domain_id: int
    set_up: SetUp = HOUSE
    held: set[str] = field(default_factory=set)
    intruders: list[Intruder] = field(default_factory=list)

    @property
    def journal(self) -> Path:
        """Where the executor keeps its journal."""
        return self.home / 'robot_tool_agent' / 'journal.sqlite3'

    @property
    def orders(self) -> Orders:
        """Return what the nodes of a rehearsal are told to do wrong."""
        return Orders(self.home)

    def intruder(self) -> Intruder:
        """Return the one node here that is none of the suite; it comes when it is first asked for."""
        if not self.intruders:
            self.intruders.append(Intruder(self.probe))
        return self.intruders[0]

    def send(
        self, asked: SkillCall | Task, first: Goal | None = None, call_id: str = '', goal_uuid: bytes | None = None
    ) -> Goal:
        """Send a call or a task; `first` is the call under test, whose id may be used again."""
        if isinstance(asked, Task):
            return self.probe.send_task(asked.instruction)
        if asked.again:
            assert first is not None
            sent = first.message
            skill, arguments = (asked.skill, asked.arguments_json) if asked.skill else (sent.skill, sent.arguments_json)
            return self.probe.send_skill(skill, arguments, sent.call_id)
        name = asked.call_id or call_id or None
        return self.probe.send_skill(asked.skill, asked.arguments_json, name, goal_uuid=goal_uuid)


@dataclass(slots=True)
class Run:
    """
    What is known of the scenario while it is played. Times are steady seconds.

    `others` are the calls made meanwhile, each with the end that it must have; `earlier` are those made before.
    `call_id` and `goal_uuid` are those of the call under test, where a strike has chosen them.
    """

    began_s: float
    goal: Goal | None = None
    struck_s: float | None = None
    last_strike_s: float = 0.0
    others: list[tuple[Goal, CallEnds]] = field(default_factory=list)
    earlier: list[Goal] = field(default_factory=list)
    call_id: str = ''
    goal_uuid: bytes | None = None
    exit_code: int | None = None

    @property
    def since_s(self) -> float:
        """Return when the first thing went wrong; the start, if nothing did."""
        return self.began_s if self.struck_s is None else self.struck_s

    def the_goal(self) -> Goal:
        """Return the goal of the call under test."""
        assert self.goal is not None
        return self.goal
