"""How an act went: what report and picture show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from robot_tool_agent.core.geometry import Point
from robot_tool_agent_sim.demo.judgement import Verdict
from robot_tool_agent_sim.demo.record import Mark, Record

NOT_PLAYED = Verdict('not played', ('not played',))
BROKEN_OFF = 'broken off'


@dataclass
class Played:
    """One act as it went. Positions are in the map frame."""

    letter: str
    title: str
    asked: str
    claimed: str = 'nothing'
    verdict: Verdict = NOT_PLAYED
    record: Record | None = None
    marks: list[Mark] = field(default_factory=list)
    before: Mapping[str, Point] = field(default_factory=dict)
    after: Mapping[str, Point] = field(default_factory=dict)
