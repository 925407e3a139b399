"""Times as people write them."""

from __future__ import annotations

import datetime


def local_time(wall_s: float) -> str:
    """Return a wall-clock time as people write it, in the time zone of this machine."""
    return datetime.datetime.fromtimestamp(wall_s).astimezone().isoformat(sep=' ', timespec='milliseconds')
