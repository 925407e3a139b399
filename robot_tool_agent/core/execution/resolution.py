"""Rule 8: a call whose end was lost is resolved by sensors newer than the restart, where those can tell."""

from __future__ import annotations

from collections.abc import Iterable
import json
import traceback

from robot_tool_agent.core.execution.hub import Hub
from robot_tool_agent.core.execution.ports import Job
from robot_tool_agent.core.execution.results import bounded_json
from robot_tool_agent.core.journal import CallRecord, JournalError, NotAdmitted
from robot_tool_agent.core.outcomes import Effect
from robot_tool_agent.core.sensors import Instant
from robot_tool_agent.core.skills.base import Refusal, Verdict

PERIOD_S = 0.5
BY = 'sensors'


class Resolver:
    """
    Looks at the unresolved calls of earlier processes while the robot stands and nothing else runs.

    Only skills whose verdict does not depend on where the base is (`judged_after_retreat`): after a crash the safety
    node may have moved it. All others wait for a person.
    """

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._pending: dict[str, CallRecord] = {}
        self._since: Instant | None = None
        self._next_s = -float('inf')
        self._stored: list[tuple[str, Job[NotAdmitted | None]]] = []

    def take(self, records: Iterable[CallRecord]) -> None:
        """Take the unresolved calls found at start."""
        for record in records:
            skill = self._hub.registry.find(record.admission.skill)
            if skill is not None and skill.judged_after_retreat:
                self._pending[record.admission.call_id] = record

    def advance(self) -> None:
        """Look once every half second."""
        hub = self._hub
        self._reap()
        if not self._pending or hub.now_s < self._next_s or hub.locks or hub.safety.is_retreating():
            return
        self._next_s = hub.now_s + PERIOD_S
        if self._since is None:
            self._since = _first_standstill(hub)
        if self._since is not None and hub.view.base_stands():
            for call_id, record in list(self._pending.items()):
                self._look(call_id, record, self._since)

    def _look(self, call_id: str, record: CallRecord, since: Instant) -> None:
        verdict = self._verdict(record, since)
        if verdict is None or verdict.effect is Effect.UNKNOWN:
            return
        evidence = bounded_json({'resolved_by': BY, 'message': verdict.message, **verdict.evidence})
        effect, journal = verdict.effect, self._hub.journal
        self._stored.append((call_id, self._hub.ports.submit(lambda: journal.resolve(call_id, effect, BY, evidence))))
        del self._pending[call_id]

    def _verdict(self, record: CallRecord, since: Instant) -> Verdict | None:
        admission = record.admission
        skill = self._hub.registry.create(admission.skill, admission.arguments_json)
        if isinstance(skill, Refusal) or any(
            not self._hub.view.is_fresh(topic, self._hub.now_s)
            for topic in skill.required_topics
            if topic in self._hub.robot.topics.inputs()
        ):
            return None
        try:
            return skill.verify(self._hub.view, json.loads(record.start_json), since)
        except Exception:  # an old row must never stop the executor
            self._hub.ports.log(f'{admission.call_id}: {traceback.format_exc()}')
            return None

    def _reap(self) -> None:
        done = [item for item in self._stored if item[1].done()]
        self._stored = [item for item in self._stored if not item[1].done()]
        for call_id, job in done:
            try:
                job.result()
                self._hub.ports.log(f'{call_id}: resolved by sensors')
            except JournalError as error:
                self._hub.ports.log(f'{call_id}: resolved by sensors but not stored: {error}')


def _first_standstill(hub: Hub) -> Instant | None:
    odom = hub.view.odom
    if odom is None or not hub.view.base_stands():
        return None
    return Instant(odom.stamp_s, odom.received_s)
