"""
MCP over stdin and stdout: one JSON-RPC frame a line, and nothing else on stdout.

Threads of its own read and write, so that neither a silent client nor one that does not read its answers holds up the
event loop; both are daemons, so that a blocked one does not hold up the end of the process.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import CancelledError
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
import os
import queue
import sys
import threading
from typing import Any

import anyio
from mcp.shared.message import SessionMessage
import mcp_types as types
from pydantic import ValidationError
from robot_tool_agent.mcp_server.frames import FrameFault, not_a_message, parse_frame
from robot_tool_agent.mcp_server.lines import LineCutter

READ_BYTES = 65_536
MAX_NOTES = 50
Streams = tuple[Any, Any]


@dataclass(frozen=True, slots=True)
class Wire:
    """The file descriptors that lead to the client."""

    reads: int
    writes: int


def claim_stdio() -> Wire:
    """
    Keep stdin and stdout for frames alone: whoever else reads gets nothing, whoever else prints lands on stderr.

    Done before anything of ROS is loaded, for the sake of its libraries in C++.
    """
    sys.stdout.flush()
    wire = Wire(os.dup(0), os.dup(1))
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return wire


@asynccontextmanager
async def stdio_streams(wire: Wire) -> AsyncIterator[Streams]:
    """Give the two streams that the SDK's server runs on. The first ends when the client is gone."""
    loop = asyncio.get_running_loop()
    to_server, frames_in = anyio.create_memory_object_stream[Any](0)
    frames_out, from_server = anyio.create_memory_object_stream[Any](0)
    replies = frames_out.clone()
    writer = _Writer(wire.writes, loop)
    threading.Thread(target=_read, args=(wire.reads, loop, to_server, replies), name='mcp-read', daemon=True).start()
    pump = asyncio.create_task(_write_all(from_server, writer, to_server))
    try:
        yield frames_in, frames_out
    finally:
        replies.close()
        with suppress(asyncio.CancelledError, TimeoutError):
            await asyncio.wait_for(pump, 1.0)
        to_server.close()


def _read(descriptor: int, loop: asyncio.AbstractEventLoop, to_server: Any, replies: Any) -> None:
    cutter, notes = LineCutter(), _Notes()
    with suppress(RuntimeError, CancelledError, anyio.BrokenResourceError, anyio.ClosedResourceError):
        while data := _read_some(descriptor):
            for line in cutter.feed(data):
                stream, message = _sorted(line, to_server, replies, notes)
                asyncio.run_coroutine_threadsafe(stream.send(SessionMessage(message)), loop).result()
        loop.call_soon_threadsafe(to_server.close)


def _read_some(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, READ_BYTES)
    except OSError as error:
        print(f'rta mcp: stdin: {error}', file=sys.stderr)
        return b''


class _Notes:
    """Notes refused lines on stderr, the first few alone: a client that does not read it must not stall the reader."""

    def __init__(self) -> None:
        self._left = MAX_NOTES

    def add(self, text: str) -> None:
        if self._left > 0:
            self._left -= 1
            last = '' if self._left else '; further ones are not noted'
            print(f'rta mcp: a line was refused: {text}{last}', file=sys.stderr)


def _sorted(line: bytes | FrameFault, to_server: Any, replies: Any, notes: _Notes) -> tuple[Any, types.JSONRPCMessage]:
    frame = line if isinstance(line, FrameFault) else parse_frame(line)
    if not isinstance(frame, FrameFault):
        try:
            return to_server, types.jsonrpc_message_adapter.validate_python(frame, by_name=False)
        except ValidationError:
            frame = not_a_message(frame)
    notes.add(frame.message)
    return replies, types.JSONRPCError.model_validate(frame.as_reply())


class _Writer:
    """Writes lines in a thread of its own."""

    def __init__(self, descriptor: int, loop: asyncio.AbstractEventLoop) -> None:
        self._descriptor = descriptor
        self._loop = loop
        self._lines: queue.SimpleQueue[tuple[bytes, asyncio.Future[None]]] = queue.SimpleQueue()
        threading.Thread(target=self._work, name='mcp-write', daemon=True).start()

    async def write(self, line: bytes) -> None:
        """Return once the line is written. Raise OSError if the client is gone."""
        done = self._loop.create_future()
        self._lines.put((line, done))
        await done

    def _work(self) -> None:
        with suppress(RuntimeError):  # the loop has ended
            while True:
                line, done = self._lines.get()
                fault = self._write(line)
                self._loop.call_soon_threadsafe(_finish, done, fault)

    def _write(self, line: bytes) -> OSError | None:
        try:
            while line:
                line = line[os.write(self._descriptor, line):]
        except OSError as error:
            return error
        return None


def _finish(done: asyncio.Future[None], fault: OSError | None) -> None:
    if done.done():
        return
    if fault is None:
        done.set_result(None)
    else:
        done.set_exception(fault)


async def _write_all(from_server: Any, writer: _Writer, to_server: Any) -> None:
    async with from_server:
        async for item in from_server:
            line = item.message.model_dump_json(by_alias=True, exclude_unset=True)
            try:
                await writer.write(line.encode() + b'\n')
            except OSError:  # a client that cannot be answered is gone: to the server as if it had closed its end
                to_server.close()
                return
