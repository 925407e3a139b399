"""`tools/call`: from a request to a call of the executor, with all its rules, and back."""

from __future__ import annotations

import asyncio
from contextlib import suppress
import json
import secrets
from typing import Any

from mcp.shared.exceptions import MCPError
import mcp_types as types
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError
from robot_tool_agent.core.outcomes import ErrorCode
from robot_tool_agent.core.planning.untrusted import storable
from robot_tool_agent.core.skills.arguments import MAX_ARGUMENT_BYTES
from robot_tool_agent.mcp_server import approvals
from robot_tool_agent.mcp_server.call_book import CallBook
from robot_tool_agent.mcp_server.call_ids import call_id_of
from robot_tool_agent.mcp_server.http_guard import CALLS_KEY
from robot_tool_agent.mcp_server.progress import RisingProgress, TOTAL
from robot_tool_agent.mcp_server.results import refusal, tool_result
from robot_tool_agent.mcp_server.running import Question, Robot, RobotSilent, RunningCall, SkillCall

MAX_LIVE_CALLS = 8
MAX_NAME_CHARS = 128
ANSWER_KEY = 'approval'
Result = types.CallToolResult | types.InputRequiredResult


class ToolCalls:
    """Handler of `tools/call`. `ask_client`: whether a person is asked through the client, where it can do that."""

    def __init__(self, robot: Robot, server_id: str, ask_client: bool) -> None:
        self._robot = robot
        self._server_id = server_id
        self._ask_client = ask_client
        self._paused: dict[str, tuple[RunningCall, types.CallToolRequestParams]] = {}
        self.book = CallBook()
        self.closing = False

    async def __call__(self, context: Any, params: types.CallToolRequestParams) -> Result:
        """Run one call to its end. A cancelled request, and one whose client is gone, cancels its call."""
        if params.request_state is not None:
            running = await self._resume(context, params)
        else:
            started = self._start(context, params)
            if isinstance(started, types.CallToolResult):
                return started
            running = started
        try:
            return await self._follow(context, params, running)
        except BaseException:
            running.cancel()
            raise

    def _start(self, context: Any, params: types.CallToolRequestParams) -> RunningCall | types.CallToolResult:
        connection = self.connection_of(context)
        try:
            call_id = call_id_of(context.meta, connection, _request_key(context))
        except ValueError as error:
            return _refused('', ErrorCode.INVALID_ARGUMENT, str(error))
        if self.closing:
            raise MCPError(types.INTERNAL_ERROR, 'the server is ending; nothing was sent to the robot')
        if self._robot.live_calls() >= MAX_LIVE_CALLS:
            return _refused(call_id, ErrorCode.RATE_LIMITED, f'{MAX_LIVE_CALLS} calls are live; wait until one ends')
        running = self._robot.start(SkillCall(call_id, connection, _name(params), _arguments(params)))
        self.book.add(running)
        _calls_of_request(context).append(running)
        return running

    def connection_of(self, context: Any) -> str:
        """Return a name for the connection a request came on, part of the ids of its calls."""
        headers = getattr(context.request, 'headers', None) or {}
        session = headers.get('mcp-session-id', '')
        return f'{self._server_id}-{session[:32]}' if session else self._server_id

    async def _follow(self, context: Any, params: types.CallToolRequestParams, running: RunningCall) -> Result:
        progress, asking = RisingProgress(), None
        try:
            while running.live:
                await running.changed.wait()
                running.changed.clear()
                await _report(context, running, progress)
                question = running.question
                if question is None or asking is not None or not running.live:
                    continue
                if self._may_ask(context) and _is_modern(context):
                    return self._pause(context, params, running, question)
                asking = asyncio.create_task(self._ask(context, question))
        finally:
            if asking is not None:
                asking.cancel()
        return _ended(running)

    # A person is asked

    def _may_ask(self, context: Any) -> bool:
        capabilities = context.session.client_capabilities
        able = None if capabilities is None else capabilities.elicitation
        return self._ask_client and able is not None and (able.form is not None or able.url is None)

    async def _ask(self, context: Any, question: Question) -> None:
        """Put the question to the client of an older protocol version, which takes requests of the server."""
        if not self._may_ask(context):
            return
        request = approvals.form(question)
        with suppress(MCPError, ValidationError, TimeoutError):
            answer = await asyncio.wait_for(
                context.session.elicit_form(request.params.message, approvals.SCHEMA, context.request_id),
                question.timeout_s,
            )
            await self._decide(context, question, answer)

    async def _decide(self, context: Any, question: Question, answer: types.ElicitResult | None) -> None:
        approve = approvals.verdict(answer)
        if approve is None:
            return
        client = context.session.client_params
        name = approvals.operator_name(None if client is None else client.client_info)
        with suppress(RobotSilent):
            await self._robot.decide(question.call_id, approve, name)

    def _pause(
        self, context: Any, params: types.CallToolRequestParams, running: RunningCall, question: Question
    ) -> types.InputRequiredResult:
        """Answer with the question; the client sends the request again with the person's answer. The call waits."""
        self._paused = {token: item for token, item in self._paused.items() if item[0].live}
        token = secrets.token_urlsafe(24)
        self._paused[token] = (running, params)
        running.question = None
        _calls_of_request(context).clear()
        return types.InputRequiredResult(input_requests={ANSWER_KEY: approvals.form(question)}, request_state=token)

    async def _resume(self, context: Any, params: types.CallToolRequestParams) -> RunningCall:
        running, first = self._paused.pop(params.request_state or '', (None, None))
        if running is None or first is None:
            raise MCPError(types.INVALID_PARAMS, 'no call waits under this requestState; nothing was sent to the robot')
        if (params.name, params.arguments) != (first.name, first.arguments):
            running.cancel()
            raise MCPError(types.INVALID_PARAMS, 'another call than the one that waits; it was cancelled')
        answer = (params.input_responses or {}).get(ANSWER_KEY)
        question = Question(running.call.call_id, running.call.skill, running.call.arguments_json, '', 0.0)
        await self._decide(context, question, answer if isinstance(answer, types.ElicitResult) else None)
        running.changed.set()
        _calls_of_request(context).append(running)
        return running


def _calls_of_request(context: Any) -> list[RunningCall]:
    """Return the list whose calls end when the client of an HTTP request goes away."""
    calls: list[RunningCall] = [] if context.request is None else context.request.scope.get(CALLS_KEY, [])
    return calls


def _request_key(context: Any) -> int | str:
    """
    Return what tells a request from all others of its connection.

    Over HTTP without a session the ids of several clients are the same: there a new one is made.
    """
    alone = context.request is None or 'mcp-session-id' in context.request.headers
    return context.request_id if alone and context.request_id is not None else secrets.token_hex(8)


def _is_modern(context: Any) -> bool:
    return context.protocol_version in MODERN_PROTOCOL_VERSIONS


def _name(params: types.CallToolRequestParams) -> str:
    return storable(params.name[:MAX_NAME_CHARS])


def _arguments(params: types.CallToolRequestParams) -> str:
    """Return the arguments as JSON text, cut where the executor refuses it for its length anyway."""
    return json.dumps(params.arguments or {})[: 2 * MAX_ARGUMENT_BYTES]


async def _report(context: Any, running: RunningCall, progress: RisingProgress) -> None:
    if running.progress is None or not running.live:
        return
    text, share = running.progress
    running.progress = None
    if running.question is not None:
        text = f'{text}; {approvals.how_to_approve(running.question)}'
    value = progress.next(share)
    if value is not None:
        await context.session.report_progress(value, TOTAL, text)


def _ended(running: RunningCall) -> types.CallToolResult:
    if running.end is None:
        raise MCPError(types.INTERNAL_ERROR, f'{running.fault}; nothing was sent to the robot')
    hint = ''
    if running.end.error is ErrorCode.APPROVAL_EXPIRED:
        hint = f'While a call waits, a person answers it with: rta approve {running.call.call_id}'
    return types.CallToolResult.model_validate(tool_result(running.call.call_id, running.end, hint))


def _refused(call_id: str, error: ErrorCode, message: str) -> types.CallToolResult:
    return types.CallToolResult.model_validate(tool_result(call_id, refusal(error, message)))
