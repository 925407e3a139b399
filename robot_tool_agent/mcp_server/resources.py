"""What a client can read: the robot's state, the safety state, and how calls ended."""

from __future__ import annotations

import asyncio
import itertools
import json
from typing import Any

from mcp.shared.exceptions import MCPError
import mcp_types as types
from robot_tool_agent.mcp_server.announcements import Announcements
from robot_tool_agent.mcp_server.results import structured
from robot_tool_agent.mcp_server.running import Robot, RobotSilent, RunningCall, SkillCall
from robot_tool_agent.mcp_server.tool_calls import ToolCalls

STATE_URI, SAFETY_URI, CALL_URI = 'robot://state', 'robot://safety', 'robot://calls/'
STATE_SKILL = 'get_robot_state'
STATE_TIMEOUT_S = 10.0
JSON_TYPE = 'application/json'
RESOURCES = (
    types.Resource(
        uri=STATE_URI,
        name='robot_state',
        mime_type=JSON_TYPE,
        description='Pose, battery, gripper and freshness of the sensors: the end of a call of get_robot_state.',
    ),
    types.Resource(
        uri=SAFETY_URI,
        name='safety_state',
        mime_type=JSON_TYPE,
        description='State of the safety node: may the robot move, which fault holds it, how old the news is.',
    ),
)
TEMPLATES = (
    types.ResourceTemplate(
        uri_template=CALL_URI + '{call_id}',
        name='call_end',
        mime_type=JSON_TYPE,
        description='How a call of this server ended, or that it runs. The way to learn the end of a cancelled call.',
    ),
)


class RobotResources:
    """Handlers of `resources/*`."""

    def __init__(self, robot: Robot, calls: ToolCalls, announcements: Announcements, server_id: str) -> None:
        self._robot = robot
        self._calls = calls
        self._announcements = announcements
        self._server_id = server_id
        self._numbers = itertools.count(1)

    async def list_resources(self, context: Any, params: Any) -> types.ListResourcesResult:
        """Return the resources."""
        return types.ListResourcesResult(resources=list(RESOURCES))

    async def list_templates(self, context: Any, params: Any) -> types.ListResourceTemplatesResult:
        """Return the templates."""
        return types.ListResourceTemplatesResult(resource_templates=list(TEMPLATES))

    async def read(self, context: Any, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        """Return a resource as JSON text. Raise MCPError for an unknown one."""
        uri = params.uri
        if uri == SAFETY_URI:
            content = await self._safety()
        elif uri == STATE_URI:
            content = await self._state()
        elif uri.startswith(CALL_URI):
            content = self._call(uri.removeprefix(CALL_URI))
        else:
            raise MCPError(types.INVALID_PARAMS, f'no such resource; there are {STATE_URI}, {SAFETY_URI} and calls')
        text = json.dumps(content, ensure_ascii=False)
        return types.ReadResourceResult(contents=[types.TextResourceContents(uri=uri, mime_type=JSON_TYPE, text=text)])

    async def subscribe(self, context: Any, params: types.SubscribeRequestParams) -> types.EmptyResult:
        """Tell this connection when a resource changes."""
        name = self._calls.connection_of(context)
        known = params.uri in (STATE_URI, SAFETY_URI)
        if not known or not self._announcements.subscribe(name, context.session, params.uri):
            raise MCPError(types.INVALID_PARAMS, f'only {STATE_URI} and {SAFETY_URI} can be subscribed')
        return types.EmptyResult()

    async def unsubscribe(self, context: Any, params: types.UnsubscribeRequestParams) -> types.EmptyResult:
        """Tell this connection no longer."""
        self._announcements.unsubscribe(self._calls.connection_of(context), params.uri)
        return types.EmptyResult()

    async def _safety(self) -> dict[str, Any]:
        try:
            return await self._robot.safety()
        except RobotSilent as error:
            raise MCPError(types.INTERNAL_ERROR, str(error)) from None

    async def _state(self) -> dict[str, Any]:
        call_id = f'{self._server_id}:state-{next(self._numbers)}'
        running = self._robot.start(SkillCall(call_id, '', STATE_SKILL, '{}'))
        try:
            await asyncio.wait_for(_until_end(running), STATE_TIMEOUT_S)
        except TimeoutError:
            running.cancel()
        return self._told(running)

    def _call(self, call_id: str) -> dict[str, Any]:
        running = self._calls.book.find(call_id)
        if running is None:
            raise MCPError(types.INVALID_PARAMS, 'no such call of this server; `rta journal show` knows every one')
        return {'live': True, 'call_id': call_id} if running.live else {'live': False, **self._told(running)}

    def _told(self, running: RunningCall) -> dict[str, Any]:
        if running.end is None:
            raise MCPError(types.INTERNAL_ERROR, running.fault or 'the executor gave no answer in time')
        return structured(running.call.call_id, running.end)


async def _until_end(running: RunningCall) -> None:
    while running.live:
        await running.changed.wait()
        running.changed.clear()
