"""Finds a ROS domain that nobody on this machine uses."""

from __future__ import annotations

import os
import socket

FIRST, COUNT = 60, 30
# Where the first participant of a domain listens, by the port rule of the DDS-RTPS specification (section 9.6.1.1).
_PORT_BASE, _DOMAIN_GAIN, _UNICAST_OFFSET = 7400, 250, 10


def free_domain() -> int:
    """Return a ROS_DOMAIN_ID whose first participant's port is free; starts the search by process id.

    Raise OSError if all of them are in use.
    """
    for step in range(COUNT):
        domain_id = FIRST + (os.getpid() + step) % COUNT
        if _is_free(_PORT_BASE + _DOMAIN_GAIN * domain_id + _UNICAST_OFFSET):
            return domain_id
    raise OSError(f'ROS domains {FIRST} to {FIRST + COUNT - 1} are all in use')


def _is_free(port: int) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as trial:
        try:
            trial.bind(('', port))
        except OSError:
            return False
    return True
