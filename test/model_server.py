"""A server on loopback in place of a model service: it speaks what it is told to speak and keeps what it was asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
import json
import threading
from typing import Any

Speak = Callable[['Handler'], None]


@dataclass
class ModelServer:
    """What the server says next, in order, the last for ever; and the requests that came, headers in lower case."""

    says: list[Speak]
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    url: str = ''
    over: threading.Event = field(default_factory=threading.Event)

    def start_over(self, *says: Speak) -> None:
        """Say something else from now on, and forget what was asked."""
        self.says = list(says)
        for kept in (self.requests, self.headers, self.paths):
            kept.clear()

    def next(self) -> Speak:
        return self.says.pop(0) if len(self.says) > 1 else self.says[0]


class Handler(BaseHTTPRequestHandler):
    """One connection. `play` is set by `serving`."""

    protocol_version = 'HTTP/1.1'
    play: ModelServer

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get('Content-Length', 0)))
        self.play.paths.append(self.path)
        self.play.requests.append(json.loads(body or b'{}'))
        self.play.headers.append({name.lower(): value for name, value in self.headers.items()})
        self.play.next()(self)

    def log_message(self, *arguments: object) -> None:
        pass

    def send(self, status: int, body: bytes, kind: str = 'application/json', **headers: str) -> None:
        self.send_response(status)
        self.send_header('Content-Type', kind)
        self.send_header('Content-Length', str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace('_', '-'), value)
        self.end_headers()
        self.wfile.write(body)


def answer(data: Any, status: int = 200, **headers: str) -> Speak:
    """Say JSON."""
    return lambda handler: handler.send(status, json.dumps(data).encode(), **headers)


def raw(body: bytes, kind: str = 'application/json') -> Speak:
    """Say these bytes, with status 200."""
    return lambda handler: handler.send(200, body, kind)


def hang(handler: Handler) -> None:
    """Take the request and say nothing."""
    handler.play.over.wait(30.0)
    handler.close_connection = True


def hang_up(handler: Handler) -> None:
    """Take the request and close the connection."""
    handler.close_connection = True


def dribble(handler: Handler) -> None:
    """Send a reply that never ends, a byte at a time, each well within any timeout on single reads."""
    handler.send_response(200)
    handler.send_header('Content-Type', 'application/json')
    handler.send_header('Content-Length', '100000')
    handler.end_headers()
    handler.close_connection = True
    try:
        while not handler.play.over.wait(0.02):
            handler.wfile.write(b' ')
            handler.wfile.flush()
    except OSError:
        return


@contextmanager
def serving(*says: Speak) -> Iterator[ModelServer]:
    """Serve on a free port of this machine until the block ends."""
    play = ModelServer(list(says))
    kind = type('BoundHandler', (Handler,), {'play': play})
    server = ThreadingHTTPServer(('127.0.0.1', 0), kind)
    server.daemon_threads = True
    play.url = f'http://127.0.0.1:{server.server_address[1]}'
    thread = threading.Thread(target=server.serve_forever, kwargs={'poll_interval': 0.02}, daemon=True)
    thread.start()
    try:
        yield play
    finally:
        play.over.set()
        server.shutdown()
        server.server_close()
        thread.join(5.0)
