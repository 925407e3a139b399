"""Phases of a task."""

from __future__ import annotations

from enum import Enum


class Phase(Enum):
    """What the loop waits for."""

    NEW = 'new'
    TOOLS = 'tools'
    MODEL = 'model'
    PAUSE = 'pause'
    CALL = 'call'
    WAIT = 'wait'
    STOPPING = 'stopping'
    ENDED = 'ended'
