"""
Each invariant can fail: the product is broken on purpose, and the episodes must notice.

A run that begins at seed 0 notices each within 300 episodes (test_a_run_from_the_beginning_notices); the short test
begins at a seed shortly before.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from robot_tool_agent.core.geometry import Twist2D
from robot_tool_agent.core.journal import Admitted, Journal
from robot_tool_agent.core.outcomes import Effect
from robot_tool_agent.core.planning.loop import TaskLoop
from robot_tool_agent.core.safety.awareness import Awareness
from robot_tool_agent.core.safety.envelope import MotionWatch
from robot_tool_agent.core.safety.fault_watch import FaultWatch
from robot_tool_agent.core.safety.gate import Gate, Offer
from robot_tool_agent.core.safety.motion_control import MotionControl
from robot_tool_agent.core.safety.supervisor import SafetySupervisor
from robot_tool_agent.core.skills.base import Verdict
from robot_tool_agent.core.skills.built_in import BUILT_IN
from robot_tool_agent_sim.evidence import variants
from robot_tool_agent_sim.evidence.disk import Disk
from robot_tool_agent_sim.evidence.episode import Episode
from robot_tool_agent_sim.evidence.kinds import Kind
from robot_tool_agent_sim.evidence.plan import draw_plan, Plan
from robot_tool_agent_sim.evidence.tampering import LOST

WITHIN = 300
MOVES_FOR_S = 0.4


def verification_is_always_true(patch: pytest.MonkeyPatch) -> None:
    for skill in BUILT_IN:
        patch.setattr(skill, 'verify', lambda *_: Verdict(True, Effect.DONE, 'it said so', {}))


class ForgetfulJournal(Journal):
    """Admits every call and remembers none."""

    def admit(self, *_: Any, **__: Any) -> Any:
        return Admitted()

    start = admit

    def end(self, *_: Any, **__: Any) -> None:
        return None

    refuse = note_attempt = note_read = end


def the_journal_is_off(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Disk, 'recover', lambda disk, now_s: (ForgetfulJournal(disk.journal()._connection), []))


def the_gate_is_open(patch: pytest.MonkeyPatch) -> None:
    def judge(gate: Gate, *_: Any) -> Offer:
        return Offer.ACCEPTED

    def go(control: MotionControl, *_: Any) -> None:
        control.last = control.gate._command.twist

    patch.setattr(Gate, '_judge', judge)
    patch.setattr(Gate, 'forget', lambda gate: None)
    patch.setattr(MotionControl, '_go', go)


def a_reset_moves_the_robot(patch: pytest.MonkeyPatch) -> None:
    reset, tick = SafetySupervisor.reset, SafetySupervisor.tick

    def moving_reset(supervisor: Any, operator: str, now_s: float) -> Any:
        answer = reset(supervisor, operator, now_s)
        if answer.success:
            supervisor.moves_until_s = now_s + MOVES_FOR_S
        return answer

    def moving_tick(supervisor: Any, now_s: float) -> Any:
        output = tick(supervisor, now_s)
        moves = now_s < getattr(supervisor, 'moves_until_s', 0.0)
        return replace(output, twist=Twist2D(-0.1, 0.0)) if moves else output

    patch.setattr(SafetySupervisor, 'reset', moving_reset)
    patch.setattr(SafetySupervisor, 'tick', moving_tick)


def the_watchdogs_are_off(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(FaultWatch, 'look', lambda watch, now_s: [])
    patch.setattr(Awareness, 'stale', lambda aware, name, now_s: False)


def nothing_ever_ends(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(TaskLoop, 'tick', lambda *_: None)
    patch.setattr(TaskLoop, 'call_ended', lambda *_: None)


def safety_is_nervous(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(MotionWatch, 'uncommanded', lambda watch: '' if watch._measured.is_zero() else 'nervous')


CASES = [
    (verification_is_always_true, 'false_success', 5),
    (the_journal_is_off, 'duplicate_motions', 77),
    (the_gate_is_open, 'motion_while_latched', 57),
    (the_gate_is_open, 'collisions', 23),
    (the_gate_is_open, 'limit_violations', 0),
    (a_reset_moves_the_robot, 'motion_while_latched', 11),
    (the_watchdogs_are_off, 'late_stops', 1),
    (nothing_ever_ends, 'unfinished', 0),
    (safety_is_nervous, 'nuisance_trips', 0),
]
IDS = [f'{sabotage.__name__}-{key}' for sabotage, key, _ in CASES]


def noticed_at(key: str, first: int) -> int:
    """Return the first seed whose episode breaks the invariant."""
    for seed in range(first, first + WITHIN):
        if Episode(draw_plan(seed)).run().values[key]:
            return seed
    pytest.fail(f'{WITHIN} episodes noticed nothing of {key}')


@pytest.mark.parametrize(('sabotage', 'key', 'first'), CASES, ids=IDS)
def test_an_episode_notices(sabotage: Any, key: str, first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not Episode(draw_plan(first)).run().values[key]
    sabotage(monkeypatch)
    assert noticed_at(key, first) <= first + 20


@pytest.mark.slow
@pytest.mark.parametrize(('sabotage', 'key'), [case[:2] for case in CASES], ids=IDS)
def test_a_run_from_the_beginning_notices(sabotage: Any, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sabotage(monkeypatch)
    assert noticed_at(key, 0) < WITHIN


def with_lost_acceptance(seed: int) -> Plan:
    """Return the plan of a seed in which the first acceptance of a call gets lost: the planner sends the call again."""
    lost = Kind('message_dropped', (lambda chance: variants.one('acceptance lost', 'acceptance', LOST, skip=0),))
    return replace(draw_plan(seed), kind=lost, group='any')


def test_a_call_sent_again_acts_once_thanks_to_the_journal_and_the_gate(monkeypatch: pytest.MonkeyPatch) -> None:
    seed = 10  # its first call is a short motion that has ended by the time it is sent again
    end = Episode(with_lost_acceptance(seed)).run()
    assert (end.struck, end.values['duplicate_motions']) == (True, 0)
    the_journal_is_off(monkeypatch)
    end = Episode(with_lost_acceptance(seed)).run()
    assert (end.struck, end.values['duplicate_motions']) == (True, 0)  # the gate knows the closed call
    monkeypatch.setattr(Gate, '_close_call', lambda *_: None)
    end = Episode(with_lost_acceptance(seed)).run()
    assert 't1:1:0 acts a second time' in ''.join(end.events)
