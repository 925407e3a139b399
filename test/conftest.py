"""For every test: ROS 2 stays on this machine, and so does the network."""

import os
import socket
from collections.abc import Iterator

import pytest

os.environ["ROS_AUTOMATIC_DISCOVERY_RANGE"] = "LOCALHOST"

_connect = socket.socket.connect


def _connect_nearby(self: socket.socket, address: object) -> None:
    host = address[0] if isinstance(address, tuple) else ""
    nearby = self.family == socket.AF_UNIX or host in ("localhost", "::1") or str(host).startswith("127.")
    if not nearby:
        raise OSError(f"tests have no network: {address!r}")
    _connect(self, address)  # type: ignore[arg-type]


@pytest.fixture(autouse=True, scope="session")
def _no_network() -> Iterator[None]:
    """Refuse connections of the test process that leave this machine."""
    socket.socket.connect = _connect_nearby  # type: ignore[assignment,method-assign]
    yield
    socket.socket.connect = _connect  # type: ignore[method-assign]
