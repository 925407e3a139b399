"""`rta mcp` as a process of its own, with the SDK's client on its stdin and stdout, used from another thread."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping
from concurrent.futures import Future
import json
import os
from pathlib import Path
import signal
import subprocess
import sys
import threading
import time
from types import TracebackType
from typing import Any

from mcp import Client, stdio_client, StdioServerParameters
import mcp_types as types
from robot_tool_agent.mcp_server.results import CALL_ID_KEY
from robot_tool_agent_sim.harness.processes import processes_of

COMMAND = ('-m', 'robot_tool_agent.cli', 'mcp')
CONNECT_TIMEOUT_S, CALL_TIMEOUT_S, END_TIMEOUT_S = 30.0, 60.0, 15.0


def environment(domain_id: int, home: Path) -> dict[str, str]:
    """Return the environment of a server. `home` is its mark among the processes of this machine."""
    return {
        **os.environ,
        'ROS_DOMAIN_ID': str(domain_id),
        'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST',
        'ROS_HOME': str(home),
    }


def server_pid(home: Path) -> int:
    """Return the process id of the one server that was started with a home. Raise LookupError if there is none."""
    found = [pid for pid, command in processes_of(home).items() if 'robot_tool_agent.cli mcp' in command]
    if len(found) != 1:
        raise LookupError(f'{len(found)} servers with ROS_HOME {home}')
    return found[0]


class McpClient:
    """The SDK's client in a thread of its own. `answer` is what the person at it says, None if nobody can be asked."""

    def __init__(self, domain_id: int, home: Path, mode: str, answer: types.ElicitResult | None = None) -> None:
        self._home = home
        self._mode = mode
        self._answer = answer
        self._parameters = StdioServerParameters(
            command=sys.executable, args=list(COMMAND), env=environment(domain_id, home)
        )
        self._loop = asyncio.new_event_loop()
        self._ready: Future[Client] = Future()
        self._leave = asyncio.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> McpClient:
        self._thread.start()
        self._client = self._ready.result(CONNECT_TIMEOUT_S)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._leave.set)
        self._thread.join(END_TIMEOUT_S)
        for pid in processes_of(self._home):
            os.kill(pid, signal.SIGKILL)

    def _run(self) -> None:
        self._loop.run_until_complete(self._serve())

    async def _serve(self) -> None:
        options = {} if self._answer is None else {'elicitation_callback': self._say}
        try:
            async with Client(stdio_client(self._parameters), mode=self._mode, **options) as client:
                self._ready.set_result(client)
                await self._leave.wait()
        except BaseException as error:
            if not self._ready.done():
                self._ready.set_exception(error)

    async def _say(self, context: Any, params: Any) -> types.ElicitResult:
        assert self._answer is not None
        return self._answer

    def _post(self, work: Coroutine[Any, Any, Any]) -> Future[Any]:
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    @property
    def pid(self) -> int:
        """Process id of the server."""
        return server_pid(self._home)

    def start(self, name: str, arguments: Mapping[str, Any], call_id: str = '') -> Future[Any]:
        """Begin a tool call; cancelling what is returned cancels the request."""
        meta: Any = {CALL_ID_KEY: call_id} if call_id else None
        return self._post(self._client.call_tool(name, dict(arguments), meta=meta))

    def call(self, name: str, arguments: Mapping[str, Any], call_id: str = '') -> Any:
        """Make a tool call and return its result."""
        return self.start(name, arguments, call_id).result(CALL_TIMEOUT_S)

    def read(self, uri: str) -> Any:
        """Return the content of a resource."""
        return json.loads(self._post(self._client.read_resource(uri)).result(CALL_TIMEOUT_S).contents[0].text)


class RawServer:
    """`rta mcp` with bare pipes. As a context manager it ends the process, whatever happens."""

    def __init__(self, domain_id: int, home: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, *COMMAND],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(domain_id, home),
        )
        self.lines: list[bytes] = []
        self.errors: list[bytes] = []
        streams = ((self.process.stdout, self.lines), (self.process.stderr, self.errors))
        self._readers = [threading.Thread(target=lambda s=s, to=to: to.extend(s), daemon=True) for s, to in streams]
        for reader in self._readers:
            reader.start()

    def __enter__(self) -> RawServer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.wait(END_TIMEOUT_S)

    def send(self, data: bytes) -> None:
        """Write bytes to the server's stdin."""
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def wait_answer(self, request_id: object, timeout_s: float = CONNECT_TIMEOUT_S) -> Any:
        """Wait for the answer to a request and return it. Every line of stdout must be a frame."""
        deadline_s = time.monotonic() + timeout_s
        while time.monotonic() < deadline_s:
            for frame in [json.loads(line) for line in list(self.lines)]:
                assert frame['jsonrpc'] == '2.0'
                if frame.get('id') == request_id and 'method' not in frame:
                    return frame
            threading.Event().wait(0.01)
        raise TimeoutError(f'no answer to {request_id}; stderr: {self.errors[-20:]}')

    def end(self) -> int:
        """Close the server's stdin and return its exit code."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(END_TIMEOUT_S)
