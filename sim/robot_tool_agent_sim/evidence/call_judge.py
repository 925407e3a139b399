"""Judges what calls claim and do: false and missed successes, unknown ends, motions that were made twice."""

from __future__ import annotations

from dataclasses import dataclass, field

from robot_tool_agent.core.execution.call import CallRequest, CallResult
from robot_tool_agent.core.geometry import wrap_angle
from robot_tool_agent.core.journal import CallState
from robot_tool_agent.core.motion import MotionRequest
from robot_tool_agent.core.outcomes import Effect, Outcome
from robot_tool_agent.core.safety.gate import Offer
from robot_tool_agent.core.skills.base import Resource
from robot_tool_agent.core.skills.registry import SkillRegistry
from robot_tool_agent_sim.evidence.claims import is_true
from robot_tool_agent_sim.evidence.counts import Counts
from robot_tool_agent_sim.evidence.snapshots import Snapshot, Snapshots
from robot_tool_agent_sim.evidence.system import System

RELATIVE = frozenset({'move_relative', 'rotate_relative'})
MOVED_M, TURNED_RAD = 0.03, 0.06


@dataclass(slots=True)
class _Run:
    """What one call_id did. `acted` are the executions (one for each time it was taken in) whose motion passed."""

    request: CallRequest
    start: Snapshot
    resources: frozenset[Resource]
    idempotent: bool
    execution: int = 0
    acted: set[int] = field(default_factory=set)
    effect: Effect | None = None
    moved: bool = False
    doubled: bool = False


class CallJudge:
    """Hears what goes into and out of the executor, compares it with the truth and with the disk."""

    def __init__(self, system: System, counts: Counts, snapshots: Snapshots) -> None:
        self._system, self._counts, self._snapshots = system, counts, snapshots
        self._registry = SkillRegistry(system.robot)
        self._runs: dict[str, _Run] = {}
        self.calls = 0
        self.achieved = 0
        system.executor.audience.submitted = self.on_submitted
        system.executor.audience.ended = self.on_ended
        system.safety.on_offer = self.on_offer

    def on_submitted(self, request: CallRequest) -> None:
        """Take note of a goal before the executor does."""
        skill = self._registry.find(request.skill)
        if skill is None or request.call_id in self._system.executor.hub.live:
            return
        known = self._runs.get(request.call_id)
        if known is None:
            self.calls += 1
            start = self._snapshots.take()
            self._runs[request.call_id] = _Run(request, start, frozenset(skill.resources), skill.idempotent)
        else:
            known.execution += 1
            known.start = known.start if known.acted else self._snapshots.take()

    def on_offer(self, request: MotionRequest, offer: Offer) -> None:
        """Take note of a motion that the gate let in."""
        run = self._runs.get(request.call_id)
        moving = request.joints is not None or (request.twist is not None and not request.twist.is_zero())
        if run is None or offer is not Offer.ACCEPTED or not moving or run.execution in run.acted:
            return
        if run.acted:
            self._twice(run, f'{request.call_id} acts a second time')
        run.acted.add(run.execution)
        if not run.idempotent:
            self._look_at_earlier(run)

    def _look_at_earlier(self, run: _Run) -> None:
        for other in self._runs.values():
            if other is run or not other.acted or not other.resources & run.resources:
                continue
            effect = self._known_effect(other)
            if effect is Effect.UNKNOWN:
                self._twice(run, f'{run.request.call_id} acts while the end of {other.request.call_id} is not known')
            elif self._same(run, other) and self._is_repeat(other, effect):
                self._twice(run, f'{run.request.call_id} repeats {other.request.call_id}, which ended {effect.name}')

    def _same(self, run: _Run, other: _Run) -> bool:
        mine, theirs = run.request, other.request
        return (mine.task_id, mine.skill, mine.arguments_json) == (theirs.task_id, theirs.skill, theirs.arguments_json)

    def _is_repeat(self, other: _Run, effect: Effect) -> bool:
        """
        Tell whether a motion like an earlier one is one too many.

        It is unless that one had no effect, or left an object elsewhere, which is to be taken up from there.
        """
        if effect is Effect.NONE:
            return other.request.skill in RELATIVE and other.moved
        return effect is Effect.DONE or other.request.skill in RELATIVE

    def _known_effect(self, run: _Run) -> Effect:
        """Return what is known of a call's effect: as it was told, or as the disk has it now."""
        record = self._system.disk.journal().record(run.request.call_id)
        if record is not None and record.state is CallState.ENDED and record.end is not None:
            return record.end.effect
        return Effect.UNKNOWN if run.effect is None else run.effect

    def _twice(self, run: _Run, text: str) -> None:
        if not run.doubled:
            run.doubled = True
            self._counts.add('duplicate_motions', self._system.now_s, text)

    def true_effect(self, call_id: str) -> Effect:
        """Return what a call did, as a person sees it who looks at the robot."""
        run = self._runs.get(call_id)
        return Effect.PARTIAL if run is not None and run.acted else Effect.NONE

    def on_ended(self, request: CallRequest, result: CallResult) -> None:
        """Judge a result."""
        run, end = self._runs.get(request.call_id), result.end
        if run is None or result.replayed or end.outcome is Outcome.REJECTED:
            return
        run.effect, pose, before = end.effect, self._system.world.pose, run.start.pose
        run.moved = pose.distance_to(before) > MOVED_M or abs(wrap_angle(pose.yaw_rad - before.yaw_rad)) > TURNED_RAD
        text = f'{request.call_id} {request.skill} {request.arguments_json} {end.outcome.name}: {end.message}'
        if end.outcome is Outcome.UNKNOWN:
            self._counts.add('unknown_outcomes', self._system.now_s, text)
        if not (run.acted or end.outcome is Outcome.SUCCEEDED):
            return
        true = self._is_true(run, end.result_json)
        self.achieved += end.outcome is Outcome.SUCCEEDED and true and bool(run.acted)
        if end.outcome is Outcome.SUCCEEDED and not true:
            self._counts.add('false_success', self._system.now_s, text)
        elif end.outcome in (Outcome.FAILED, Outcome.UNKNOWN) and true:
            self._counts.add('missed_success', self._system.now_s, text)

    def _is_true(self, run: _Run, result_json: str) -> bool:
        request, robot = run.request, self._system.robot
        moments = self._snapshots.recent()
        return any(
            is_true(robot, request.skill, request.arguments_json, result_json, run.start, now) for now in moments
        )
