"""What faults may do to our own system."""

from __future__ import annotations

from random import Random

from robot_tool_agent.core.safety.requests import TripRequest
from robot_tool_agent_sim.evidence.disk import DiskState
from robot_tool_agent_sim.evidence.process import Process
from robot_tool_agent_sim.evidence.strike import Stage
from robot_tool_agent_sim.evidence.system import System
from robot_tool_agent_sim.evidence.tampering import Noise, OneMessage

# When the safety process is gone for good, the launcher ends the rest.
ENDS_WITH_SAFETY_S = 0.2
# A safety process that hangs ends itself (its guard) once it runs again after so long.
GUARD_S = 1.0


class OurStage(Stage):
    """A stage with executor, planner and safety process."""

    def __init__(self, system: System, chance: Random) -> None:
        super().__init__(chance)
        self.world = system.world
        self._system = system
        self.down = False

    @property
    def has_safety(self) -> bool:
        """There is one."""
        return True

    def set_tamper(self, tamper: OneMessage | Noise | None) -> None:
        """Let messages be treated badly, or no longer."""
        self._system.bus.tamper = tamper

    def kill(self, name: str, back_in_s: float | None) -> None:
        """End a process; the launcher starts it again, or ends the rest if that was safety."""
        system, process = self._system, self._process(name)
        process.kill()
        if back_in_s is not None:
            system.bus.after(back_in_s, system.launcher, lambda: self._start(name))
        else:
            system.bus.after(ENDS_WITH_SAFETY_S, system.launcher, self._end_all)

    def leave(self, name: str, back_in_s: float) -> None:
        """Let the executor end in order."""
        system = self._system
        system.executor.leave()
        system.bus.after(back_in_s, system.launcher, lambda: self._start_when_gone(name))

    def freeze(self, name: str, for_s: float) -> None:
        """Stop a process for a while."""
        process = self._process(name)
        process.stop()
        self._system.bus.after(for_s, self._system.launcher, process.proceed)

    def set_disk(self, state: str) -> None:
        """Let the disk be in a state."""
        self._system.disk.state = DiskState[state]

    def wrong_frame(self, topic: str, wrong: bool) -> None:
        """Let a topic come in a wrong frame."""
        frames = self._system.safety.wrong_frames
        if wrong:
            frames.add(topic)
        else:
            frames.discard(topic)

    def stop_request(self) -> None:
        """Ask for a stop."""
        safety = self._system.safety
        self._system.bus.send('trip_safety', safety, lambda: self._trip())

    def cancel_task(self) -> None:
        """Cancel the task."""
        planner = self._system.planner
        self._system.bus.send('cancel_task', planner, planner.cancel_task)

    def _trip(self) -> None:
        self._system.safety.on_trip(TripRequest('OPERATOR_STOP', 'asked by a person'))

    def _process(self, name: str) -> Process:
        system = self._system
        return {'executor': system.executor, 'planner': system.planner, 'safety': system.safety}[name]

    def _start(self, name: str) -> None:
        process = self._process(name)
        if not process.alive and not self.down:
            process.boot()  # type: ignore[attr-defined]

    def _start_when_gone(self, name: str) -> None:
        if self._process(name).alive:
            self._system.bus.after(0.2, self._system.launcher, lambda: self._start_when_gone(name))
        else:
            self._start(name)

    def _end_all(self) -> None:
        self.down = True
        for name in ('executor', 'planner'):
            self._process(name).kill()
