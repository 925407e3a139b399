"""
What every HTTP request must pass before the SDK sees it: token, origin, size, strict JSON.

Plain ASGI. A client that goes away in mid-request is noticed here too: its calls are cancelled, which the versions of
the protocol up to 2025-11-25 leave to the server.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
import hashlib
import hmac
import json
from typing import Any
from urllib.parse import urlsplit

from robot_tool_agent.mcp_server.frames import FrameFault, MAX_FRAME_BYTES, parse_frame

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
CALLS_KEY = 'robot_tool_agent.calls'
LOOPBACK_NAMES = ('localhost', '127.0.0.1', '::1')


class Guard:
    """Wraps an ASGI application."""

    def __init__(self, app: App, token: str) -> None:
        self._app = app
        self._token = _digest(token.encode())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it."""
        if scope['type'] == 'lifespan':
            await self._app(scope, receive, send)
            return
        if scope['type'] != 'http':
            return
        headers = {name.decode('latin-1').lower(): value for name, value in scope['headers']}
        if not self._knows(headers.get('authorization', b'')):
            await _refuse(send, 401, 'a bearer token is needed')
        elif not _is_near(headers.get('origin')):
            await _refuse(send, 403, 'requests of this origin are not served')
        else:
            await self._pass_on(scope, receive, send)

    def _knows(self, given: bytes) -> bool:
        scheme, _, token = given.partition(b' ')
        # Digests are compared in constant time: neither content nor length of the token shows in it.
        same = hmac.compare_digest(_digest(token.strip()), self._token)
        return same and scheme.lower() == b'bearer'

    async def _pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = await _body(receive) if scope['method'] == 'POST' else None
        if scope['method'] == 'POST':
            if body is None:
                await _refuse(send, 413, f'longer than {MAX_FRAME_BYTES} bytes')
                return
            frame = parse_frame(body)
            if isinstance(frame, FrameFault):
                await _answer(send, 400, frame.as_reply())
                return
        calls: list[Any] = []
        await self._app({**scope, CALLS_KEY: calls}, _watched(receive, body, calls), send)


def _digest(token: bytes) -> bytes:
    return hashlib.sha256(token).digest()


def _is_near(origin: bytes | None) -> bool:
    """Tell whether a request comes from no web page, or from one of this machine (against DNS rebinding)."""
    if origin is None:
        return True
    try:
        parts = urlsplit(origin.decode('ascii'))
        return parts.scheme in ('http', 'https') and parts.hostname in LOOPBACK_NAMES
    except ValueError:
        return False


async def _body(receive: Receive) -> bytes | None:
    """Return the body of a request, None if it is too long. A client that goes away leaves what it sent."""
    body = bytearray()
    while True:
        message = await receive()
        body += message.get('body', b'')
        if len(body) > MAX_FRAME_BYTES:
            return None
        if message['type'] != 'http.request' or not message.get('more_body', False):
            return bytes(body)


def _watched(receive: Receive, body: bytes | None, calls: list[Any]) -> Receive:
    waiting = [] if body is None else [{'type': 'http.request', 'body': body, 'more_body': False}]

    async def next_message() -> Message:
        if waiting:
            return waiting.pop()
        message = await receive()
        if message['type'] == 'http.disconnect':
            for running in calls:
                running.cancel()
        return message

    return next_message


async def _refuse(send: Send, status: int, reason: str) -> None:
    await _answer(send, status, {'error': reason})


async def _answer(send: Send, status: int, content: dict[str, Any]) -> None:
    headers = [(b'content-type', b'application/json')]
    if status == 401:
        headers.append((b'www-authenticate', b'Bearer'))
    await send({'type': 'http.response.start', 'status': status, 'headers': headers})
    await send({'type': 'http.response.body', 'body': json.dumps(content).encode()})
