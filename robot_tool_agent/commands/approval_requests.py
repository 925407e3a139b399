"""Answers the approval requests of one task: at the terminal where there is one, else by telling how."""

from __future__ import annotations

from dataclasses import dataclass
import getpass
import time

from rclpy.task import Future
from robot_tool_agent.commands.ask import YesNo
from robot_tool_agent.commands.session import RESEND_S, SERVER_TIMEOUT_S, Session
from robot_tool_agent.commands.text import plain, ProgressView
from robot_tool_agent.core.execution.call import Phase
from robot_tool_agent.nodes.clock import seconds
from robot_tool_agent.nodes.qos import ALL_LATCHED
from robot_tool_agent_interfaces.msg import ApprovalRequest
from robot_tool_agent_interfaces.srv import DecideApproval

# As the feedback of a call that waits says it.
WAITING = Phase.APPROVAL.value


@dataclass(eq=False, slots=True)
class _Sent:
    """A decision on its way. It can be lost while both ends discover each other; told twice it counts once."""

    request: DecideApproval.Request
    future: Future
    again_s: float
    until_s: float


class ApprovalRequests:
    """Subscribes `approval_requests`. `poll` is called again and again; `ask`: whether a person is there to ask."""

    def __init__(self, session: Session, view: ProgressView, task_id: str, ask: bool) -> None:
        self._view = view
        self._task_id = task_id
        self._ask = ask
        self._waiting: list[ApprovalRequest] = []
        self._open: tuple[ApprovalRequest, YesNo] | None = None
        self._seen_waiting = False
        self._sent: _Sent | None = None
        self._client = session.node.create_client(DecideApproval, 'decide_approval')
        session.node.create_subscription(ApprovalRequest, 'approval_requests', self._on_request, ALL_LATCHED)

    def _on_request(self, message: ApprovalRequest) -> None:
        if message.task_id == self._task_id:
            self._waiting.append(message)

    def poll(self) -> None:
        """Put the next question, look for an answer, send it. Never waits."""
        self._check_sent()
        if self._open is not None:
            self._look()
        elif self._waiting:
            self._begin(self._waiting.pop(0))

    def note_progress(self, text: str) -> None:
        """
        Take note of how a call of the task is doing: one that waited and goes on was answered by someone else.

        Progress comes later than the request, so that of the phases before does not count.
        """
        if self._open is None or not text.startswith(f'{self._open[0].skill}: '):
            return
        if WAITING in text:
            self._seen_waiting = True
        elif self._seen_waiting:
            self.close()
            self._view.say('answered elsewhere')

    def close(self) -> None:
        """Take the question away: it is answered, or nobody waits for it any longer."""
        if self._open is not None:
            self._open[1].__exit__(None, None, None)
            self._open, self._seen_waiting = None, False
            self._view.start()

    @property
    def settled(self) -> bool:
        """Whether the executor has answered to what was decided."""
        self._check_sent()
        return self._sent is None

    def _begin(self, request: ApprovalRequest) -> None:
        timeout_s = max(0.0, seconds(request.deadline) - seconds(request.header.stamp))
        text = plain(f'{request.skill} {request.arguments_json} needs a yes: {request.reason}')
        if not self._ask:
            self._view.say(f'{text}. Answer with: rta approve {request.call_id}, or rta deny ({timeout_s:.0f} s)')
            return
        self._view.stop()
        self._open = (request, YesNo(text, timeout_s).__enter__())

    def _look(self) -> None:
        assert self._open is not None
        request, question = self._open
        answer = question.poll()
        if answer is None and not question.late:
            return
        self.close()
        if answer is None:
            self._view.say('nobody answered: the executor takes that as a no')
        else:
            self._send(request.call_id, answer)

    def _send(self, call_id: str, approve: bool) -> None:
        request = DecideApproval.Request(
            call_id=call_id, approve=approve, operator_name=getpass.getuser(), reason='at the terminal of rta task'
        )
        now_s = time.monotonic()
        self._sent = _Sent(request, self._client.call_async(request), now_s + RESEND_S, now_s + SERVER_TIMEOUT_S)

    def _check_sent(self) -> None:
        sent, now_s = self._sent, time.monotonic()
        if sent is None:
            return
        if sent.future.done():
            self._view.say(plain(sent.future.result().message))
            self._sent = None
        elif now_s >= sent.until_s:
            self._client.remove_pending_request(sent.future)
            self._view.say(f'decide_approval: no answer; rta approve {sent.request.call_id} asks again')
            self._sent = None
        elif now_s >= sent.again_s:
            self._client.remove_pending_request(sent.future)
            sent.future, sent.again_s = self._client.call_async(sent.request), now_s + RESEND_S
