"""Random lives of an executor: calls, cancels, stops, lost sensors, crashes, operators, and what must never happen."""

from __future__ import annotations

from collections import Counter

from execution_bench import Bench, memory_journal
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule, RuleBasedStateMachine
from robot_tool_agent.core.execution.call import CancelCause
from robot_tool_agent.core.journal import Admitted, CallState
from robot_tool_agent.core.outcomes import Effect, Outcome
from robot_tool_agent.core.safety_state import SafetyMode

SKILLS = st.sampled_from(['nudge', 'nudge', 'slide', 'peek'])


class Life(RuleBasedStateMachine):
    """One robot, one journal, one executor after another."""

    def __init__(self) -> None:
        super().__init__()
        self.journal = memory_journal()
        self.starts: Counter[str] = Counter()
        self.started_in: dict[str, int] = {}
        self.boot = self.sent = 0
        self.wrong: list[str] = []
        self._watch_starts()
        self.bench = Bench(self.journal)
        self._watch_motion()

    def _watch_starts(self) -> None:
        real = self.journal.start

        def start(call_id: str, start_json: str, wall_s: float):
            blocked = self._blocks(call_id)
            decision = real(call_id, start_json, wall_s)
            if isinstance(decision, Admitted):
                self.starts[call_id] += 1
                self.started_in[call_id] = self.boot
                if blocked:
                    self.wrong.append(f'{call_id} started while {blocked} is unresolved')
            return decision

        self.journal.start = start  # type: ignore[method-assign]

    def _blocks(self, call_id: str) -> str:
        record = self.journal.record(call_id)
        assert record is not None
        if record.admission.idempotent:
            return ''
        others = [other.admission.call_id for other in self.journal.unresolved()]
        return ', '.join(other for other in others if other != call_id)

    def _watch_motion(self) -> None:
        real = self.bench.ports.send_motion

        def send(request) -> None:
            record = self.journal.record(request.call_id)
            moves = request.twist is not None and not request.twist.is_zero()
            if moves and (record is None or record.state is not CallState.STARTED):
                self.wrong.append(f'{request.call_id} moved without a STARTED row')
            if moves and self.started_in.get(request.call_id) != self.boot:
                self.wrong.append(f'{request.call_id} moved in another process than the one that started it')
            if moves and self.bench.mode is not SafetyMode.READY:
                self.wrong.append(f'{request.call_id} was moved in {self.bench.mode.name}')
            real(request)

        self.bench.ports.send_motion = send  # type: ignore[method-assign]

    def _some_id(self, back: int) -> str:
        return f'id-{max(0, self.sent - back)}'

    @rule(skill=SKILLS, ticks=st.integers(0, 14))
    def send_new(self, skill: str, ticks: int) -> None:
        self.sent += 1
        self.bench.send(f'id-{self.sent}', skill)
        self.bench.step(ticks)

    @rule(back=st.integers(0, 3), skill=SKILLS, ticks=st.integers(0, 4))
    def send_again(self, back: int, skill: str, ticks: int) -> None:
        self.bench.send(self._some_id(back), skill)
        self.bench.step(ticks)

    @rule(ticks=st.integers(1, 12))
    def pass_time(self, ticks: int) -> None:
        self.bench.step(ticks)

    @rule(back=st.integers(0, 2))
    def cancel(self, back: int) -> None:
        self.bench.executive.cancel(self._some_id(back), CancelCause.REQUEST)

    @precondition(lambda self: self.bench.mode is SafetyMode.READY)
    @rule(mode=st.sampled_from([SafetyMode.STOPPING, SafetyMode.RETREATING, SafetyMode.HOLDING]))
    def stop(self, mode: SafetyMode) -> None:
        self.bench.epoch += 1
        self.bench.mode = mode
        self.bench.step()

    @precondition(lambda self: self.bench.mode is not SafetyMode.READY)
    @rule()
    def reset(self) -> None:
        self.bench.mode, self.bench.epoch = SafetyMode.READY, self.bench.epoch + 1
        self.bench.step()

    @rule(ticks=st.integers(2, 12))
    def lose_sensors(self, ticks: int) -> None:
        self.bench.senses = False
        self.bench.step(ticks)
        self.bench.senses = True
        self.bench.step(2)

    @rule(ticks=st.integers(0, 3))
    def crash(self, ticks: int) -> None:
        """End the process without a word; another one opens the same journal."""
        self.bench.step(ticks)
        old, self.boot = self.bench, self.boot + 1
        unresolved = self.journal.recover(old.now_s)
        self.bench = Bench(self.journal)
        self.bench.now_s, self.bench.pose = old.now_s + 1.0, old.pose
        self.bench.mode, self.bench.epoch = old.mode, old.epoch
        self.bench.executive.resolver.take(unresolved)
        self._watch_motion()
        self.bench.step()

    @rule(back=st.integers(0, 4), effect=st.sampled_from([Effect.NONE, Effect.PARTIAL, Effect.DONE]))
    def resolve(self, back: int, effect: Effect) -> None:
        self.bench.executive.resolve(self._some_id(back), int(effect), 'ann', 'looked')

    @invariant()
    def one_started_per_call(self) -> None:
        assert all(count == 1 for count in self.starts.values()), self.starts

    @invariant()
    def nothing_was_wrong(self) -> None:
        assert self.wrong == []

    @invariant()
    def a_success_is_a_motion_that_was_made(self) -> None:
        for record in self.journal.rows():
            end = record.end
            if end is not None and end.outcome is Outcome.SUCCEEDED and not record.admission.reads_only:
                assert end.effect is Effect.DONE
                assert self.starts[record.admission.call_id] == 1

    @invariant()
    def every_goal_gets_one_result_at_most(self) -> None:
        live = set(self.bench.hub.live)
        assert set(self.bench.hub.locks.values()) <= set(self.bench.hub.live.values())
        assert live <= set(self.bench.results)

    def teardown(self) -> None:
        self.bench.mode, self.bench.senses = SafetyMode.HOLDING, True
        self.bench.epoch += 1
        self.bench.step(200)
        assert self.bench.hub.live == {}, 'every call ends'
        assert self.bench.hub.locks == {}


TestLife = Life.TestCase
TestLife.settings = settings(max_examples=80, stateful_step_count=40, deadline=None, derandomize=True)
