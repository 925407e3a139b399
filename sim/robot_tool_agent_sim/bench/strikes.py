"""
Faults that strike the simulated robot in full motion, and how it stops by ground truth.

For messages that stay away the answer counts from the deadline: the first limit that passes, by the last sign of life
that was seen here. Time and way to standstill count from the fault itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
import signal
import time

from robot_tool_agent.core.safety.config import SafetyConfig
from robot_tool_agent_sim.bench.course import BEFORE_S, Course
from robot_tool_agent_sim.bench.figures import distribution, Figure, PLAIN
from robot_tool_agent_sim.harness.traces import first_drop_s, Stop, stop_after

LEAST_MPS, ANSWER_TIMEOUT_S = 0.3, 5.0
LIMITS = SafetyConfig()


@dataclass(frozen=True, slots=True)
class Run:
    """One stop: seconds from the fault's message or deadline to the answer, and time and way to standstill."""

    answer_s: float
    stop: Stop


@dataclass(frozen=True, slots=True)
class Kind:
    """One way to strike. `deadline_s` gives the time from which the answer counts, when the stop is over."""

    name: str
    strike: Callable[[Course], None]
    deadline_s: Callable[[Course, float], float]
    to_zero: bool = False
    prepare: Callable[[Course], None] | None = None


def measure(course: Course, kind: Kind) -> Run:
    """Drive, strike, wait for standstill and return what happened."""
    course.drive(kind.prepare)
    struck_s = time.monotonic()
    speed_mps = course.probe.true_speed()
    kind.strike(course)
    course.wait_standing(struck_s)
    deadline_s = kind.deadline_s(course, struck_s)
    answered_s = first_drop_s(course.speeds(struck_s), struck_s, kind.to_zero)
    stop = stop_after(course.moments(struck_s), struck_s)
    if answered_s is None or stop is None or speed_mps < LEAST_MPS:
        raise ValueError(f'{kind.name}: no stop from {speed_mps:.2f} m/s: answer {answered_s}, {stop}')
    return Run(answered_s - deadline_s, stop)


def measure_cancel(course: Course) -> tuple[float, float]:
    """Drive, cancel the call; return the seconds until that is acknowledged and until the robot stands."""
    answers: list[float] = []
    goal = course.drive()
    asked_s = time.monotonic()
    goal.cancel(lambda answer: answers.append(time.monotonic()))
    course.wait_standing(asked_s)
    course.probe.wait_until(lambda: answers, ANSWER_TIMEOUT_S, 'the answer to a cancel request')
    stop = stop_after(course.moments(asked_s), asked_s)
    if stop is None:
        raise ValueError('cancel: no stop')
    return answers[0] - asked_s, stop.time_s


def stop_figures(runs: list[Run]) -> dict[str, Figure]:
    """Return time (s) and way (m) to standstill."""
    return {
        'stop_s': distribution([run.stop.time_s for run in runs], PLAIN),
        'stop_m': distribution([run.stop.distance_m for run in runs], PLAIN),
    }


def _at_once(course: Course, struck_s: float) -> float:
    return struck_s


def _press_stop(course: Course) -> None:
    course.saboteur.press_stop(True)


def _bump(course: Course) -> None:
    course.saboteur.bump()


def _lose_scans(course: Course) -> None:
    """Let the saboteur be the range sensor."""
    course.saboteur.take_over_scans(True)
    course.probe.set_fault('scan_lost')


def _put_obstacle(course: Course) -> None:
    course.saboteur.put_obstacle()


def _send_invalid(course: Course) -> None:
    last = course.probe.seen.motions(time.monotonic() - BEFORE_S)[-1]
    course.saboteur.send_invalid(last.epoch, last.call_id)


def _freeze_odometry(course: Course) -> None:
    course.probe.set_fault('odom_frozen')


def _odometry_limit(course: Course, struck_s: float) -> float:
    return course.saboteur.odom_news_s + course.robot.topics.odom.stale_s


def _kill_executor(course: Course) -> None:
    course.executor.kill()


def _suspend_executor(course: Course) -> None:
    course.executor.signal(signal.SIGSTOP)


def _executor_limit(course: Course, struck_s: float) -> float:
    """Return the earlier of two limits: the last command is dead, or the last heartbeat too old."""
    commands = course.probe.seen.motions(struck_s - BEFORE_S)
    beat = course.probe.seen.pulse('executor')
    assert beat is not None
    return min(commands[-1].received_s + LIMITS.command_timeout_s, beat.received_s + LIMITS.executor_timeout_s)


EVENTS = (
    Kind('operator_stop', _press_stop, _at_once, to_zero=True),
    Kind('bumper', _bump, _at_once, to_zero=True),
    Kind('obstacle', _put_obstacle, _at_once, prepare=_lose_scans),
    Kind('invalid_command', _send_invalid, _at_once),
)
TIMEOUTS = (
    Kind('odometry_stale', _freeze_odometry, _odometry_limit),
    Kind('executor_killed', _kill_executor, _executor_limit),
    Kind('executor_stopped', _suspend_executor, _executor_limit),
)
