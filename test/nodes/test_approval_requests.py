"""A person's decision on its way to the executor, with a clock that only the test moves."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from rclpy.task import Future
from robot_tool_agent.commands import approval_requests
from robot_tool_agent.commands.session import RESEND_S, SERVER_TIMEOUT_S
from robot_tool_agent_interfaces.srv import DecideApproval


class Executor:
    """Hears requests and answers them when a test says so."""

    def __init__(self) -> None:
        self.asked: list[tuple[DecideApproval.Request, Future]] = []
        self.given_up: list[Future] = []
        self.remove_pending_request = self.given_up.append

    def call_async(self, request: DecideApproval.Request) -> Future:
        self.asked.append((request, Future()))
        return self.asked[-1][1]


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return what a terminal would use; `now` moves its clock, `said` is what a person reads."""
    clock = [100.0]
    monkeypatch.setattr(approval_requests, 'time', SimpleNamespace(monotonic=lambda: clock[0]))
    executor, said = Executor(), list[str]()
    node: Any = SimpleNamespace(create_client=lambda *_: executor, create_subscription=lambda *_: None)
    view: Any = SimpleNamespace(say=said.append)
    session: Any = SimpleNamespace(node=node)
    requests = approval_requests.ApprovalRequests(session, view, 'task', ask=True)
    return SimpleNamespace(requests=requests, executor=executor, said=said, clock=clock)


def test_a_decision_whose_answer_is_lost_is_sent_again(desk: Any) -> None:
    desk.requests._send('task:1:0', True)
    assert not desk.requests.settled
    desk.clock[0] += RESEND_S + 0.1
    assert not desk.requests.settled
    first, second = desk.executor.asked
    assert first[0] == second[0]
    assert desk.executor.given_up == [first[1]]
    second[1].set_result(DecideApproval.Response(success=True, message='call task:1:0 approved by ann'))
    assert desk.requests.settled
    assert desk.said == ['call task:1:0 approved by ann']


def test_an_executor_that_never_answers_is_given_up_and_the_person_told(desk: Any) -> None:
    desk.requests._send('task:1:0', False)
    while not desk.requests.settled:
        desk.clock[0] += 0.5
        assert desk.clock[0] <= 100.0 + SERVER_TIMEOUT_S + 0.5
    assert len(desk.executor.asked) == 4
    assert desk.said == ['decide_approval: no answer; rta approve task:1:0 asks again']
