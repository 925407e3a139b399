"""Turns what the probe sees into the lines of the timeline."""

from __future__ import annotations

from collections.abc import Iterator
import time
from typing import Any

from robot_tool_agent.commands.text import plain
from robot_tool_agent.core.safety_state import SafetyView
from robot_tool_agent_sim.demo.timeline import Timeline
from robot_tool_agent_sim.harness.goals import Goal
from robot_tool_agent_sim.harness.probe import Probe

LIVE_PERIOD_S = 0.1
_QUIET_KINDS = frozenset({'thinking', 'progress'})
_EXECUTORS_KINDS = frozenset({'result'})


class Watch:
    """Looks at the probe whenever it is told to and says what is new."""

    def __init__(self, probe: Probe, timeline: Timeline) -> None:
        self._probe = probe
        self._timeline = timeline
        self._goal: Goal | None = None
        self._heard = 0
        self._phase = ''
        self._doing = ''
        self._shown: SafetyView | None = None
        self._counted: dict[str, Any] = {}
        self._next_s = 0.0
        self._told_s = 0.0

    def follow(self, goal: Goal) -> None:
        """Report the feedback of this goal from now on."""
        self._goal, self._heard, self._phase, self._doing = goal, 0, '', ''

    def look(self) -> None:
        """Say what is new, at most ten times a second."""
        if time.monotonic() >= self._next_s:
            self.catch_up()

    def catch_up(self) -> None:
        """Say what is new."""
        self._next_s = time.monotonic() + LIVE_PERIOD_S
        self._tell_states()
        self._tell_feedback()
        self._tell_counters()
        self._timeline.live(self._live_text())

    def _tell_feedback(self) -> None:
        news = [] if self._goal is None else self._goal.feedback[self._heard:]
        self._heard += len(news)
        for item in news:
            for who, text in self._task_news(item) if hasattr(item, 'kind') else self._skill_news(item):
                self._timeline.say(who, plain(text))

    def _task_news(self, feedback: Any) -> Iterator[tuple[str, str]]:
        self._doing = feedback.text or feedback.kind
        if feedback.kind not in _QUIET_KINDS:
            who = 'executor' if feedback.kind in _EXECUTORS_KINDS else 'planner'
            yield who, feedback.text if who == 'executor' else f'{feedback.kind} {feedback.text}'

    def _skill_news(self, feedback: Any) -> Iterator[tuple[str, str]]:
        self._doing = f'{feedback.phase} {feedback.detail}'
        if feedback.phase != self._phase:
            self._phase = feedback.phase
            yield 'executor', self._doing

    def _tell_states(self) -> None:
        for seen in self._probe.seen.states(self._told_s):
            view, old = seen.view, self._shown
            if seen.received_s == self._told_s or (old is not None and view.mode is old.mode):
                continue
            self._told_s, self._shown = seen.received_s, view
            why = f'  {view.fault}: {view.detail}' if view.fault and (old is None or view.fault != old.fault) else ''
            self._timeline.say('safety', plain(f'{view.mode.name}{why}'))

    def _tell_counters(self) -> None:
        try:
            now = self._probe.counters()
        except LookupError:
            return
        before, self._counted = self._counted, now
        if not before or now['held'] == before['held']:
            return
        if now['held'] is not None:
            self._timeline.say('truth', f'{now["held"]} is in the gripper')
        else:
            way = 'put down' if now['places'] > before['places'] else 'lost: it slipped out of the gripper'
            self._timeline.say('truth', f'{before["held"]} is {way}')

    def _live_text(self) -> str:
        try:
            speed = f'{self._probe.true_speed():.2f} m/s'
        except LookupError:
            speed = ''
        mode = '' if self._shown is None else self._shown.mode.name
        return plain(f'{mode:<10} {speed}  {self._doing}')[:90]
