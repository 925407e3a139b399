"""Providers that fail: who is asked next and when, and what the user is told when nobody answers."""

from __future__ import annotations

from collections.abc import Sequence

from planning_lines import DONE, GO, outcome
from planning_rig import Rig, view
import pytest
from robot_tool_agent.core.outcomes import ErrorCode, TaskStatus
from robot_tool_agent.core.planning.actions import AskModel
from robot_tool_agent.core.planning.conversation import FailureKind, ModelFailure
from robot_tool_agent.core.planning.limits import PlannerLimits
from robot_tool_agent.core.planning.loop import TaskLoop
from robot_tool_agent.core.planning.model_chain import ModelChain
from robot_tool_agent.core.planning.model_turn import ModelTurn, NextTry
from robot_tool_agent.core.safety_state import SafetyMode
from robot_tool_agent.llm.provider import FixRequest, ProviderError, RetryLater, UseAnotherProvider
from robot_tool_agent.llm.scripted import Line, ScriptedProvider

BUSY = RetryLater('busy', kind=FailureKind.RATE_LIMITED)
BAD_KEY = UseAnotherProvider('the key was not accepted', FailureKind.NOT_ALLOWED)
TOO_LONG = FixRequest('too long', FailureKind.TOO_LONG)
NO_PAUSE = {'llm_backoff_s': 0.0, 'llm_jitter': 0.0}


class ChainRig(Rig):
    """A rig whose providers have names and scripts of their own; keeps when each was asked."""

    def __init__(self, scripts: dict[str, Sequence[Line]], chain: ModelChain | None = None, **limits: object) -> None:
        super().__init__(ScriptedProvider([]), **limits)
        self.models = {name: ScriptedProvider(lines) for name, lines in scripts.items()}
        self.chain = chain or ModelChain(tuple(scripts), self.loop._state.limits)
        self.asked: list[tuple[str, float]] = []
        self.restart('t')

    def restart(self, task_id: str) -> None:
        self.loop = TaskLoop(task_id, 'do it', self.loop._state.limits, self.store, chain=self.chain)

    def _ask(self, action: AskModel) -> None:
        self.asked.append((action.provider, self.now_s - 100.0))
        self.provider = self.models[action.provider]
        super()._ask(action)

    def names(self) -> list[str]:
        return [name for name, _ in self.asked]


@pytest.mark.parametrize(
    ('failure', 'asked'),
    [
        (BUSY, ['a', 'a', 'a', 'b', 'a']),
        (BAD_KEY, ['a', 'b', 'a']),
        (TOO_LONG, ['a', 'b', 'a']),
        (UseAnotherProvider('refused', FailureKind.REFUSED), ['a', 'b', 'a']),
    ],
)
def test_the_next_provider_takes_the_turn_and_the_next_turn_starts_with_the_first(
    failure: ProviderError, asked: list[str]
) -> None:
    tries = asked.index('b')
    bench = ChainRig({'a': [*[failure] * tries, DONE], 'b': [GO]}, llm_retries=2, **NO_PAUSE)
    assert bench.run().status is TaskStatus.SUCCEEDED
    assert bench.names() == asked


def test_the_next_provider_gets_the_same_request() -> None:
    bench = ChainRig({'a': [BAD_KEY, DONE], 'b': [GO]})
    bench.run()
    assert bench.models['a'].requests[0] == bench.models['b'].requests[0]


def test_the_pause_doubles_jitters_and_is_never_shorter_than_asked_for() -> None:
    chances = iter([0.0, 1.0, 0.5])
    limits = PlannerLimits(llm_backoff_s=2.0, llm_jitter=0.5, llm_retries=3, llm_max_pause_s=60.0)
    turn = ModelTurn(limits, ModelChain(('a',), limits, lambda: next(chances)))
    assert turn.begin(0.0) == NextTry('a')
    pauses = [turn.failed(failure, 0.0) for failure in (BUSY.as_failure(), BUSY.as_failure())]
    assert [item.pause_s for item in pauses if item] == [2.0, 2.0 * 2.0 * 1.5]
    wanted = turn.failed(ModelFailure('busy', retry=True, retry_after_s=30.0), 0.0)
    assert wanted is not None
    assert wanted.pause_s == 30.0


def test_one_that_wants_a_long_pause_is_passed_over_until_that_is_over() -> None:
    bench = ChainRig({'a': [RetryLater('busy', 90.0), DONE, DONE], 'b': [DONE, DONE]}, llm_max_pause_s=20.0, **NO_PAUSE)
    assert bench.run().llm_calls == 2
    bench.restart('second')
    bench.now_s += 60.0
    bench.run()
    bench.restart('third')
    bench.now_s += 31.0
    bench.run()
    assert bench.names() == ['a', 'b', 'b', 'a']


def test_a_short_wait_asked_for_outlives_the_task() -> None:
    bench = ChainRig({'a': [RetryLater('busy', 9.0), GO, DONE]}, llm_retries=0, **NO_PAUSE)
    assert bench.run().error is ErrorCode.MODEL_UNAVAILABLE
    bench.restart('second')
    assert bench.run().status is TaskStatus.SUCCEEDED
    assert bench.names() == ['a', 'a', 'a']
    assert bench.asked[1][1] == pytest.approx(9.0, abs=0.1)


def test_the_breaker_opens_lets_one_try_through_and_closes_on_a_reply() -> None:
    lines = [BAD_KEY, BAD_KEY, BAD_KEY, DONE, DONE]
    bench = ChainRig({'a': lines, 'b': [DONE] * 9}, llm_breaker_failures=2, llm_breaker_open_s=60.0, **NO_PAUSE)
    pauses_s = {'2': 0.0, '3': 0.0, '4': 61.0, '5': 30.0, '6': 31.0, '7': 0.0}
    bench.run()
    for name, pause_s in pauses_s.items():
        bench.restart(name)
        bench.now_s += pause_s
        bench.run()
    assert bench.names() == ['a', 'b', 'a', 'b', 'b', 'a', 'b', 'b', 'a', 'a']


def test_a_breaker_that_opens_ends_the_repeats() -> None:
    bench = ChainRig({'a': [BUSY] * 9, 'b': [DONE]}, llm_breaker_failures=2, llm_retries=5, **NO_PAUSE)
    bench.run()
    assert bench.names() == ['a', 'a', 'b']


@pytest.mark.parametrize('failure', [TOO_LONG, UseAnotherProvider('no', FailureKind.REFUSED)])
def test_what_only_the_request_is_to_blame_for_opens_no_breaker(failure: ProviderError) -> None:
    bench = ChainRig({'a': [failure, failure, failure, DONE], 'b': [GO, GO, DONE]}, llm_breaker_failures=1)
    bench.run()
    assert bench.names().count('a') == 3


def test_a_silent_provider_is_left_for_the_next_one() -> None:
    class Deaf(ChainRig):

        def _ask(self, action: AskModel) -> None:
            if action.provider == 'a':
                self.asked.append((action.provider, self.now_s - 100.0))
            else:
                super()._ask(action)

    bench = Deaf({'a': [], 'b': [DONE]}, llm_timeout_s=5.0, llm_retries=1, **NO_PAUSE)
    bench.run()
    assert bench.names() == ['a', 'a', 'b']
    assert bench.asked[-1][1] == pytest.approx(10.0, abs=0.2)


def test_the_end_tells_what_was_tried_how_the_robot_is_and_what_can_be_done() -> None:
    bench = ChainRig({'a': [BUSY] * 3, 'b': [BAD_KEY], 'c': [TOO_LONG]}, llm_retries=1, **NO_PAUSE)
    bench.view = view(SafetyMode.HOLDING, 'ODOM_STALE')
    bench.loop.tick(bench.view, bench.now_s)
    end = bench.run()
    assert outcome(end) == (TaskStatus.FAILED, ErrorCode.MODEL_UNAVAILABLE)
    tried = 'a (2 tries): busy; b (1 try): the key was not accepted; c (1 try): too long.'
    for part in (tried, 'safety is HOLDING', 'No skill call is running', 'You can', 'No call was verified'):
        assert part in end.summary
    assert (end.llm_calls, bench.sent) == (4, [])


def test_the_end_names_those_that_were_not_asked() -> None:
    bench = ChainRig({'a': [BAD_KEY] * 2}, llm_breaker_failures=1, llm_breaker_open_s=60.0)
    bench.run()
    bench.restart('second')
    bench.now_s += 10.0
    end = bench.run()
    assert end.llm_calls == 0
    assert 'a: not asked: it failed too often lately, next try in 50 s' in end.summary


def test_every_change_of_mind_is_reported_once() -> None:
    bench = ChainRig({'a': [BUSY, BUSY, DONE], 'b': [GO]}, llm_retries=1, llm_backoff_s=1.0, llm_jitter=0.0)
    bench.run()
    notes = [report.text for report in bench.reports if report.kind == 'retry']
    assert notes == ['a: busy; asking again in 1.0 s', 'a: busy; asking b']
