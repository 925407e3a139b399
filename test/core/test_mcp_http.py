"""MCP over HTTP on loopback: who may come in, and that a client that goes away stops its calls."""

import asyncio
from collections.abc import Awaitable, Callable
import json
from pathlib import Path
import socket
from typing import Any

from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp_rig import FakeRobot, run_on, SERVER_ID
import pytest
from robot_tool_agent.mcp_server.http_front import HttpFront, PATH
from robot_tool_agent.mcp_server.http_settings import HttpSettingsError, loopback_address, read_token
from robot_tool_agent.mcp_server.results import CALL_ID_KEY
from robot_tool_agent.mcp_server.service import RobotService

TOKEN = 'a-token-of-more-than-thirty-two-characters'
BOTH = pytest.mark.parametrize('mode', ['legacy', 'auto'])
DEADLINE_S = 60.0


def with_http(robot: FakeRobot, work: Callable[[int], Awaitable[None]]) -> None:
    """Run `work` beside a server for the robot; it gets the port."""

    async def play() -> None:
        robot.started = asyncio.Event()
        with socket.create_server(('127.0.0.1', 0)) as listener:
            serving = asyncio.create_task(HttpFront(listener, TOKEN).serve(RobotService(robot, SERVER_ID)))
            try:
                await work(listener.getsockname()[1])
            finally:
                serving.cancel()
                await asyncio.wait({serving})

    asyncio.run(asyncio.wait_for(play(), DEADLINE_S))


def client_of(port: int, mode: str) -> Client:
    http = create_mcp_http_client(headers={'Authorization': f'Bearer {TOKEN}'})
    return Client(streamable_http_client(f'http://127.0.0.1:{port}{PATH}', http_client=http), mode=mode)


@BOTH
def test_a_client_with_the_token_calls_skills(mode: str) -> None:
    robot = FakeRobot()

    async def work(port: int) -> None:
        async with client_of(port, mode) as client:
            assert {tool.name for tool in (await client.list_tools()).tools} >= {'navigate_to', 'pick'}
            for _ in range(2):
                result = await client.call_tool('navigate_to', {'place': 'study'})
                assert result.structured_content['outcome'] == 'SUCCEEDED'
        async with client_of(port, mode) as other:
            await other.list_tools()
            await other.call_tool('navigate_to', {'place': 'study'})

    with_http(robot, work)
    assert len({call.call_id for call in robot.calls}) == 3


async def post(port: int, body: bytes, headers: dict[str, str], method: str = 'POST') -> tuple[int, bytes]:
    """Send a bare request and return status and body."""
    reader, writer = await asyncio.open_connection('127.0.0.1', port)
    usual = {'Host': f'127.0.0.1:{port}', 'Content-Type': 'application/json', 'Connection': 'close'}
    usual |= {'Accept': 'application/json, text/event-stream', 'Content-Length': str(len(body))}
    lines = [f'{method} {PATH} HTTP/1.1', *(f'{name}: {value}' for name, value in (usual | headers).items())]
    writer.write('\r\n'.join(lines).encode() + b'\r\n\r\n' + body)
    answer = await reader.read()
    writer.close()
    head, _, content = answer.partition(b'\r\n\r\n')
    return int(head.split()[1]), content


GOOD = {'Authorization': f'Bearer {TOKEN}'}
CALL = json.dumps({'jsonrpc': '2.0', 'id': 1, 'method': 'tools/call', 'params': {'name': 'look', 'arguments': {}}})


REFUSED: list[tuple[dict[str, str], str, int]] = [
    ({}, CALL, 401), ({'Authorization': 'Bearer'}, CALL, 401), ({'Authorization': f'Bearer {TOKEN}x'}, CALL, 401),
    ({'Authorization': f'Bearer {TOKEN[:-1]}'}, CALL, 401), ({'Authorization': TOKEN}, CALL, 401),
    ({'Authorization': f'Basic {TOKEN}'}, CALL, 401), ({'Authorization': 'Bearer \xe4'}, CALL, 401),
    (GOOD | {'Origin': 'https://evil.example'}, CALL, 403), (GOOD | {'Origin': 'null'}, CALL, 403),
    (GOOD | {'Origin': 'http://127.0.0.1.evil.example'}, CALL, 403),
    (GOOD | {'Origin': 'file://localhost'}, CALL, 403), (GOOD | {'Host': 'evil.example'}, CALL, 421),
    (GOOD, 'x' * 1_000_001, 413), (GOOD, 'hello', 400), (GOOD, '[]', 400),
    (GOOD, '{"jsonrpc": "2.0", "id": 1, "id": 2, "method": "tools/call"}', 400), (GOOD, '{"a": NaN}', 400),
    (GOOD, '{}', 400), (GOOD | {'Mcp-Session-Id': 'stolen'}, CALL, 404),
]  # fmt: skip


def test_what_may_not_come_in_moves_nothing() -> None:
    robot = FakeRobot()

    async def work(port: int) -> None:
        for headers, body, status in REFUSED:
            told, content = await post(port, body.encode(), headers)
            assert told == status, (headers, body[:80], content)
            assert TOKEN.encode() not in content
        async with client_of(port, 'auto') as client:
            await client.list_tools()

    with_http(robot, work)
    assert robot.calls == []


@BOTH
def test_a_client_that_goes_away_stops_its_call(mode: str) -> None:
    robot = FakeRobot(run_on)

    async def work(port: int) -> None:
        async with client_of(port, mode) as client:
            await client.list_tools()
            calling = asyncio.create_task(client.call_tool('navigate_to', {'place': 'study'}, meta={CALL_ID_KEY: 'go'}))
            await robot.started.wait()
            calling.cancel()
            await asyncio.wait({calling})
        while not robot.canceled:
            await asyncio.sleep(0.001)

    with_http(robot, work)
    assert robot.canceled == ['go']


def test_a_connection_that_breaks_stops_its_call() -> None:
    robot = FakeRobot(run_on)
    modern: dict[str, Any] = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
    }
    params = {'name': 'navigate_to', 'arguments': {'place': 'study'}, '_meta': modern}
    body = json.dumps({'jsonrpc': '2.0', 'id': 1, 'method': 'tools/call', 'params': params}).encode()

    async def work(port: int) -> None:
        _, writer = await asyncio.open_connection('127.0.0.1', port)
        head = (
            f'POST {PATH} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {TOKEN}\r\n'
            'Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n'
            'MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: navigate_to\r\n'
            f'Content-Length: {len(body)}\r\n\r\n'
        )
        writer.write(head.encode() + body)
        await robot.started.wait()
        writer.transport.abort()
        while not robot.canceled:
            await asyncio.sleep(0.001)

    with_http(robot, work)


@pytest.mark.parametrize(
    ('text', 'wanted'),
    [('127.0.0.1:80', ('127.0.0.1', 80)), ('localhost:0', ('127.0.0.1', 0)), ('[::1]:9', ('::1', 9))],
)
def test_loopback_addresses_are_served(text: str, wanted: tuple[str, int]) -> None:
    assert loopback_address(text) == wanted


@pytest.mark.parametrize(
    'text',
    [
        '0.0.0.0:80', '[::]:80', '192.168.1.2:80', 'example.com:80', ':80', '127.0.0.1', '127.0.0.1:',
        '127.0.0.1:99999', '127.0.0.1:-1', '',
    ],
)  # fmt: skip
def test_no_other_address_is_served(text: str) -> None:
    with pytest.raises(HttpSettingsError, match='--http'):
        loopback_address(text)


def test_the_token_comes_from_a_file_that_only_the_owner_reads(tmp_path: Path) -> None:
    file = tmp_path / 'token'
    file.write_text(TOKEN + '\n', encoding='ascii')
    file.chmod(0o644)
    with pytest.raises(HttpSettingsError, match='chmod 600') as told:
        read_token(str(file), {})
    assert TOKEN not in str(told.value)
    file.chmod(0o600)
    assert read_token(str(file), {'RTA_MCP_TOKEN': 'other'}) == TOKEN
    assert read_token('', {'RTA_MCP_TOKEN': TOKEN}) == TOKEN


@pytest.mark.parametrize('token', ['', ' ', 'short', 'x' * 31, 'ä' * 40, 'a b' * 20])
def test_a_token_that_is_none_is_refused(token: str) -> None:
    with pytest.raises(HttpSettingsError, match='RTA_MCP_TOKEN'):
        read_token('', {'RTA_MCP_TOKEN': token})


def test_a_token_file_that_is_not_there_is_told() -> None:
    with pytest.raises(HttpSettingsError, match='No such file'):
        read_token('/no/such/file', {})
