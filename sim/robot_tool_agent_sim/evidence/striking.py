"""Lets the fault of an episode strike at its time, heals it, and checks that the robot stood within the bound."""

from __future__ import annotations

import math

from robot_tool_agent_sim.evidence.counts import Counts
from robot_tool_agent_sim.evidence.model import ScriptedModel
from robot_tool_agent_sim.evidence.plan import Plan
from robot_tool_agent_sim.evidence.strike import Stage
from robot_tool_agent_sim.evidence.timeline import Timeline
from robot_tool_agent_sim.evidence.variants import stands

MOVED_BY_OTHERS = frozenset({'object_moved', 'object_removed', 'actuator_moves_alone', 'actuator_ignores_stop'})


class Striking:
    """`step` before each step of the system, `look` after it. `struck_s`: when the fault acted, None if it did not."""

    def __init__(self, plan: Plan, stage: Stage, counts: Counts, timeline: Timeline, begins_s: float) -> None:
        self._stage, self._counts, self._timeline = stage, counts, timeline
        kind = plan.kind
        chance = plan.chance('kind')
        self._strike = None if kind is None else kind.draw(chance)
        self.model = ScriptedModel(plan.task, None if kind is None else kind.mistake, plan.mistake_at)
        self._asks = kind is not None and kind.asks_approval
        early = self._strike is not None and self._strike.early
        self._at_s = begins_s - 0.1 if early else begins_s + plan.strike_at_s
        self._begun_s: float | None = None
        self._ended = False
        self._stood = False
        self._judged = False
        self.moved_the_goal = kind is not None and kind.name in MOVED_BY_OTHERS
        self.variant = '' if kind is None else kind.name if self._strike is None else self._strike.variant

    @property
    def ever_armed(self) -> bool:
        """Whether anything may have gone wrong by now."""
        return self._begun_s is not None or self.model.mistakes > 0 or self._asks

    @property
    def struck_s(self) -> float | None:
        """When it acted, s."""
        if self._strike is None:
            return 0.0 if self.model.mistakes or self._asks else None
        if self._strike.count is not None and not self._strike.count():
            return None
        return self._begun_s

    def key_of_claim(self, achieved: int) -> str:
        """
        Return what a claim of success for a task that is not done counts as.

        A model that stops half way and says done is believed as far as its calls were true: nobody but the model knows
        what the instruction still wants.
        """
        return 'premature_claims' if self.model.mistakes and achieved else 'false_success'

    def step(self) -> None:
        """Strike or heal if it is time."""
        strike, now_s = self._strike, self._stage.world.now_s
        if strike is None:
            return
        if self._begun_s is None:
            if now_s >= self._at_s and strike.ready(self._stage.world):
                self._begun_s = now_s
                self._timeline.say(now_s, 'fault', f'{strike.variant} strikes')
                strike.begin(self._stage)
        elif not self._ended and now_s >= self._begun_s + strike.lasts_s:
            self._heal()

    def _heal(self) -> None:
        assert self._strike is not None
        self._ended = True
        if self._strike.end is not None:
            self._timeline.say(self._stage.world.now_s, 'fault', f'{self._strike.variant} is over')
            self._strike.end(self._stage)

    def look(self) -> None:
        """Check the bound."""
        strike, world = self._strike, self._stage.world
        if strike is None or strike.bound_s is None or self._begun_s is None or self._judged:
            return
        self._stood = self._stood or stands(world)
        if world.now_s >= self._begun_s + strike.bound_s:
            self._judged = True
            if not self._stood:
                text = f'{strike.variant}: {world.twist} {strike.bound_s} s after it struck'
                self._counts.add('late_stops', world.now_s, text)

    def settle(self) -> None:
        """Leave nothing half judged."""
        self._judged = True
        if self._strike is not None and math.isinf(self._strike.lasts_s) and self._begun_s is not None:
            self._ended = True
