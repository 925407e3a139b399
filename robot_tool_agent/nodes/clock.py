"""The two clocks of a node: steady time for deadlines, ROS time for stamps."""

import time

from builtin_interfaces.msg import Time

EARLIEST_S, LATEST_S = float(-(2**31)), float(2**31 - 1)


def steady_now_s() -> float:
    """Return steady time in seconds: never jumps, stops for nothing, shares its zero within one machine."""
    return time.monotonic()


def new_boot_id() -> int:
    """Return a number that rises from boot to boot: wall-clock nanoseconds."""
    return time.time_ns()


def seconds(stamp: Time) -> float:
    """Return a message's stamp in seconds."""
    return float(stamp.sec) + stamp.nanosec * 1e-9


def time_message(stamp_s: float) -> Time:
    """Return seconds as a message stamp; the nearest one there is for times beyond its 32 bits."""
    nanoseconds = round(min(max(stamp_s, EARLIEST_S), LATEST_S) * 1e9)
    return Time(sec=nanoseconds // 1_000_000_000, nanosec=nanoseconds % 1_000_000_000)


def wall_now_s() -> float:
    """Return wall-clock seconds since the epoch, for people to read; nothing is decided by it."""
    return time.time()
