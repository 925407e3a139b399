"""Streamable HTTP on loopback, for clients that know the token."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
import socket

from robot_tool_agent.mcp_server.frames import MAX_FRAME_BYTES
from robot_tool_agent.mcp_server.http_guard import Guard
from robot_tool_agent.mcp_server.service import RobotService
import uvicorn

PATH = '/mcp'
MAX_SESSIONS = 16
MAX_CONNECTIONS = 64


class HttpFront:
    """Serves on a socket that is bound to a loopback address; whoever has no token gets nothing."""

    def __init__(self, listener: socket.socket, token: str) -> None:
        self._listener = listener
        self._token = token

    async def serve(self, service: RobotService) -> None:
        """Serve until cancelled."""
        host = self._listener.getsockname()[0]
        app = service.server.streamable_http_app(
            streamable_http_path=PATH, host=host, max_request_body_size=MAX_FRAME_BYTES, max_sessions=MAX_SESSIONS
        )
        config = uvicorn.Config(
            Guard(app, self._token), log_config=None, access_log=False, lifespan='on', limit_concurrency=MAX_CONNECTIONS
        )
        await _Uvicorn(config).serve([self._listener])


class _Uvicorn(uvicorn.Server):
    """Leaves the signals to the process's own handlers: calls must be cancelled before the server ends."""

    def capture_signals(self) -> AbstractContextManager[None]:  # type: ignore[override]
        return nullcontext()
