"""The MCP server on real processes. What the robot did is ground truth; what is on disk is the journal's."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import CancelledError
import json
import os
from pathlib import Path
import signal
import subprocess
import sys
from typing import Any

from asking_house import House, house_that_asks, LIMIT_S
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
import mcp_caller
from mcp_process import environment, McpClient, RawServer
import mcp_types as types
import pytest
from robot_tool_agent.core.outcomes import Effect, Outcome
from robot_tool_agent.mcp_server.results import CALL_ID_KEY
from robot_tool_agent_sim.harness.processes import wait_gone
from rta_process import RTA, RtaProcess

FAR = ('navigate_to', {'place': 'kitchen'})
SLOW = pytest.mark.slow
BOTH = pytest.mark.parametrize('mode', [pytest.param('legacy', marks=SLOW), 'auto'])


@pytest.fixture(scope='module')
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Return one running system for all tests here."""
    with house_that_asks(tmp_path_factory.mktemp('mcp')) as started:
        yield started


@pytest.fixture
def robot(house: House) -> House:
    """Return the system from a fresh start."""
    house.fresh()
    return house


def client(robot: House, mode: str = 'auto', answer: types.ElicitResult | None = None) -> McpClient:
    """Return a client with a server of its own."""
    return McpClient(robot.domain_id, robot.home(), mode, answer)


def outcome(result: Any) -> tuple[str, str, str]:
    content = result.structured_content
    assert result.is_error is (content['outcome'] != 'SUCCEEDED')
    return content['outcome'], content['effect'], content['error_code']


@BOTH
def test_a_call_moves_the_robot_once_however_often_it_is_sent(robot: House, mode: str) -> None:
    call = ('move_relative', {'distance_m': 0.3}, f'once-{mode}')
    with client(robot, mode) as mcp:
        assert outcome(mcp.call(*call)) == ('SUCCEEDED', 'DONE', '')
        gone_m = robot.travelled_m()
        assert gone_m == pytest.approx(0.3, abs=0.05)
        again = mcp.call(*call)
        assert again.structured_content['replayed']
        other = mcp.call('move_relative', {'distance_m': 0.5}, call[2])
        assert outcome(other) == ('REJECTED', 'NONE', 'IDEMPOTENCY_MISMATCH')
    with client(robot, mode) as mcp:
        assert mcp.call(*call).structured_content['replayed']
    assert robot.travelled_m() == pytest.approx(gone_m, abs=1e-3)


@BOTH
def test_a_cancelled_request_stops_the_robot_and_its_end_is_true(robot: House, mode: str) -> None:
    call_id = f'cancel-{mode}'
    with client(robot, mode) as mcp:
        calling = mcp.start(*FAR, call_id)
        robot.wait_drive()
        assert mcp.read('robot://safety')['motion_allowed']
        calling.cancel()
        with pytest.raises(CancelledError):
            calling.result(LIMIT_S)
        robot.wait_stop()
        end = robot.wait_end(call_id)
        assert (end.outcome, end.effect) == (Outcome.CANCELED, Effect.PARTIAL)
        told = mcp.read(f'robot://calls/{call_id}')
        assert (told['live'], told['outcome'], told['effect']) == (False, 'CANCELED', 'PARTIAL')


@SLOW
def test_what_is_refused_moves_nothing(robot: House) -> None:
    with client(robot) as mcp:
        refused = {
            mcp.call(name, arguments).structured_content['error_code']
            for name, arguments in (
                ('fly', {}), ('navigate_to', {'place': 'the moon'}), ('move_relative', {'distance_m': '0.3'}),
                ('move_relative', {'distance_m': 0.3, 'speed': 9}), ('move_relative', {'distance_m': 1e9}),
                ('move_relative', {}), ('move_relative', {'distance_m': 'x' * 20_000}),
            )
        }  # fmt: skip
        assert refused == {'UNKNOWN_SKILL', 'UNKNOWN_ENTITY', 'INVALID_ARGUMENT', 'INVALID_JSON'}
        assert robot.probe.trip().success
        locked = mcp.call('move_relative', {'distance_m': 0.3})
        assert outcome(locked) == ('REJECTED', 'NONE', 'SAFETY_LOCKED')
        assert mcp.read('robot://safety')['fault'] == 'OPERATOR_STOP'
    assert robot.travelled_m() < 1e-3


def test_a_killed_client_stops_its_call(robot: House) -> None:
    home, call_id = robot.home(), 'client-killed'
    name, arguments = FAR
    program = [sys.executable, mcp_caller.__file__, name, json.dumps(arguments), call_id]
    program_ = subprocess.Popen(program, env=environment(robot.domain_id, home), stderr=subprocess.DEVNULL)
    try:
        robot.wait_drive()
    finally:
        program_.kill()
        program_.wait(LIMIT_S)
    robot.wait_stop()
    end = robot.wait_end(call_id)
    assert (end.outcome, end.effect) == (Outcome.CANCELED, Effect.PARTIAL)
    assert wait_gone(home, LIMIT_S) == {}


@SLOW
@pytest.mark.parametrize('number', [signal.SIGKILL, signal.SIGSTOP], ids=lambda number: number.name)
def test_a_server_that_falls_silent_loses_its_calls(robot: House, number: signal.Signals) -> None:
    call_id = f'server-{number.name}'
    with client(robot) as mcp:
        mcp.start(*FAR, call_id)
        robot.wait_drive(0.02)
        os.kill(mcp.pid, number)
        robot.wait_stop()
        assert robot.wait_end(call_id).outcome is Outcome.CANCELED


@SLOW
def test_a_signal_lets_the_server_cancel_and_tell(robot: House) -> None:
    with client(robot) as mcp:
        calling = mcp.start(*FAR)
        robot.wait_drive()
        pid = mcp.pid
        os.kill(pid, signal.SIGTERM)
        assert outcome(calling.result(LIMIT_S)) == ('CANCELED', 'PARTIAL', 'CANCELED')
        robot.wait_stop()
        robot.probe.wait_until(lambda: not Path(f'/proc/{pid}/cmdline').exists() or _ended(pid), LIMIT_S, 'its end')


def _ended(pid: int) -> bool:
    return not Path(f'/proc/{pid}/cmdline').read_bytes()


TURN = ('rotate_relative', {'angle_rad': 0.6})
ANSWERS = {
    'yes': (types.ElicitResult(action='accept', content={'approve': True}), ('SUCCEEDED', 'DONE', '')),
    'no': (types.ElicitResult(action='decline'), ('REJECTED', 'NONE', 'APPROVAL_DENIED')),
}


@SLOW
@BOTH
@pytest.mark.parametrize('word', ['yes', 'no'])
def test_a_person_is_asked_through_the_client(robot: House, mode: str, word: str) -> None:
    answer, end = ANSWERS[word]
    with client(robot, mode, answer) as mcp:
        assert outcome(mcp.call(*TURN)) == end
    assert robot.turned_rad() == pytest.approx(0.6 if word == 'yes' else 0.0, abs=0.08)
    assert robot.travelled_m() < 0.02


@SLOW
def test_a_lost_executor_is_an_unknown_end(robot: House) -> None:
    with client(robot) as mcp:
        calling = mcp.start('move_relative', {'distance_m': 2.0}, 'executor-lost')
        robot.wait_drive()
        robot.running.kill('executor')
        result = calling.result(LIMIT_S)
        assert outcome(result) == ('UNKNOWN', 'UNKNOWN', 'RESTARTED')
        assert result.structured_content['advice'] == 'ASK_OPERATOR'


@SLOW
def test_http_serves_the_same_to_who_has_the_token(robot: House) -> None:
    token = 'a-token-of-more-than-thirty-two-characters'
    settings = {**environment(robot.domain_id, robot.home()), 'RTA_MCP_TOKEN': token}
    command = [*RTA, 'mcp', '--http', '127.0.0.1:0']
    with RtaProcess(command, robot.domain_id, settings) as server:
        server.wait_line(r'serving MCP on http://127\.0\.0\.1:\d+/mcp')
        address = next(line for line in server.lines if line.startswith('serving')).split()[-1]
        results = asyncio.run(_move_over_http(address, token))
        assert [result.structured_content['replayed'] for result in results] == [False, True]
        assert outcome(results[0]) == ('SUCCEEDED', 'DONE', '')
        server.send(signal.SIGTERM)
        assert server.exit_code() == 0
    assert robot.travelled_m() == pytest.approx(0.3, abs=0.05)


async def _move_over_http(address: str, token: str) -> list[Any]:
    http = create_mcp_http_client(headers={'Authorization': f'Bearer {token}'})
    async with Client(streamable_http_client(address, http_client=http)) as client:
        await client.list_tools()
        call = ('move_relative', {'distance_m': 0.3})
        return [await client.call_tool(*call, meta={CALL_ID_KEY: 'over-http'}) for _ in range(2)]


HELLO = (
    b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25",'
    b' "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}}\n'
    b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\n'
)
CALL = b'{"jsonrpc": "2.0", "id": %s, "method": "tools/call", "params": %s}\n'
NONSENSE = [
    b'hello\n', b'\x00\xff\xfe\n', b'[' * 5000 + b'\n', b'{}\n', b'null\n', b'x' * 1_200_000 + b'\n',
    CALL % (b'2', b'{"name": "move_relative", "arguments": {"distance_m": NaN}}'),
    CALL % (b'3', b'{"name": "move_relative", "arguments": {"distance_m": 0.1, "distance_m": 1.0}}'),
    CALL % (b'4', b'{"name": "move_relative", "arguments": [0.5]}'),
    CALL % (b'5', b'{"name": "move_relative", "arguments": {"distance_m": 0.5'),
    CALL % (b'null', b'{"name": "move_relative", "arguments": {"distance_m": 0.5}}'),
    CALL % (b'[6]', b'{"name": "move_relative", "arguments": {"distance_m": 0.5}}'),
    CALL % (b'7', b'{"name": "move_relative", "arguments": {"distance_m": 0.5}, "requestState": "stolen"}'),
    CALL % (b'8', b'{"name": "move_relative\\u0000", "arguments": {"distance_m": 0.5}}'),
]  # fmt: skip


def test_nonsense_neither_ends_the_server_nor_moves_the_robot(robot: House) -> None:
    with RawServer(robot.domain_id, robot.home()) as server:
        server.send(HELLO)
        server.wait_answer(1)
        for line in NONSENSE:
            server.send(line)
        assert server.wait_answer(7)['error']['code'] == -32602
        assert server.wait_answer(8)['result']['structuredContent']['error_code'] == 'UNKNOWN_SKILL'
        server.send(CALL % (b'99', b'{"name": "get_robot_state"}'))
        assert server.wait_answer(99)['result']['structuredContent']['outcome'] == 'SUCCEEDED'
        assert server.end() == 0
    assert robot.travelled_m() < 1e-3


@SLOW
def test_a_frame_sent_twice_moves_the_robot_once(robot: House) -> None:
    move = CALL % (b'5', b'{"name": "move_relative", "arguments": {"distance_m": 0.3}}')
    with RawServer(robot.domain_id, robot.home()) as server:
        server.send(HELLO + move)
        assert server.wait_answer(5)['result']['structuredContent']['outcome'] == 'SUCCEEDED'
        server.lines.clear()
        server.send(move)
        assert server.wait_answer(5)['result']['structuredContent']['replayed']
        assert server.end() == 0
    assert robot.travelled_m() == pytest.approx(0.3, abs=0.05)
