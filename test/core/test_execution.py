"""The order of a call and the calls that are refused, on a virtual clock."""

from execution_bench import Bench
import pytest
from robot_tool_agent.core.journal import CallState
from robot_tool_agent.core.outcomes import Effect, ErrorCode, Outcome


@pytest.fixture
def bench():
    return Bench()


def test_a_call_moves_stands_still_is_verified_and_stored(bench):
    bench.send('a')
    end = bench.end('a').end
    assert (end.outcome, end.effect, end.error) == (Outcome.SUCCEEDED, Effect.DONE, None)
    assert end.attempts == 1
    assert '"measured":0.1' in end.evidence_json
    assert bench.pose.x_m == pytest.approx(1.1)
    assert bench.journal.record('a').end == end
    assert bench.ports.motions[-1].last
    assert {request.epoch for request in bench.ports.motions} == {7}
    assert bench.ports.trips == []


def test_nothing_is_sent_before_started_is_stored(bench):
    seen = []
    bench.ports.send_motion = lambda request: seen.append(bench.journal.record('a').state)
    bench.send('a')
    bench.end('a')
    assert set(seen) == {CallState.STARTED}


def test_the_same_id_again_moves_nothing_and_says_replayed(bench):
    bench.send('a')
    first = bench.end('a')
    count = len(bench.ports.motions)
    bench.send('a')
    again = bench.end('a')
    assert again.replayed
    assert not first.replayed
    assert again.end == first.end
    assert len(bench.ports.motions) == count
    assert bench.pose.x_m == pytest.approx(1.1)


def test_the_same_id_while_running_is_in_progress_and_moves_once(bench):
    bench.send('a')
    bench.step(3)
    bench.send('a')
    assert bench.results['a'][0].end.error is ErrorCode.IN_PROGRESS
    bench.results['a'].clear()
    assert bench.end('a').end.outcome is Outcome.SUCCEEDED
    assert bench.pose.x_m == pytest.approx(1.1)


def test_the_same_id_for_another_skill_is_a_mismatch_live_and_ended(bench):
    bench.send('a')
    bench.step(3)
    bench.send('a', 'slide')
    assert bench.results['a'].pop(0).end.error is ErrorCode.IDEMPOTENCY_MISMATCH
    bench.end('a')
    bench.send('a', 'slide')
    bench.step(3)
    assert bench.results['a'][-1].end.error is ErrorCode.IDEMPOTENCY_MISMATCH
    bench.send('a', 'peek')
    bench.step(3)
    assert bench.results['a'][-1].end.error is ErrorCode.IDEMPOTENCY_MISMATCH


def test_two_calls_on_one_resource_do_not_queue(bench):
    bench.send('a')
    bench.step(3)
    bench.send('b')
    busy = bench.end('b').end
    assert (busy.outcome, busy.effect, busy.error) == (Outcome.REJECTED, Effect.NONE, ErrorCode.RESOURCE_BUSY)
    assert 'call a' in busy.message
    bench.end('a')
    bench.send('c')
    assert bench.end('c').end.outcome is Outcome.SUCCEEDED


@pytest.mark.parametrize(
    ('skill', 'arguments', 'call_id', 'code'),
    [
        ('nudge', '{', 'a', ErrorCode.INVALID_JSON),
        ('nudge', '"{}"', 'a', ErrorCode.INVALID_JSON),
        ('nudge', '{"x": 1}', 'a', ErrorCode.INVALID_ARGUMENT),
        ('fly', '{}', 'a', ErrorCode.UNKNOWN_SKILL),
        ('nudge', '{}', '', ErrorCode.INVALID_ARGUMENT),
        ('nudge', '{}', 'a b', ErrorCode.INVALID_ARGUMENT),
        ('nudge', '{}', 'a\n', ErrorCode.INVALID_ARGUMENT),
        ('nudge', '{}', 'x' * 129, ErrorCode.INVALID_ARGUMENT),
    ],
)
def test_bad_calls_are_refused_at_once(bench, skill, arguments, call_id, code):
    bench.send(call_id, skill, arguments)
    end = bench.results[call_id][0].end
    assert (end.outcome, end.effect, end.error) == (Outcome.REJECTED, Effect.NONE, code)
    assert bench.ports.motions == []
    assert bench.journal.record(call_id) is None


def test_reading_again_under_the_same_id_reads_anew(bench):
    bench.send('a', 'peek')
    bench.end('a')
    bench.send('a', 'peek')
    assert not bench.end('a').replayed
