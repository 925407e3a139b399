"""wait: let time pass."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field
from robot_tool_agent.core.outcomes import Effect, ErrorCode
from robot_tool_agent.core.sensors import Instant, SensorView
from robot_tool_agent.core.skills.base import Skill, SkillArguments, Step, StepStatus, Verdict
from robot_tool_agent.core.skills.evidence import rounded


class WaitArguments(SkillArguments):
    """Arguments of `wait`."""

    duration_s: float = Field(ge=0.0, le=60.0, description='how long to wait, in seconds')


class Wait(Skill[WaitArguments]):
    """Lets time pass on the steady clock. The robot is neither moved nor stopped by it."""

    name = 'wait'
    description = """
        Wait for a number of seconds, then return.
        Does: let time pass while the robot stays as it is.
        Does not: move the robot, stop another motion, or wait for something to happen.
        Use it when somebody was asked to do something and needs a moment.
        Do not use it after SAFETY_LOCKED or RESOURCE_BUSY: those calls may simply be sent again later.
        Arguments: an object with one field.
        duration_s: number of seconds, 0 to 60, decimals allowed.
        Unit: seconds, not milliseconds.
        For a longer time, call it several times.
        Example: {"duration_s": 2.5}
        Wrong: {"duration_s": "2.5"} (text is not a number), {"seconds": 2} (unknown field).
        Repeating it is harmless.
        It uses no part of the robot, so other skills may run beside it.
        Errors:
        INVALID_ARGUMENT: the number is missing, no number, or out of range; send it again corrected.
        CANCELED: somebody ended the wait early.
        TIMEOUT: the executor could not measure the time; try again.
        Result: waited_s, the seconds that passed.
        """
    arguments_type = WaitArguments
    reads_only = True
    idempotent = True
    timeout_s = 65.0

    def __init__(self, arguments: WaitArguments, robot: Any) -> None:
        super().__init__(arguments, robot)
        self._begun_s: float | None = None
        self._waited_s = 0.0

    def begin(self, view: SensorView, now_s: float) -> None:
        """Start the clock."""
        self._begun_s = now_s

    def tick(self, view: SensorView, now_s: float) -> Step:
        """Finish when the time is over."""
        if self._begun_s is None:
            return Step(StepStatus.FAILED, error=ErrorCode.EXECUTION_ERROR, detail='not begun')
        self._waited_s = max(0.0, now_s - self._begun_s)
        duration_s = self.arguments.duration_s
        over = self._waited_s >= duration_s
        progress = 1.0 if over else self._waited_s / duration_s
        detail = f'{self._waited_s:.1f} of {duration_s:.1f} s'
        return Step(StepStatus.FINISHED if over else StepStatus.RUNNING, progress=progress, detail=detail)

    def verify(self, view: SensorView, start: Mapping[str, Any], since: Instant) -> Verdict:
        """Succeed if the steady clock showed the time to have passed."""
        wanted_s = self.arguments.duration_s
        seen = {
            'topic': 'steady clock',
            'stamp_s': rounded(since.stamp_s),
            'measured': {'waited_s': rounded(self._waited_s)},
            'wanted': {'waited_s': wanted_s},
            'tolerance': {'early_s': 0.0},
        }
        if self._waited_s >= wanted_s:
            result = {'waited_s': rounded(self._waited_s)}
            return Verdict(True, Effect.NONE, f'waited {self._waited_s:.1f} s', seen, result)
        return Verdict(False, Effect.NONE, f'only {self._waited_s:.1f} of {wanted_s:.1f} s passed', seen)
