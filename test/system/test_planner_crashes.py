"""SIGKILL of the planner at every moment of a task; then its task_id again. Truth counts how far the robot went."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
import os
from pathlib import Path
import signal
import subprocess
import time
from typing import Any

import crashing_planner
from planner_process import planner
from players.watching import stands, watch_until
import pytest
from robot_tool_agent.core.outcomes import TaskStatus
from small_system import LIMIT_S, small_system, SmallSystem

# A system of its own: left to the long run.
pytestmark = pytest.mark.slow

TASK = 'move forward 0.8 m, then move back 0.3 m'
FIRST_M, SECOND_M = 0.8, 0.3
SLACK_M = 0.06
IN_MOTION = 'in_motion'
# Longer than a planner takes to do something by itself, s.
WATCH_S = 1.5


@dataclass(frozen=True, slots=True)
class Crash:
    """When the planner dies, how far the robot had gone then, how the task ends when it is sent again, and how far."""

    at: str
    gone_m: float
    status: TaskStatus
    error: str = ''
    more_m: float = 0.0


WHOLE_M = FIRST_M + SECOND_M
CRASHES = (
    Crash('before_reply', 0.0, TaskStatus.SUCCEEDED, more_m=WHOLE_M),
    Crash('after_reply', 0.0, TaskStatus.SUCCEEDED, more_m=WHOLE_M),
    Crash(IN_MOTION, FIRST_M / 2, TaskStatus.FAILED, 'CANCELED'),
    Crash('before_result', FIRST_M, TaskStatus.SUCCEEDED, more_m=SECOND_M),
    Crash('after_result', FIRST_M, TaskStatus.SUCCEEDED, more_m=SECOND_M),
    Crash('before_second_reply', FIRST_M, TaskStatus.SUCCEEDED, more_m=SECOND_M),
    Crash('after_second_reply', FIRST_M, TaskStatus.SUCCEEDED, more_m=SECOND_M),
    Crash('before_second_result', WHOLE_M, TaskStatus.UNVERIFIED, 'VERIFICATION_FAILED'),
    Crash('after_second_result', WHOLE_M, TaskStatus.SUCCEEDED),
    Crash('before_end', WHOLE_M, TaskStatus.SUCCEEDED),
    Crash('after_end', WHOLE_M, TaskStatus.SUCCEEDED),
)


def test_every_moment_is_there() -> None:
    assert {crash.at for crash in CRASHES} == {*crashing_planner.MOMENTS, IN_MOTION}


class Killable:
    """A planner process that dies and is started anew with the same memory."""

    def __init__(self, small: SmallSystem, folder: Path, stack: ExitStack) -> None:
        self.small = small
        self._memory = folder / 'tasks.sqlite3'
        self._order = folder / 'planner_crash_order'
        self._stack = stack
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        started_s = time.monotonic()
        os.environ[crashing_planner.ORDER] = str(self._order)
        running = planner(
            self.small.domain_id, f'memory_path:={self._memory}', program=(crashing_planner.__file__,)
        )
        self.process = self._stack.enter_context(running)
        probe = self.small.probe
        self.small.wait(lambda: (beat := probe.seen.pulse('planner')) and beat.received_s > started_s, 'a new planner')

    def order(self, moment: str) -> None:
        self._order.write_text(moment, encoding='utf-8')

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()

    def close(self) -> None:
        """End whatever a test that failed has left behind."""
        self._order.unlink(missing_ok=True)
        if self.process is not None:
            self.process.kill()
            self.process.wait(LIMIT_S)

    def wait_dead(self) -> None:
        assert self.process is not None
        assert self.process.wait(LIMIT_S) == -signal.SIGKILL
        self.small.wait(lambda: stands(self.small.probe), 'standstill')


@pytest.fixture(scope='module')
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Killable]:
    folder = tmp_path_factory.mktemp('planner')
    with small_system(folder) as small, ExitStack() as stack:
        yield Killable(small, folder, stack)


@pytest.fixture
def killable(shared: Killable) -> Iterator[Killable]:
    yield shared
    shared.close()


def ended(result: Any) -> tuple[TaskStatus, str]:
    return TaskStatus(result.status), result.error_code


@pytest.mark.parametrize('crash', CRASHES, ids=[crash.at for crash in CRASHES])
def test_a_crash(killable: Killable, crash: Crash) -> None:
    small = killable.small
    small.fresh()
    killable.start()
    if crash.at != IN_MOTION:
        killable.order(crash.at)
    before_m = small.travelled_m()
    goal = small.probe.send_task(TASK, f'crash-{crash.at}')
    if crash.at == IN_MOTION:
        small.wait(lambda: small.probe.counters()['travelled_m'] - before_m > 0.1, 'motion')
        killable.kill()
    killable.wait_dead()
    assert not goal.done
    gone_m = small.travelled_m() - before_m
    assert gone_m == pytest.approx(crash.gone_m, abs=0.25 if crash.at == IN_MOTION else SLACK_M)

    killable.start()
    watch_until(small.probe, time.monotonic() + WATCH_S)
    assert small.travelled_m() - before_m == pytest.approx(gone_m, abs=0.001), 'a restart moved the robot'

    first = small.probe.run_task(TASK, f'crash-{crash.at}').result
    assert ended(first) == (crash.status, crash.error), first.summary
    now_m = small.travelled_m() - before_m
    assert now_m - gone_m == pytest.approx(crash.more_m, abs=SLACK_M if crash.more_m else 0.001)
    second = small.probe.run_task(TASK, f'crash-{crash.at}').result
    assert second == first
    assert small.travelled_m() - before_m == pytest.approx(now_m, abs=0.001)
    killable.kill()
    killable.wait_dead()
