"""A skill call through `rta mcp`, as an MCP client makes it: request to result over stdin and stdout."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
import os
from pathlib import Path
import sys
import threading
import time
from typing import Any

from mcp import Client, stdio_client, StdioServerParameters

START_TIMEOUT_S, CALL_TIMEOUT_S, END_TIMEOUT_S = 20.0, 10.0, 10.0


class McpCaller:
    """Server process and client; the client's event loop runs in a thread of its own, as that of the direct caller."""

    def __init__(self, domain_id: int, log: Path) -> None:
        self._server = StdioServerParameters(
            command=sys.executable,
            args=['-m', 'robot_tool_agent.cli', 'mcp'],
            env={**os.environ, 'ROS_DOMAIN_ID': str(domain_id), 'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST'},
        )
        self._log = log
        self._loop = asyncio.new_event_loop()
        self._leave = asyncio.Event()
        self._ready: Future[Client] = Future()
        self._thread = threading.Thread(target=lambda: self._loop.run_until_complete(self._serve()), daemon=True)

    def start(self) -> None:
        """Start the server and wait until a first call succeeds. Raise TimeoutError or ValueError if none does."""
        self._thread.start()
        self._client = self._ready.result(START_TIMEOUT_S)
        self.read_only_s()

    def close(self) -> None:
        """End client and server."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._leave.set)
            self._thread.join(END_TIMEOUT_S)

    async def _serve(self) -> None:
        try:
            with self._log.open('w', encoding='utf-8') as log:
                async with Client(stdio_client(self._server, errlog=log)) as client:
                    self._ready.set_result(client)
                    await self._leave.wait()
        except Exception as error:
            if not self._ready.done():
                self._ready.set_exception(error)

    def read_only_s(self) -> float:
        """Return the seconds of a call that reads the robot's state."""
        took_s, result = asyncio.run_coroutine_threadsafe(self._call(), self._loop).result(CALL_TIMEOUT_S)
        if result.is_error:
            raise ValueError(f'get_robot_state through MCP: {result.content}')
        return took_s

    async def _call(self) -> tuple[float, Any]:
        began_s = time.monotonic()
        result = await self._client.call_tool('get_robot_state', {})
        return time.monotonic() - began_s, result
