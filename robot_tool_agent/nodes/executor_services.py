"""The executor's services: describe_skills, resolve_call, decide_approval, control_call."""

from collections.abc import Generator
from typing import Generic, TypeVar

from rclpy.node import Node
from robot_tool_agent.core.execution.executive import Executive
from robot_tool_agent.core.execution.ports import Job
from robot_tool_agent.core.journal import JournalError, NotAdmitted
from robot_tool_agent.core.outcomes import Effect
from robot_tool_agent.nodes.told_text import told_text
from robot_tool_agent_interfaces.srv import ControlCall, DecideApproval, DescribeSkills, ResolveCall

Result = TypeVar('Result')


class JobEnd(Generic[Result]):
    """Awaits a job of the journal thread. The job's end wakes the node, and the executor polls again at every wake."""

    def __init__(self, job: Job[Result]) -> None:
        self._job = job

    def __await__(self) -> Generator[None, None, Result]:
        while not self._job.done():
            yield
        return self._job.result()


class ExecutorServices:
    """Answers questions about skills and calls."""

    def __init__(self, node: Node, executive: Executive) -> None:
        self._node = node
        self._executive = executive
        self._servers = [
            node.create_service(DescribeSkills, 'describe_skills', self._describe),
            node.create_service(ResolveCall, 'resolve_call', self._resolve),
            node.create_service(DecideApproval, 'decide_approval', self._decide),
            node.create_service(ControlCall, 'control_call', self._control),
        ]

    def _describe(self, request: DescribeSkills.Request, response: DescribeSkills.Response) -> DescribeSkills.Response:
        response.skills_json, response.schema_hash = self._executive.describe()
        return response

    def _decide(self, request: DecideApproval.Request, response: DecideApproval.Response) -> DecideApproval.Response:
        fault = self._executive.hub.approvals.decide(request.call_id, request.approve, request.operator_name)
        word = 'approved' if request.approve else 'denied'
        response.success = fault is None
        response.message = told_text(fault or f'call {request.call_id} {word} by {request.operator_name}')
        self._node.get_logger().info(f'decide_approval: {response.message}; {told_text(request.reason)}')
        return response

    def _control(self, request: ControlCall.Request, response: ControlCall.Response) -> ControlCall.Response:
        response.success, response.message = self._executive.control(request.call_id, request.command)
        self._node.get_logger().info(f'control_call: {response.message}')
        return response

    async def _resolve(self, request: ResolveCall.Request, response: ResolveCall.Response) -> ResolveCall.Response:
        job = self._executive.resolve(request.call_id, request.effect, request.operator_name, request.reason)
        fault = job if isinstance(job, str) else await self._stored(job)
        response.success = fault is None
        response.message = told_text(fault or f'call {request.call_id} resolved as {Effect(request.effect).name}')
        self._node.get_logger().info(f'resolve_call by {told_text(request.operator_name)}: {response.message}')
        return response

    async def _stored(self, job: Job[NotAdmitted | None]) -> str | None:
        try:
            refused = await JobEnd(job)
        except JournalError as error:
            return f'the journal cannot be written: {error}'
        return None if refused is None else refused.message
