"""navigate_to by a navigation stack outside the suite: it steers, the executor commands, sensors judge."""

from __future__ import annotations

import math

from execution_bench import Bench, TICK_S
import pytest
from robot_tool_agent.core.execution.call import CancelCause
from robot_tool_agent.core.geometry import Pose2D, Twist2D, ZERO_TWIST
from robot_tool_agent.core.journal import CallEnd
from robot_tool_agent.core.navigation.remote import bounded, RemoteReport, RemoteState
from robot_tool_agent.core.outcomes import Effect, ErrorCode, Outcome
from robot_tool_agent.core.robot import Backend, NavigationConfig, SkillConfig
from robot_tool_agent.core.skills.base import Services
from robot_tool_agent.core.skills.registry import SkillRegistry
from sim_house import robot_description

GOAL_X_M = 2.0
TO_GOAL = '{"x_m": 2.0, "y_m": 1.0, "yaw_rad": 0.0}'
ACTIVE, SUCCEEDED = RemoteState.ACTIVE, RemoteState.SUCCEEDED


class Stack:
    """Steers straight to the goal; as a test wants it, lies, gives up, falls silent or never answers."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.trouble = ''
        self.state: RemoteState | None = None
        self.twist = Twist2D(0.4, 0.0)
        self.after_m = math.inf
        self.goals: list[Pose2D] = []
        self.cancels = 0

    def problem(self) -> str:
        return self.trouble

    def start(self, goal: Pose2D, now_s: float) -> Stack:
        self.goals.append(goal)
        return self

    def report(self, now_s: float) -> RemoteReport:
        left_m = GOAL_X_M - self.bench.pose.x_m
        if self.state is not None and self.bench.pose.x_m - 1.0 >= self.after_m:
            return RemoteReport(self.state, self.twist, now_s, left_m, 'as the test wants')
        if left_m <= 0.02:
            return RemoteReport(SUCCEEDED)
        return RemoteReport(ACTIVE, self.twist, now_s, left_m)

    def cancel(self) -> None:
        self.cancels += 1


@pytest.fixture
def bench() -> Bench:
    navigation = NavigationConfig(backend=Backend.NAV2)
    return Bench(skills={'navigate_to': SkillConfig(), 'go_to_safe_pose': SkillConfig()}, navigation=navigation)


@pytest.fixture
def stack(bench: Bench) -> Stack:
    made = Stack(bench)
    bench.hub.registry = SkillRegistry(bench.robot, services=Services(made))
    return made


def end_of(bench: Bench, ticks: int = 400) -> CallEnd:
    """Step until the call has its one end."""
    bench.end('c1', ticks)
    (result,) = bench.results['c1']
    return result.end


def test_it_steers_through_motion_commands_of_the_call_and_sensors_judge(bench: Bench, stack: Stack) -> None:
    bench.send('c1', 'navigate_to', TO_GOAL)
    end = end_of(bench)
    assert (end.outcome, end.effect) == (Outcome.SUCCEEDED, Effect.DONE), end
    assert stack.goals == [Pose2D(2.0, 1.0, 0.0)]
    assert stack.cancels == 1  # let go, also of a goal that ended
    commanded = {motion.call_id for motion in bench.ports.motions if motion.twist and not motion.twist.is_zero()}
    assert commanded == {'c1'}


def test_a_success_that_sensors_deny_is_none(bench: Bench, stack: Stack) -> None:
    stack.state, stack.after_m = SUCCEEDED, 0.3
    bench.send('c1', 'navigate_to', TO_GOAL)
    end = end_of(bench, 2000)
    assert (end.outcome, end.effect) == (Outcome.FAILED, Effect.PARTIAL), end
    assert end.error is ErrorCode.VERIFICATION_FAILED
    assert end.attempts == 2  # navigate_to may be tried again: it is idempotent


@pytest.mark.parametrize('state', [RemoteState.ABORTED, RemoteState.CANCELED, RemoteState.LOST, RemoteState.REJECTED])
def test_a_stack_that_does_not_go_on_ends_the_motion_with_its_reason(
    bench: Bench, stack: Stack, state: RemoteState
) -> None:
    stack.state, stack.after_m = state, 0.3
    bench.send('c1', 'navigate_to', TO_GOAL)
    end = end_of(bench, 2000)
    assert (end.outcome, end.error) == (Outcome.FAILED, ErrorCode.EXECUTION_ERROR), end
    assert (end.effect, state.value in end.message) == (Effect.PARTIAL, True), end
    assert 0.3 <= bench.pose.x_m - 1.0 < 0.45


def test_a_stack_that_never_answers_moves_nothing(bench: Bench, stack: Stack) -> None:
    stack.state, stack.after_m = RemoteState.WAITING, -1.0
    bench.send('c1', 'navigate_to', TO_GOAL)
    end = end_of(bench, 2000)
    assert (end.outcome, end.effect) == (Outcome.FAILED, Effect.NONE), end
    assert 'did not take the goal within 5 s' in end.message
    assert stack.cancels == 2  # once an attempt: a late answer must not start it
    assert bench.pose.x_m == 1.0


def test_without_a_stack_nothing_starts(bench: Bench, stack: Stack) -> None:
    stack.trouble = 'nobody serves navigate_to_pose'
    for number, skill in enumerate(('navigate_to', 'go_to_safe_pose')):
        bench.send(f'd{number}', skill, TO_GOAL if number == 0 else '{}')
        bench.step(5)
        (result,) = bench.results[f'd{number}']
        assert (result.end.outcome, result.end.error) == (Outcome.REJECTED, ErrorCode.PRECONDITION_FAILED)
        assert 'nobody serves navigate_to_pose' in result.end.message
    assert stack.goals == []


def test_a_cancel_reaches_the_stack_and_the_robot_stands(bench: Bench, stack: Stack) -> None:
    bench.send('c1', 'navigate_to', TO_GOAL)
    bench.step(20)
    assert bench.pose.x_m > 1.1
    bench.executive.cancel('c1', CancelCause.REQUEST)
    end = end_of(bench)
    assert (end.outcome, end.effect) == (Outcome.CANCELED, Effect.PARTIAL)
    assert stack.cancels == 1


def test_a_velocity_that_is_old_or_no_number_stands(bench: Bench, stack: Stack) -> None:
    stack.twist = Twist2D(math.nan, 0.0)
    bench.send('c1', 'navigate_to', TO_GOAL)
    bench.step(20)
    assert bench.pose.x_m == 1.0
    old = RemoteReport(ACTIVE, Twist2D(0.4, 0.0), bench.now_s - 1.0, 1.0)
    stack.report = lambda now_s: old  # type: ignore[method-assign]
    bench.step(round(0.5 / TICK_S))
    assert bench.pose.x_m == 1.0
    assert not bench.results['c1']


def test_the_robots_limits_hold_and_the_arc_stays() -> None:
    limits = robot_description().limits
    assert bounded(Twist2D(1.0, 1.0), limits) == Twist2D(0.5, 0.5)
    assert bounded(Twist2D(-0.6, 0.4), limits) == Twist2D(-0.3, 0.2)
    assert bounded(Twist2D(0.2, -3.2), limits) == Twist2D(0.1, -1.6)
    assert bounded(Twist2D(0.2, 0.1), limits) == Twist2D(0.2, 0.1)
    assert bounded(Twist2D(math.inf, 0.0), limits) == ZERO_TWIST
