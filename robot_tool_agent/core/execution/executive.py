"""The executive: takes calls in, gives each its turns, answers questions about them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
import traceback

from robot_tool_agent.core.execution.call import Call, CallRequest, CallResult, CancelCause
from robot_tool_agent.core.execution.hub import Hub, Steps
from robot_tool_agent.core.execution.intake import take_in
from robot_tool_agent.core.execution.judgement import refused
from robot_tool_agent.core.execution.ports import Job, TripRequest, Turn
from robot_tool_agent.core.execution.preconditions import common_refusal
from robot_tool_agent.core.execution.procedure import run_motion_call
from robot_tool_agent.core.execution.reading import run_reading_call
from robot_tool_agent.core.execution.resolution import Resolver
from robot_tool_agent.core.execution.results import bounded_json, bounded_text
from robot_tool_agent.core.journal import CallEnd, NotAdmitted
from robot_tool_agent.core.outcomes import Effect, ErrorCode, Outcome
from robot_tool_agent.core.safety_state import SafetyView
from robot_tool_agent.core.skills.base import Refusal
from robot_tool_agent.core.skills.objects import seen_names
from robot_tool_agent.core.skills.registry import Situation

OnEnd = Callable[[CallResult], None]
MAX_LIVE_CALLS = 32
ASK_AGAIN_S = 0.3


class Executive:
    """Runs calls by turns. One thread; `advance` is called at the tick rate and whenever slow work is done."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.resolver = Resolver(hub)
        self._untold = False
        self._telling: Job[bool] | None = None
        self._ask_again_s = -float('inf')
        self._running: dict[str, tuple[Steps[CallResult], OnEnd]] = {}

    def submit(self, request: CallRequest, turn: Turn, on_end: OnEnd) -> Call | None:
        """Take a goal in. `on_end` gets its result: at once for a refusal (None is returned), later for a live call."""
        self._begin(turn)
        leased = self.hub.heartbeats.known(request.requested_by)
        call = take_in(request, self.hub.registry, leased, turn.wall_s)
        refusal = call if isinstance(call, Refusal) else self._not_now(call)
        if refusal is not None or isinstance(call, Refusal):
            assert refusal is not None
            on_end(CallResult(refused(refusal.error, refusal.message, refusal.details)))
            return None
        run = run_reading_call if call.skill.reads_only else run_motion_call
        self.hub.live[call.call_id] = call
        self._running[call.call_id] = (run(call, self.hub), on_end)
        self._advance(call)
        return call

    def advance(self, turn: Turn) -> None:
        """Give every live call one turn."""
        self._begin(turn)
        self._tell_restarted()
        self.resolver.advance()
        for call in list(self.hub.live.values()):
            self._advance(call)

    def on_safety(self, view: SafetyView, turn: Turn) -> None:
        """Take a safety_state message. A restarted safety node is told so: it must not come up READY unlatched."""
        if self.hub.safety.on_view(view, turn.now_s):
            self._untold = True
        self.advance(turn)

    def on_unreadable_safety(self, turn: Turn) -> None:
        """Take note of a safety_state that cannot be read: nothing is allowed then."""
        self.hub.safety.forget()
        self.advance(turn)

    def _begin(self, turn: Turn) -> None:
        self.hub.stalled = turn.now_s - self.hub.turn.now_s > self.hub.config.stall_s
        self.hub.turn = turn

    def _tell_restarted(self) -> None:
        """Ask for the latch until the safety node has answered; its service may not be there at first."""
        told = self._telling
        if told is not None and told.done():
            self._untold, self._telling = False, None
        elif self._untold and (told is None or self.hub.now_s >= self._ask_again_s):
            detail = 'the executor has served an earlier safety node'
            self._telling = self.hub.ports.trip(TripRequest('SAFETY_RESTARTED', detail, '', '', 0))
            self._ask_again_s = self.hub.now_s + ASK_AGAIN_S

    def cancel(self, call_id: str, cause: CancelCause) -> bool:
        """Ask a live call to end. False if there is none; a second request changes nothing."""
        call = self.hub.live.get(call_id)
        if call is None:
            return False
        call.cancel = call.cancel or cause
        return True

    def cancel_all(self, cause: CancelCause) -> None:
        """Ask every live call to end."""
        for call_id in self.hub.live:
            self.cancel(call_id, cause)

    def control(self, call_id: str, command: str) -> tuple[bool, str]:
        """Pause or resume a live motion. Return whether it was done, and a sentence."""
        call = self.hub.live.get(call_id)
        if command not in ('pause', 'resume'):
            return False, f'command = {bounded_text(command, 40)!r}: must be pause or resume'
        if call is None:
            return False, f'no live call {bounded_text(call_id, 130)}'
        if call.skill.reads_only:
            return False, f'call {call_id} only reads: there is no motion to {command}'
        if command == 'resume' and call.paused:
            refusal = common_refusal(call, self.hub)
            if refusal is not None:
                return False, f'still paused: {refusal.message}'
        call.paused = command == 'pause'
        return True, f'call {call_id} is {"paused" if call.paused else "running"}'

    def describe(self) -> tuple[str, str]:
        """Return the skills as they stand now as JSON: circuits, approvals, names of seen objects; and its hash."""
        hub, names = self.hub, self.hub.registry.names
        circuits = {name: hub.breaker.state(name, hub.now_s).value for name in names}
        risks = {name: skill.risk for name in names if (skill := hub.registry.find(name)) is not None}
        approvals = {name: hub.approvals.policies(name, risk) for name, risk in risks.items()}
        return hub.registry.describe(Situation(circuits, seen_names(hub.view, hub.now_s), approvals))

    def resolve(self, call_id: str, effect: int, operator: str, reason: str) -> Job[NotAdmitted | None] | str:
        """Store what a person says of an unresolved call. A text says why the request is none."""
        if not operator.strip() or not reason.strip():
            return 'operator and reason must not be empty'
        if effect not in (Effect.NONE, Effect.PARTIAL, Effect.DONE):
            return f'effect must be 0 (none), 1 (partial) or 2 (done), got {effect}'
        evidence = bounded_json({'operator': bounded_text(operator), 'reason': bounded_text(reason)})
        by = f'operator {bounded_text(operator, 100)}'
        live = self.hub.live_ids()
        return self.hub.ports.submit(lambda: self.hub.journal.resolve(call_id, Effect(effect), by, evidence, live))

    def _not_now(self, call: Call) -> Refusal | None:
        other = self.hub.live.get(call.call_id)
        if other is not None and other.admission.fingerprint != call.admission.fingerprint:
            message = f'call_id {call.call_id} is in use for {other.admission.skill} {other.admission.arguments_json}'
            return Refusal(ErrorCode.IDEMPOTENCY_MISMATCH, message)
        if other is not None:
            return Refusal(ErrorCode.IN_PROGRESS, f'call {call.call_id} is {other.phase.value}; wait for its end')
        if len(self.hub.live) >= MAX_LIVE_CALLS:
            return Refusal(ErrorCode.RATE_LIMITED, f'{MAX_LIVE_CALLS} calls are live; wait until one ends')
        return None

    def _advance(self, call: Call) -> None:
        steps, on_end = self._running[call.call_id]
        try:
            next(steps)
            return
        except StopIteration as stop:
            result: CallResult = stop.value
        except Exception:  # a fault of ours: the call must still get an end
            self.hub.ports.log(f'{call.call_id}: {traceback.format_exc()}')
            result = CallResult(self._broken(call))
        del self._running[call.call_id]
        del self.hub.live[call.call_id]
        self.hub.unlock(call)
        call.result = result
        on_end(result)

    def _broken(self, call: Call) -> CallEnd:
        """End a call whose procedure raised: refused if nothing can have moved, else unknown and safety is told."""
        hub, end = self.hub, refused(ErrorCode.EXECUTION_ERROR, 'internal error; the log has the details')
        if call.skill.reads_only:
            return end
        if call.attempts == 0:
            hub.ports.submit(lambda: hub.journal.refuse(call.call_id, end, call.admitted_wall_s))
            return end
        unknown = replace(end, outcome=Outcome.UNKNOWN, effect=Effect.UNKNOWN, attempts=call.attempts)
        hub.ports.submit(lambda: hub.journal.end(call.call_id, unknown, call.admitted_wall_s))
        hub.ports.trip(TripRequest('SKILL_UNKNOWN', end.message, call.call_id, call.request.task_id, call.epoch))
        return unknown
