"""For every test: ROS 2 stays on this machine, and so does the network."""

from collections.abc import Iterator
import os
import socket
from typing import Any

import pytest

os.environ['ROS_AUTOMATIC_DISCOVERY_RANGE'] = 'LOCALHOST'

_connect, _connect_ex, _getaddrinfo = socket.socket.connect, socket.socket.connect_ex, socket.getaddrinfo


def _is_near(host: object) -> bool:
    name = host.decode() if isinstance(host, bytes) else str(host or '')
    return name in ('', 'localhost', '::1', socket.gethostname()) or name.startswith('127.')


def _check(family: int, address: object) -> None:
    host = address[0] if isinstance(address, tuple) else 'nowhere'
    if family != socket.AF_UNIX and not _is_near(host):
        raise OSError(f'tests have no network: {address!r}')


def _connect_nearby(self: socket.socket, address: Any) -> None:
    _check(self.family, address)
    _connect(self, address)


def _connect_ex_nearby(self: socket.socket, address: Any) -> int:
    _check(self.family, address)
    return _connect_ex(self, address)


def _find_nearby(host: Any, *arguments: Any, **more: Any) -> Any:
    if not _is_near(host):
        raise socket.gaierror(socket.EAI_NONAME, f'tests have no network: {host!r}')
    return _getaddrinfo(host, *arguments, **more)


@pytest.fixture(autouse=True, scope='session')
def _no_network() -> Iterator[None]:
    """Refuse look-ups and connections of the test process that leave this machine."""
    block = pytest.MonkeyPatch()
    block.setattr(socket.socket, 'connect', _connect_nearby)
    block.setattr(socket.socket, 'connect_ex', _connect_ex_nearby)
    block.setattr(socket, 'getaddrinfo', _find_nearby)
    yield
    block.undo()
