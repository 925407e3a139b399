"""
The simulated robot on a straight way, driven by the real safety and executor nodes.

Every run begins at the start of the runway in READY and drives by `navigate_to` until it is fast.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
import random
import signal
import time
from types import TracebackType

from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.safety_state import SafetyMode
from robot_tool_agent_sim.bench.children import Child, parameters
from robot_tool_agent_sim.bench.descriptions import RUNWAY_END, write_robot, write_world
from robot_tool_agent_sim.bench.saboteur import Saboteur
from robot_tool_agent_sim.faults import NO_FAULT
from robot_tool_agent_sim.harness.goals import Goal
from robot_tool_agent_sim.harness.probe import Probe
from robot_tool_agent_sim.harness.traces import Moment, Speed, STANDING_MPS

# It speeds up for another 0.1 s at most before the fault strikes.
FAST_MPS = 0.33
START_TIMEOUT_S, STEP_TIMEOUT_S, CALL_TIMEOUT_S = 30.0, 10.0, 3.0
# Only for getting ready again sooner; no figure depends on them.
START_SETTLE_S, SETTLE_S = 0.1, 0.1
BEFORE_S = 0.5
# A goal that is sent before both ends know each other is lost, and sent again two seconds later.
MATCHING_S = 0.3
# Every run ends in a failed call on purpose; and the executor before a new one is surely dead.
EXECUTOR_SETTINGS = {'breaker_failures': 100, 'breaker_window_s': 1.0, 'exclusive_wait_s': 0.0}


class Course:
    """Safety, simulator and executor as processes, a probe and a saboteur. Use it as a context manager."""

    def __init__(self, domain_id: int, folder: Path) -> None:
        self._domain_id = domain_id
        self._folder = folder
        self.robot_file, self._world_file = folder / 'course_robot.yaml', folder / 'course_world.yaml'
        self.robot: RobotDescription = write_robot(self.robot_file)
        write_world(self._world_file)
        self.chance = random.Random(11)
        self._boots = 0
        self._stack = ExitStack()

    def __enter__(self) -> Course:
        try:
            self._start()
        except BaseException:
            self._stack.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def _start(self) -> None:
        settings = {'start_settle_s': START_SETTLE_S, 'settle_s': SETTLE_S}
        robot_file, world_file = self.robot_file, self._world_file
        self._child('robot_tool_agent.nodes.safety_node', 'safety', robot_file=robot_file, **settings)
        self._child('robot_tool_agent_sim.robot_node', 'simulator', robot_file=robot_file, world_file=world_file)
        self.start_executor()
        self._stack.callback(lambda: self.executor.end())
        self.probe = self._stack.enter_context(Probe(self._domain_id))
        self.saboteur = Saboteur(self._domain_id)
        self._stack.callback(self.saboteur.close)
        self.probe.wait_until(lambda: self.probe.seen.truth() and self._sees_state(), START_TIMEOUT_S, 'the system')
        self.probe.describe_skills()

    def _child(self, module: str, name: str, **values: object) -> Child:
        log = self._folder / f'course_{name}.log'
        return self._stack.enter_context(Child(module, self._domain_id, log, parameters(**values)))

    def start_executor(self) -> None:
        """Start an executor with a new journal."""
        self._boots += 1
        journal = self._folder / f'course_{self._boots}.sqlite3'
        values = parameters(robot_file=self.robot_file, journal_path=journal, **EXECUTOR_SETTINGS)
        log = self._folder / 'course_executor.log'
        self.executor = Child('robot_tool_agent.nodes.executor_node', self._domain_id, log, values)

    def _sees_state(self) -> bool:
        return self.probe.state() is not None

    def drive(self, prepare: Callable[[Course], None] | None = None) -> Goal:
        """Make the robot ready, send it along the runway and return the call once it is fast."""
        self._make_ready()
        if prepare is not None:
            prepare(self)
        deadline_s = time.monotonic() + STEP_TIMEOUT_S
        while True:
            goal = self.probe.send_skill('navigate_to', RUNWAY_END)
            self._wait_goal(goal, self._fast, 'a fast robot')
            if not (goal.done or goal.lost):
                self._wait_phase()
                return goal
            if time.monotonic() > deadline_s:
                raise TimeoutError(f'navigate_to: {goal.result(CALL_TIMEOUT_S).result.message}')

    def _wait_goal(self, goal: Goal, happened: Callable[[], bool], what: str) -> None:
        """Wait until something is true or the goal is over."""
        self.probe.wait_until(lambda: goal.done or goal.lost or happened(), STEP_TIMEOUT_S, what)

    def _fast(self) -> bool:
        return self.probe.true_speed() >= FAST_MPS

    def _wait_phase(self) -> None:
        self._let_pass(self.chance.uniform(0.0, 0.1))

    def _let_pass(self, duration_s: float) -> None:
        end_s = time.monotonic() + duration_s
        self.probe.wait_until(lambda: time.monotonic() >= end_s, duration_s + 1.0, 'time')

    def _make_ready(self) -> None:
        """Stop for good, heal everything, go back to the start, reset. Leaves no call running."""
        self.saboteur.press_stop(True)
        self.probe.wait_state(SafetyMode.ESTOPPED, STEP_TIMEOUT_S)
        self.probe.set_fault(NO_FAULT)
        self.saboteur.take_over_scans(False)
        self._heal_executor()
        self._end_calls()
        self.probe.reset_sim()
        self.saboteur.press_stop(False)
        self._reset()
        self.probe.wait_state(SafetyMode.READY, STEP_TIMEOUT_S)

    def _reset(self) -> None:
        """Reset; once more if the stop button, of which simulator and saboteur tell in turn, was just told pressed."""
        deadline_s = time.monotonic() + STEP_TIMEOUT_S
        while True:
            self.probe.wait_until(self._resettable, STEP_TIMEOUT_S, f'a state that can be reset: {self.probe.state()}')
            answer = self.probe.reset_safety()
            if answer.success:
                return
            if time.monotonic() > deadline_s:
                raise RuntimeError(f'reset_safety: {answer.message}')

    def _heal_executor(self) -> None:
        """Let a suspended executor go on; put a new one in the place of a killed one."""
        if self.executor.runs():
            self.executor.signal(signal.SIGCONT)
            return
        old = self.probe.seen.pulse('executor')
        self.start_executor()
        self.probe.wait_until(lambda: self.probe.seen.pulse('executor') != old, START_TIMEOUT_S, 'a new executor')
        self._let_pass(MATCHING_S)

    def _end_calls(self) -> None:
        for goal in self.probe.goals:
            self._wait_goal(goal, lambda: False, f'{goal.name}: the end')

    def _resettable(self) -> bool:
        view = self.probe.state()
        return view is not None and view.resettable

    def wait_standing(self, since_s: float) -> None:
        """Wait until ground truth shows standstill after a moment."""

        def stands() -> bool:
            points = self.probe.seen.truth(since_s)
            return any(abs(point.twist.v_mps) < STANDING_MPS for point in points)

        self.probe.wait_until(stands, STEP_TIMEOUT_S, 'standstill')

    def speeds(self, since_s: float) -> list[Speed]:
        """Return the commands to the base from a little before a moment on."""
        seen = self.probe.seen.commands(since_s - BEFORE_S)
        return [Speed(command.received_s, command.twist.v_mps) for command in seen]

    def moments(self, since_s: float) -> list[Moment]:
        """Return ground truth from a little before a moment on."""
        seen = self.probe.seen.truth(since_s - BEFORE_S)
        return [Moment(point.received_s, point.pose, point.twist.v_mps) for point in seen]
