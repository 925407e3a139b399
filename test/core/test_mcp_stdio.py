"""The server on real pipes with raw bytes: nothing but frames comes out, and no line ends it or moves the robot."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
import json
import os
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from mcp_rig import FakeRobot, run_on, SERVER_ID
import pytest
from robot_tool_agent.mcp_server.service import RobotService
from robot_tool_agent.mcp_server.stdio import stdio_streams, Wire

HELLO = {
    'jsonrpc': '2.0', 'id': 'hello', 'method': 'initialize',
    'params': {'protocolVersion': '2025-06-18', 'capabilities': {}, 'clientInfo': {'name': 'raw', 'version': '1'}},
}  # fmt: skip
GO = {'name': 'navigate_to', 'arguments': {'place': 'study'}}
MOVE = {'jsonrpc': '2.0', 'id': 5, 'method': 'tools/call', 'params': GO}
DEADLINE_S = 60.0


class RawClient:
    """Writes bytes, reads lines. Every line that comes back must be a JSON-RPC frame."""

    def __init__(self, reads: int, writes: int) -> None:
        self._reads, self._writes = reads, writes
        self.frames: list[Any] = []

    async def send(self, data: bytes) -> None:
        await asyncio.to_thread(_write, self._writes, data)

    async def say(self, frame: Any) -> None:
        await self.send(json.dumps(frame).encode() + b'\n')

    async def answer(self, request_id: Any) -> Any:
        """Read until the answer to a request comes, and return it."""
        rest = b''
        while True:
            rest += await asyncio.to_thread(os.read, self._reads, 65_536)
            *lines, rest = rest.split(b'\n')
            self.frames += [json.loads(line) for line in lines]
            for frame in self.frames:
                assert frame['jsonrpc'] == '2.0'
                if frame.get('id') == request_id and 'method' not in frame:
                    self.frames.remove(frame)
                    return frame


def _write(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data):]


def with_server(robot: FakeRobot, work: Callable[[RawClient, RobotService], Awaitable[None]]) -> None:
    """Run `work` with a raw client on the pipes of a server; it has shaken hands. Then the client closes its end."""

    async def play() -> None:
        service = RobotService(robot, SERVER_ID)
        with ExitStack() as stack:
            (server_reads, client_writes), (client_reads, server_writes) = os.pipe(), os.pipe()
            for descriptor in (server_reads, client_reads, server_writes):
                stack.callback(os.close, descriptor)
            async with stdio_streams(Wire(server_reads, server_writes)) as streams:
                serving = asyncio.create_task(service.server.run(*streams, service.options()))
                client = RawClient(client_reads, client_writes)
                try:
                    await client.say(HELLO)
                    assert (await client.answer('hello'))['result']['serverInfo']['name'] == 'robot_tool_agent'
                    await client.say({'jsonrpc': '2.0', 'method': 'notifications/initialized'})
                    await work(client, service)
                finally:
                    os.close(client_writes)
                await serving

    asyncio.run(asyncio.wait_for(play(), DEADLINE_S))


async def check_alive(client: RawClient) -> None:
    await client.say({'jsonrpc': '2.0', 'id': 'alive', 'method': 'ping'})
    assert (await client.answer('alive'))['result'] == {}


@pytest.mark.parametrize(
    ('data', 'code'),
    [
        (b'hello\n', -32700), (b'[]\n', -32600), (b'{"jsonrpc": "2.0", "id": null}\n', -32600),
        (b'x' * 1_500_000 + b'\n', -32600),
        (json.dumps(MOVE).replace('"study"', '"study", "place": "kitchen"').encode() + b'\n', -32700),
    ],
    ids=['text', 'batch', 'no message', 'endless', 'key given twice'],
)  # fmt: skip
def test_a_line_that_is_no_frame_is_answered_and_forgotten(data: bytes, code: int) -> None:
    robot = FakeRobot()

    async def work(client: RawClient, service: RobotService) -> None:
        await client.send(data)
        assert (await client.answer(None))['error']['code'] == code
        await check_alive(client)

    with_server(robot, work)
    assert robot.calls == []


def test_a_frame_that_is_sent_twice_is_one_call_for_the_executor() -> None:
    robot = FakeRobot(run_on)

    async def work(client: RawClient, service: RobotService) -> None:
        await client.say(MOVE)
        await client.say(MOVE)
        while len(robot.calls) < 2:
            await asyncio.sleep(0.001)
        robot.cancel_all()
        await client.answer(5)

    with_server(robot, work)
    assert len({call.call_id for call in robot.calls}) == 1


def test_a_client_that_closes_its_end_stops_its_calls() -> None:
    robot = FakeRobot(run_on)

    async def work(client: RawClient, service: RobotService) -> None:
        await client.say(MOVE)
        while not robot.calls:
            await asyncio.sleep(0.001)

    with_server(robot, work)
    assert robot.canceled == [robot.calls[0].call_id]


def test_a_client_that_does_not_read_holds_up_nobody() -> None:
    robot = FakeRobot(run_on)

    async def work(client: RawClient, service: RobotService) -> None:
        await client.say(MOVE)
        for number in range(300):
            await client.say({'jsonrpc': '2.0', 'id': number + 10, 'method': 'tools/list'})
        await client.say({'jsonrpc': '2.0', 'method': 'notifications/cancelled', 'params': {'requestId': 5}})
        while not robot.canceled:
            await asyncio.sleep(0.001)

    with_server(robot, work)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
METHODS = st.sampled_from(
    ['initialize', 'ping', 'tools/list', 'tools/call', 'resources/read', 'resources/subscribe', 'completion/complete',
     'notifications/cancelled', 'notifications/progress', 'server/discover', 'subscriptions/listen', 'logging/setLevel',
     '']
)  # fmt: skip
PARAMS = JSON | st.fixed_dictionaries(
    {},
    optional={
        'name': JSON, 'arguments': JSON, '_meta': JSON, 'uri': JSON, 'requestId': JSON, 'cursor': JSON, 'task': JSON,
        'requestState': JSON, 'inputResponses': JSON, 'protocolVersion': JSON, 'progressToken': JSON,
    },
)  # fmt: skip
FRAMES = st.fixed_dictionaries(
    {'jsonrpc': st.just('2.0') | JSON},
    optional={'id': JSON, 'method': METHODS | JSON, 'params': PARAMS, 'result': JSON, 'error': JSON},
)
LINES = FRAMES.map(lambda frame: json.dumps(frame).encode()) | st.binary(max_size=60)


@given(st.lists(LINES, min_size=1, max_size=12))
@settings(derandomize=True, max_examples=30, deadline=None)
def test_no_frames_end_the_server_or_reach_the_robot_as_a_skill_it_has(lines: list[bytes]) -> None:
    robot = FakeRobot()

    async def work(client: RawClient, service: RobotService) -> None:
        await client.send(b'\n'.join(lines) + b'\n')
        await check_alive(client)

    with_server(robot, work)
    skills = {skill['name'] for skill in json.loads(robot.skills_json or '[]')}
    assert not skills & {call.skill for call in robot.calls}


@given(st.data())
@settings(derandomize=True, max_examples=30, deadline=None)
def test_a_damaged_call_is_refused_or_the_executors_to_judge(data: st.DataObject) -> None:
    robot = FakeRobot()
    good = bytearray(json.dumps(MOVE).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        good[data.draw(st.integers(0, len(good) - 1))] = data.draw(st.integers(0, 255))

    async def work(client: RawClient, service: RobotService) -> None:
        await client.send(bytes(good) + b'\n')
        await check_alive(client)

    with_server(robot, work)
    assert len(robot.calls) <= 1 + bytes(good).count(b'\n')
