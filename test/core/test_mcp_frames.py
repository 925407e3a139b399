"""Lines from a client: cut at their ends however they arrive, read strictly, and never the end of the server."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st
import pytest
from robot_tool_agent.mcp_server.frames import (
    FrameFault,
    INVALID_REQUEST,
    MAX_FRAME_BYTES,
    not_a_message,
    PARSE_ERROR,
    parse_frame,
)
from robot_tool_agent.mcp_server.lines import LineCutter

FRAME = {'jsonrpc': '2.0', 'id': 1, 'method': 'tools/call', 'params': {'name': 'pick', 'arguments': {'object': '杯子'}}}


def test_a_frame_is_read_as_it_was_sent() -> None:
    assert parse_frame(json.dumps(FRAME).encode()) == FRAME
    assert parse_frame(json.dumps(FRAME, ensure_ascii=False).encode()) == FRAME


@pytest.mark.parametrize(
    ('line', 'code'),
    [
        (b'', PARSE_ERROR), (b'hello', PARSE_ERROR), (b'{"jsonrpc": "2.0"', PARSE_ERROR),
        (b'{"a": 1} {"b": 2}', PARSE_ERROR), (b'\xff\xfe{}', PARSE_ERROR), (b'{"a": NaN}', PARSE_ERROR),
        (b'{"a": -Infinity}', PARSE_ERROR),
        (b'{"a": 1e999}', PARSE_ERROR), (b'{"a": 1, "a": 2}', PARSE_ERROR), (b'{"a": "\\ud800"}', PARSE_ERROR),
        (b'{"a": ' + b'9' * 5000 + b'}', PARSE_ERROR), (b"{'a': 1}", PARSE_ERROR), (b'{"a": 1,}', PARSE_ERROR),
        (b'[]', INVALID_REQUEST), (b'[{"jsonrpc": "2.0"}]', INVALID_REQUEST), (b'1', INVALID_REQUEST),
        (b'null', INVALID_REQUEST), (b'"text"', INVALID_REQUEST), (b'[' * 100_000, INVALID_REQUEST),
        (b'{"a":' * 40 + b'1' + b'}' * 40, INVALID_REQUEST), (b' ' * (MAX_FRAME_BYTES + 1), INVALID_REQUEST),
    ],
    ids=range(21),
)  # fmt: skip
def test_what_is_no_frame_gets_its_code(line: bytes, code: int) -> None:
    fault = parse_frame(line)
    assert isinstance(fault, FrameFault)
    assert fault.code == code
    reply = fault.as_reply()
    assert reply['id'] is None
    assert reply['error']['code'] == code
    assert len(reply['error']['message']) < 100


@pytest.mark.parametrize(
    ('frame_id', 'told'), [(7, 7), ('a', 'a'), (True, None), (1.5, None), (None, None), ([1], None)]
)
def test_a_refused_message_is_answered_under_its_id(frame_id: object, told: object) -> None:
    assert not_a_message({'id': frame_id}).as_reply()['id'] == told


@given(st.binary(max_size=300))
@settings(derandomize=True, max_examples=300, deadline=None)
def test_no_bytes_make_the_parser_raise(line: bytes) -> None:
    assert isinstance(parse_frame(line), dict | FrameFault)


@given(st.lists(st.binary(max_size=40).map(lambda data: data.replace(b'\n', b'')), max_size=8), st.data())
@settings(derandomize=True, max_examples=200, deadline=None)
def test_lines_do_not_depend_on_how_the_bytes_arrive(lines: list[bytes], data: st.DataObject) -> None:
    limit = 30
    stream = b''.join(line + b'\n' for line in lines)
    cutter, got, rest = LineCutter(limit), [], stream
    while rest:
        size = data.draw(st.integers(1, len(rest)))
        got += cutter.feed(rest[:size])
        rest = rest[size:]
    wanted = [line.strip() if len(line) <= limit else 'too long' for line in lines if len(line) > limit or line.strip()]
    assert [item if isinstance(item, bytes) else 'too long' for item in got] == wanted


def test_a_line_without_end_takes_no_memory() -> None:
    cutter = LineCutter(1000)
    told = [item for _ in range(1000) for item in cutter.feed(b'x' * 1000)]
    assert len(told) == 1
    assert isinstance(told[0], FrameFault)
    assert cutter.feed(b'yy\n{}\n') == [b'{}']
