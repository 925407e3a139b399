"""Attempts, fallbacks and circuit breakers, on a virtual clock."""

import json

from execution_bench import Bench, Nudge, Slide, TICK_S
import pytest
from robot_tool_agent.core.execution.call import CancelCause, Phase
from robot_tool_agent.core.outcomes import Effect, ErrorCode, Outcome
from robot_tool_agent.core.safety_state import SafetyMode
from robot_tool_agent.core.skills.base import Offer, RetryPolicy


@pytest.fixture
def bench():
    return Bench()


class TestRetries:

    @pytest.fixture(autouse=True)
    def _three_tries(self, monkeypatch):
        monkeypatch.setattr(Nudge, 'retry', RetryPolicy(attempts=3, backoff_s=0.4, jitter=0.5))

    def test_an_idempotent_call_is_tried_again_until_it_succeeds(self, bench, monkeypatch):
        monkeypatch.setattr(Slide, 'fail_first', 2)
        bench.send('a', 'slide')
        end = bench.end('a').end
        assert (end.outcome, end.attempts) == (Outcome.SUCCEEDED, 3)
        assert [number for number, _ in bench.journal.attempts('a')] == [2, 3]
        assert bench.ports.trips == []

    def test_the_pause_doubles_and_is_spread(self, bench, monkeypatch):
        monkeypatch.setattr(Slide, 'fail_first', 9)
        bench.send('a', 'slide')
        phases = []
        while not bench.results['a']:
            bench.step()
            call = bench.hub.live.get('a')
            if call is not None and call.phase is Phase.BACKOFF:
                phases.append((call.attempts, call.detail))
        assert bench.results['a'][0].end.attempts == 3
        assert sum(number == 1 for number, _ in phases) == pytest.approx(0.5 / TICK_S, abs=1)
        assert sum(number == 2 for number, _ in phases) == pytest.approx(1.0 / TICK_S, abs=1)
        assert len(bench.ports.trips) == 1

    def test_a_motion_that_is_not_idempotent_gets_one_more_only_after_effect_none(self, bench, monkeypatch):
        monkeypatch.setattr(Nudge, 'fail_first', 9)
        bench.send('a')
        end = bench.end('a').end
        assert (end.outcome, end.effect, end.attempts) == (Outcome.FAILED, Effect.NONE, 2)
        ((number, evidence),) = bench.journal.attempts('a')
        assert number == 2
        assert json.loads(evidence)['evidence'] == {'measured': 0.0}

    def test_a_motion_that_moved_is_not_tried_again(self, bench, monkeypatch):
        monkeypatch.setattr(Nudge, 'fail_at', 3)
        bench.send('a')
        end = bench.end('a').end
        assert (end.outcome, end.effect, end.attempts) == (Outcome.FAILED, Effect.PARTIAL, 1)
        assert bench.journal.attempts('a') == []

    def test_no_second_attempt_without_its_row(self, bench, monkeypatch):
        monkeypatch.setattr(Nudge, 'fail_first', 9)
        bench.ports.fail_from = 3
        bench.send('a')
        assert bench.end('a').end.attempts == 1

    def test_a_cancel_in_the_pause_ends_the_call(self, bench, monkeypatch):
        monkeypatch.setattr(Slide, 'fail_first', 9)
        bench.send('a', 'slide')
        while bench.hub.live['a'].phase is not Phase.BACKOFF:
            bench.step()
        bench.executive.cancel('a', CancelCause.REQUEST)
        end = bench.end('a').end
        assert (end.outcome, end.effect, end.attempts) == (Outcome.CANCELED, Effect.NONE, 1)

    def test_a_stop_in_the_pause_ends_the_call(self, bench, monkeypatch):
        monkeypatch.setattr(Slide, 'fail_first', 9)
        bench.send('a', 'slide')
        while bench.hub.live['a'].phase is not Phase.BACKOFF:
            bench.step()
        bench.mode, bench.epoch = SafetyMode.STOPPING, 8
        assert bench.end('a').end.outcome is Outcome.STOPPED


def test_a_fallback_reaches_the_goal_another_way(bench, monkeypatch):
    monkeypatch.setattr(Nudge, 'fail_first', 9)
    monkeypatch.setattr(Nudge, 'fallbacks', ('glide',))
    bench.send('a')
    end = bench.end('a').end
    assert (end.outcome, end.effect, end.attempts) == (Outcome.SUCCEEDED, Effect.DONE, 2)
    assert bench.journal.attempts('a') != []


def test_no_fallback_after_a_motion_that_moved(bench, monkeypatch):
    monkeypatch.setattr(Nudge, 'fail_at', 3)
    monkeypatch.setattr(Nudge, 'fallbacks', ('glide',))
    bench.send('a')
    assert bench.end('a').end.attempts == 1


def test_a_half_done_change_offers_what_would_tidy_up(bench, monkeypatch):
    monkeypatch.setattr(Nudge, 'fail_at', 3)
    monkeypatch.setattr(Nudge, 'compensation', lambda self, view, verdict: Offer('nudge', {'back': True}))
    bench.send('a')
    result = json.loads(bench.end('a').end.result_json)
    assert result['compensation'] == {'skill': 'nudge', 'arguments': {'back': True}}


class TestBreaker:

    def fail(self, bench, times, skill='slide'):
        for number in range(times):
            bench.send(f'{skill}-{number}', skill)
            assert bench.end(f'{skill}-{number}').end.outcome is Outcome.FAILED

    def circuit(self, bench, skill='slide'):
        described = json.loads(bench.executive.describe()[0])
        return {item['name']: item['circuit'] for item in described}[skill]

    def test_it_opens_half_opens_and_closes(self, bench, monkeypatch):
        monkeypatch.setattr(Slide, 'fail_first', 99)
        before = bench.executive.describe()[1]
        self.fail(bench, 5)
        assert self.circuit(bench) == 'open'
        assert bench.executive.describe()[1] != before
        bench.send('refused', 'slide')
        end = bench.end('refused').end
        assert (end.outcome, end.error, end.effect) == (Outcome.REJECTED, ErrorCode.CIRCUIT_OPEN, Effect.NONE)
        bench.step(round(31 / TICK_S))
        assert self.circuit(bench) == 'half_open'
        monkeypatch.setattr(Slide, 'fail_first', 0)
        bench.send('probe', 'slide')
        assert bench.end('probe').end.outcome is Outcome.SUCCEEDED
        assert self.circuit(bench) == 'closed'

    def test_a_failed_probe_opens_it_again(self, bench, monkeypatch):
        monkeypatch.setattr(Slide, 'fail_first', 99)
        self.fail(bench, 5)
        bench.step(round(31 / TICK_S))
        bench.send('probe', 'slide')
        assert bench.end('probe').end.outcome is Outcome.FAILED
        assert self.circuit(bench) == 'open'

    def test_the_probe_of_a_motion_that_is_not_idempotent_needs_a_person(self, bench, monkeypatch):
        monkeypatch.setattr(Nudge, 'fail_at', 3)
        self.fail(bench, 5, 'nudge')
        bench.step(round(31 / TICK_S))
        monkeypatch.setattr(Nudge, 'fail_at', None)
        bench.send('probe')
        bench.step(5)
        assert [ask.call_id for ask in bench.ports.asks] == ['probe']
        assert bench.hub.approvals.decide('probe', True, 'ann') is None
        assert bench.end('probe').end.outcome is Outcome.SUCCEEDED

    def test_other_skills_go_on(self, bench, monkeypatch):
        monkeypatch.setattr(Slide, 'fail_first', 99)
        self.fail(bench, 5)
        bench.send('a')
        assert bench.end('a').end.outcome is Outcome.SUCCEEDED

    def test_refusals_and_cancels_do_not_count(self, bench):
        bench.mode = SafetyMode.HOLDING
        bench.step()
        for number in range(9):
            bench.send(f'a{number}', 'slide')
            bench.end(f'a{number}')
        assert self.circuit(bench) == 'closed'
