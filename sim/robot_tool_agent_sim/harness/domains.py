"""Finds a ROS domain that nobody on this machine uses."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
import socket
import tempfile

FIRST, COUNT = 60, 30
# Where the first participant of a domain listens, by the port rule of the DDS-RTPS specification (section 9.6.1.1).
_PORT_BASE, _DOMAIN_GAIN, _UNICAST_OFFSET = 7400, 250, 10
# The open lock files of the domains that this process has taken; the system closes them when it ends.
_TAKEN: dict[int, int] = {}


def free_domain() -> int:
    """
    Return a ROS_DOMAIN_ID whose first participant's port is free; starts the search by process id.

    It belongs to this process until that ends: another one that asks in the moment before a node has opened the port
    gets a different one. Raise OSError if all of them are in use.
    """
    for step in range(COUNT):
        domain_id = FIRST + (os.getpid() + step) % COUNT
        if _is_free(_PORT_BASE + _DOMAIN_GAIN * domain_id + _UNICAST_OFFSET) and _take(domain_id):
            return domain_id
    raise OSError(f'ROS domains {FIRST} to {FIRST + COUNT - 1} are all in use')


def _take(domain_id: int) -> bool:
    """Take a domain for this process, unless another one has it."""
    if domain_id in _TAKEN:
        return True
    path = Path(tempfile.gettempdir()) / f'ros_domain_{domain_id}.lock'
    number = os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o666)
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(number)
        return False
    _TAKEN[domain_id] = number
    return True


def _is_free(port: int) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as trial:
        try:
            trial.bind(('', port))
        except OSError:
            return False
    return True
