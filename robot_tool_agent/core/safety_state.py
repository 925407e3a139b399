"""The safety node's state as everyone else sees it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class SafetyMode(IntEnum):
    """States of the safety node. Values are those of SafetyState.msg."""

    STARTING = 0
    READY = 1
    STOPPING = 2
    RETREATING = 3
    SAFE = 4
    HOLDING = 5
    ESTOPPED = 6


def mode_name(value: int) -> str:
    """Return the name of a state as a message carries it, for a person; any number has one."""
    return SafetyMode(value).name if value in list(SafetyMode) else f'unknown ({value})'


@dataclass(frozen=True, slots=True)
class SafetyView:
    """
    Content of one SafetyState message.

    `epoch` rises when READY is entered and when it is left; motion commands carry the epoch of READY.
    """

    boot_id: int
    mode: SafetyMode
    epoch: int
    motion_allowed: bool
    resettable: bool
    fault: str = ''
    detail: str = ''
    limit_reason: str = ''
