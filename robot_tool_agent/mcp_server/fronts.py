"""How a client reaches the server; HTTP is in http_front.py."""

from __future__ import annotations

from typing import Protocol

from robot_tool_agent.mcp_server.service import RobotService
from robot_tool_agent.mcp_server.stdio import stdio_streams, Wire


class Front(Protocol):
    """Carries requests to a service."""

    async def serve(self, service: RobotService) -> None:
        """Serve until the client is gone for good, or until cancelled."""


class StdioFront:
    """One client, at the other end of two pipes."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    async def serve(self, service: RobotService) -> None:
        """Serve until the client closes its end."""
        async with stdio_streams(self._wire) as (reads, writes):
            await service.server.run(reads, writes, service.options())
