"""One episode played for a person: its plan, its timeline and what came of it, as text."""

from __future__ import annotations

from dataclasses import dataclass

from robot_tool_agent_sim.evidence.baseline_episode import BaselineEpisode
from robot_tool_agent_sim.evidence.counts import Counts
from robot_tool_agent_sim.evidence.episode import Episode, EpisodeEnd
from robot_tool_agent_sim.evidence.plan import draw_plan, Plan
from robot_tool_agent_sim.evidence.timeline import Timeline


@dataclass(frozen=True, slots=True)
class Played:
    """An episode that was played."""

    plan: Plan
    end: EpisodeEnd
    timeline: Timeline
    broken: list[str]
    baseline: bool


def play(seed: int, baseline: bool = False) -> Played:
    """Play the episode of a seed, with our system or with the obvious agent."""
    plan = draw_plan(seed)
    episode: Episode | BaselineEpisode = BaselineEpisode(plan, True) if baseline else Episode(plan, True)
    end = episode.run()
    counts: Counts = episode.counts
    return Played(plan, end, episode.timeline, counts.violations, baseline)


def text_of(played: Played) -> str:
    """Return plan, timeline and verdict."""
    plan, end = played.plan, played.end
    fault = 'no fault' if plan.kind is None else f'{plan.kind.name} ({end.variant})'
    who = 'the obvious agent' if played.baseline else 'this suite'
    at = plan.task.spawn
    head = [
        f'seed {plan.seed}, {who}: {fault}',
        f'robot at x {at.x_m:.2f} m, y {at.y_m:.2f} m, yaw {at.yaw_rad:.2f} rad',
        *(f'  {stride.skill} {stride.object}' for turn in plan.task.turns for stride in turn),
        '',
    ]
    lines = [f'{line.at_s:7.2f} s  {line.who:8} {line.text}' for line in played.timeline.lines]
    return '\n'.join([*head, *lines, '', *_verdict(played)])


def _verdict(played: Played) -> list[str]:
    end = played.end
    claimed = 'success' if end.claimed else 'no success'
    reached = 'reached' if end.reached else 'not reached'
    lines = [f'claimed: {claimed}; true: the goal is {reached}; {end.simulated_s:.1f} simulated s, {end.digest[:12]}']
    if played.broken:
        return [*lines, 'broken:', *(f'  {line}' for line in played.broken)]
    return [*lines, 'no invariant was broken']
