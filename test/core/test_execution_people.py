"""What a person decides, and nobody else, on a virtual clock."""

from execution_bench import Bench
import pytest
from robot_tool_agent.core.execution.approvals import ApprovalDesk
from robot_tool_agent.core.outcomes import Effect, ErrorCode, Outcome
from robot_tool_agent.core.robot import ApprovalPolicy
from robot_tool_agent.core.skills.base import Risk
from sim_house import robot_description


@pytest.fixture
def bench():
    return Bench()


def moves(bench):
    return [request for request in bench.ports.motions if not request.last]


def test_high_risk_waits_for_a_person_and_yes_means_once(bench):
    bench.send('a', 'grip')
    bench.step(10)
    assert [ask.call_id for ask in bench.ports.asks] == ['a']
    assert moves(bench) == []
    assert bench.hub.approvals.decide('a', True, 'ann') is None
    bench.end('a')
    assert moves(bench) != []
    assert bench.hub.approvals.decide('a', True, 'ann') is not None


def test_denied_is_final_for_its_id(bench):
    bench.send('a', 'grip')
    bench.step(3)
    bench.hub.approvals.decide('a', False, 'ann')
    end = bench.end('a').end
    assert (end.outcome, end.effect, end.error) == (Outcome.REJECTED, Effect.NONE, ErrorCode.APPROVAL_DENIED)
    bench.send('a', 'grip')
    bench.step(3)
    assert bench.results['a'][-1].replayed
    assert len(bench.ports.asks) == 1


def test_no_answer_is_a_no(bench):
    bench.send('a', 'grip')
    end = bench.end('a', ticks=1400).end
    assert end.error is ErrorCode.APPROVAL_EXPIRED
    assert moves(bench) == []


def test_a_policy_asks_on_first_use_only():
    bench = Bench(approvals=(ApprovalPolicy(skill='nudge', first_use=True),))
    bench.send('a')
    bench.step(3)
    assert bench.hub.approvals.decide('a', True, 'ann') is None
    bench.end('a')
    bench.send('b')
    assert bench.end('b').end.outcome is Outcome.SUCCEEDED
    assert [ask.call_id for ask in bench.ports.asks] == ['a']


def test_denied_is_not_asked_again_under_another_id_within_the_task(bench):
    bench.send('a', 'grip')
    bench.step(3)
    bench.hub.approvals.decide('a', False, 'ann')
    bench.end('a')
    bench.send('b', 'grip')
    end = bench.end('b').end
    assert (end.outcome, end.error) == (Outcome.REJECTED, ErrorCode.APPROVAL_DENIED)
    assert len(bench.ports.asks) == 1


@pytest.mark.parametrize('place', ['table', 'Table', '桌子'])
def test_a_policy_on_a_place_holds_under_every_name_of_it(place):
    policy = ApprovalPolicy(skill='place', place='餐桌')
    robot = robot_description().model_copy(update={'approvals': (policy,)})
    assert ApprovalDesk(robot).reason('place', Risk.LOW, {'place': place}) is not None
    assert ApprovalDesk(robot).reason('place', Risk.LOW, {'place': 'kitchen'}) is None
