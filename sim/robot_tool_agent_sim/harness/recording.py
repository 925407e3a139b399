"""What was seen of a running system, with the steady time at which it was seen."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
import threading
import time
from typing import Any

from robot_tool_agent.core.geometry import Pose2D, Twist2D
from robot_tool_agent.core.safety_state import SafetyMode, SafetyView

# Ten minutes of the fastest topic.
KEPT = 30_000


@dataclass(frozen=True, slots=True)
class TruthPoint:
    """True pose in the map and true velocity in base_link, of one moment."""

    received_s: float
    stamp_s: float
    pose: Pose2D
    twist: Twist2D

    def moves(self, above_mps: float, above_radps: float) -> bool:
        """Tell whether the robot is faster than a limit."""
        return abs(self.twist.v_mps) >= above_mps or abs(self.twist.w_radps) >= above_radps


@dataclass(frozen=True, slots=True)
class Counted:
    """Content of `sim/truth_json`: held, contacts, travelled_m, turned_rad, picks, places, fault."""

    received_s: float
    values: dict[str, Any]


@dataclass(frozen=True, slots=True)
class StateSeen:
    """One safety_state message."""

    received_s: float
    view: SafetyView


@dataclass(frozen=True, slots=True)
class CommandSeen:
    """One cmd_vel message."""

    received_s: float
    twist: Twist2D


@dataclass(frozen=True, slots=True)
class MotionSeen:
    """One motion_command message: what the executor asked for."""

    received_s: float
    call_id: str
    epoch: int
    twist: Twist2D


@dataclass(frozen=True, slots=True)
class PulseSeen:
    """The newest heartbeat of a node."""

    received_s: float
    boot_id: int


class Recording:
    """Bounded histories, filled by one thread and read by others. Every change wakes those who wait."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._truth: deque[TruthPoint] = deque(maxlen=KEPT)
        self._counted: deque[Counted] = deque(maxlen=KEPT)
        self._states: deque[StateSeen] = deque(maxlen=KEPT)
        self._commands: deque[CommandSeen] = deque(maxlen=KEPT)
        self._motions: deque[MotionSeen] = deque(maxlen=KEPT)
        self._objects: dict[str, tuple[float, float]] = {}
        self._pulses: dict[str, PulseSeen] = {}

    @contextmanager
    def change(self) -> Iterator[None]:
        """Make a change under the lock and wake those who wait."""
        with self._changed:
            yield
            self._changed.notify_all()

    def add_truth(self, point: TruthPoint) -> None:
        """Take a ground-truth message."""
        with self.change():
            self._truth.append(point)

    def add_counted(self, counted: Counted) -> None:
        """Take a truth_json message."""
        with self.change():
            self._counted.append(counted)

    def add_state(self, state: StateSeen) -> None:
        """Take a safety_state message."""
        with self.change():
            self._states.append(state)

    def add_command(self, command: CommandSeen) -> None:
        """Take a cmd_vel message."""
        with self.change():
            self._commands.append(command)

    def add_motion(self, motion: MotionSeen) -> None:
        """Take a motion_command message."""
        with self.change():
            self._motions.append(motion)

    def add_object(self, name: str, x_m: float, y_m: float) -> None:
        """Take where an object was last seen, map frame, metres."""
        with self.change():
            self._objects[name] = (x_m, y_m)

    def add_pulse(self, node: str, pulse: PulseSeen) -> None:
        """Take a heartbeat."""
        with self.change():
            self._pulses[node] = pulse

    def wait_until(self, happened: Callable[[], object], timeout_s: float, what: str) -> None:
        """Wait until something is true; asked anew at every message. Raise TimeoutError with `what` at the deadline."""
        deadline_s = time.monotonic() + timeout_s
        while not happened():
            left_s = deadline_s - time.monotonic()
            if left_s <= 0.0:
                raise TimeoutError(f'not within {timeout_s:g} s: {what}')
            with self._changed:
                self._changed.wait(min(left_s, 0.05))

    def truth(self, since_s: float = 0.0, until_s: float = float('inf')) -> list[TruthPoint]:
        """Return the ground truth received within a time."""
        with self._changed:
            return _between(self._truth, since_s, until_s)

    def counted(self, since_s: float = 0.0) -> list[Counted]:
        """Return the counters received since a time."""
        with self._changed:
            return _between(self._counted, since_s, float('inf'))

    def states(self, since_s: float = 0.0, until_s: float = float('inf')) -> list[StateSeen]:
        """Return the safety states received within a time."""
        with self._changed:
            return _between(self._states, since_s, until_s)

    def modes(self, since_s: float = 0.0) -> list[SafetyMode]:
        """Return the safety modes since a time, each change once."""
        modes: list[SafetyMode] = []
        for seen in self.states(since_s):
            if not modes or modes[-1] is not seen.view.mode:
                modes.append(seen.view.mode)
        return modes

    def commands(self, since_s: float = 0.0) -> list[CommandSeen]:
        """Return what went to the base since a time."""
        with self._changed:
            return _between(self._commands, since_s, float('inf'))

    def motions(self, since_s: float = 0.0) -> list[MotionSeen]:
        """Return what the executor asked for since a time."""
        with self._changed:
            return _between(self._motions, since_s, float('inf'))

    def objects(self) -> dict[str, tuple[float, float]]:
        """Return where each object was last seen by the robot, map frame, metres."""
        with self._changed:
            return dict(self._objects)

    def pulse(self, node: str) -> PulseSeen | None:
        """Return the newest heartbeat of a node."""
        with self._changed:
            return self._pulses.get(node)


def _between(items: deque[Any], since_s: float, until_s: float) -> list[Any]:
    """Return the items of a time. Newest first while searching: questions are about the last moments."""
    found = []
    for item in reversed(items):
        if item.received_s < since_s:
            break
        if item.received_s <= until_s:
            found.append(item)
    found.reverse()
    return found
