"""One MCP server, from start to end."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
import secrets
import signal
import sys
import traceback
from typing import Any

from robot_tool_agent.mcp_server.fronts import Front
from robot_tool_agent.mcp_server.ros_link import RosLink
from robot_tool_agent.mcp_server.service import RobotService

EXIT_OK, EXIT_BROKEN = 0, 1
# How long calls that were cancelled at the end may take to stand still and be judged.
END_TIMEOUT_S = 8.0
# How long their results may take to leave.
LINGER_S = 0.3
STOP_TIMEOUT_S = 2.0
POLL_S = 0.02


class McpServer:
    """
    Serves until the front says that the client is gone, or a signal comes; then every call is cancelled.

    Their ends are awaited. A second signal, or a SIGKILL, ends the process at once: then the executor misses its
    heartbeat and cancels.
    """

    def __init__(self, front: Front, namespace: str, ask_client: bool) -> None:
        self._front = front
        self._namespace = namespace
        self._ask_client = ask_client
        self._stop = asyncio.Event()
        self._exit_code = EXIT_OK
        self._tasks: set[asyncio.Task[Any]] = set()

    async def run(self) -> int:
        """Return the exit code: 0 after the client left or a signal, 1 if the ROS side broke."""
        self._listen()
        robot = RosLink(self._namespace, self._on_safety, self._on_broken)
        self._service = RobotService(robot, f'mcp-{secrets.token_hex(6)}', self._ask_client)
        try:
            await self._serve(robot)
        finally:
            for task in self._tasks:
                task.cancel()
            await robot.close()
        return self._exit_code

    def _listen(self) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, self._on_signal, number)

    def _on_signal(self, number: signal.Signals) -> None:
        if self._stop.is_set():
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)
        self._stop.set()

    def _on_broken(self) -> None:
        print('rta mcp: the ROS side broke; the server ends', file=sys.stderr)
        self._exit_code = EXIT_BROKEN
        self._stop.set()

    def _on_safety(self) -> None:
        self._begin(self._service.safety_changed())

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, robot: RosLink) -> None:
        self._begin(self._service.watch_tools())
        serving = asyncio.ensure_future(self._front.serve(self._service))
        stopping = asyncio.ensure_future(self._stop.wait())
        await asyncio.wait({serving, stopping}, return_when=asyncio.FIRST_COMPLETED)
        self._service.calls.closing = True
        robot.cancel_all()
        if self._exit_code == EXIT_OK:
            await _ended(robot)
        if not serving.done():
            await asyncio.sleep(LINGER_S)
        serving.cancel()
        stopping.cancel()
        await asyncio.wait({serving}, timeout=STOP_TIMEOUT_S)
        self._note_fault(serving)

    def _note_fault(self, serving: asyncio.Future[None]) -> None:
        fault = serving.exception() if serving.done() and not serving.cancelled() else None
        if fault is not None:
            traceback.print_exception(fault)
            self._exit_code = EXIT_BROKEN


async def _ended(robot: RosLink) -> None:
    loop = asyncio.get_running_loop()
    until_s = loop.time() + END_TIMEOUT_S
    while robot.live_calls() and loop.time() < until_s:
        await asyncio.sleep(POLL_S)


def serve(front: Front, namespace: str, ask_client: bool) -> int:
    """Serve MCP behind a front and return the exit code."""

    async def main() -> int:
        return await McpServer(front, namespace, ask_client).run()

    return asyncio.run(main())
