"""A silence is judged soon after its time is up, and never before what would break it was taken."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
import math
import time

import pytest
import rclpy
from rclpy.clock import Clock, ClockType
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions
from robot_tool_agent.nodes.clock import steady_now_s
from robot_tool_agent.nodes.gate_timer import GateTimer
from robot_tool_agent.nodes.qos import COMMAND
from std_msgs.msg import Empty

DOMAIN = 11
LIMIT_S = 0.25
DISCOVERY_S = 10.0
# Most that a busy machine may add to a turn that is due.
SLOW_S = 0.2


class Watcher:
    """Turns as the safety node does, and notes when it found a silence."""

    def __init__(self, node: Node, executor: SingleThreadedExecutor, period_s: float) -> None:
        self.heard_s = math.inf
        self.found_s: list[float] = []
        self.turns = 0
        self._executor = executor
        node.create_subscription(Empty, 'life', self._on_life, COMMAND)
        self._timer = GateTimer(node, Clock(clock_type=ClockType.STEADY_TIME), period_s, self._turn, self._deadline_s)

    def spin_until(self, time_s: float) -> None:
        """Take what comes until a steady time."""
        while steady_now_s() < time_s:
            self._executor.spin_once(timeout_sec=max(0.0, min(0.01, time_s - steady_now_s())))

    def _on_life(self, message: Empty) -> None:
        self.heard_s = steady_now_s()

    def _deadline_s(self, now_s: float) -> float:
        return self.heard_s + LIMIT_S if self.heard_s + LIMIT_S >= now_s else math.inf

    def _turn(self) -> None:
        now_s = steady_now_s()
        self.turns += 1
        if now_s > self.heard_s + LIMIT_S:
            self.found_s.append(now_s)
        self._timer.turned(now_s)


class Rig:
    """A watcher, and somebody who gives signs of life and hears them too."""

    def __init__(self, stack: ExitStack, period_s: float) -> None:
        context = rclpy.Context()
        rclpy.init(context=context, domain_id=DOMAIN, signal_handler_options=SignalHandlerOptions.NO)
        stack.callback(context.try_shutdown)
        nodes = [rclpy.create_node(name, context=context) for name in ('watcher', 'alive')]
        executors = [SingleThreadedExecutor(context=context) for _ in nodes]
        for node, executor in zip(nodes, executors, strict=True):
            stack.callback(node.destroy_node)
            stack.callback(executor.shutdown)
            executor.add_node(node)
        self.alive_spins = executors[1]
        self._life = nodes[1].create_publisher(Empty, 'life', COMMAND)
        self._echoes = 0
        nodes[1].create_subscription(Empty, 'life', self._on_echo, COMMAND)
        self.watcher = Watcher(nodes[0], executors[0], period_s)

    def live(self) -> None:
        """Give a sign of life, and return once it has arrived, at the watcher's door too."""
        before, until_s = self._echoes, time.monotonic() + DISCOVERY_S
        self._life.publish(Empty())
        while self._echoes == before:
            assert time.monotonic() < until_s, 'no sign of life arrived'
            self.alive_spins.spin_once(timeout_sec=0.01)

    def wait_connected(self) -> None:
        until_s = time.monotonic() + DISCOVERY_S
        while self._life.get_subscription_count() < 2:
            assert time.monotonic() < until_s, 'the watcher was not found'
            self.alive_spins.spin_once(timeout_sec=0.01)

    def idle_until(self, time_s: float) -> None:
        """Let time pass in which the watcher gets no turn."""
        while steady_now_s() < time_s:
            self.alive_spins.spin_once(timeout_sec=0.005)

    def _on_echo(self, message: Empty) -> None:
        self._echoes += 1


@pytest.fixture(params=[0.02, 0.5], ids=['period', 'deadline'])
def rig(request: pytest.FixtureRequest) -> Iterator[Rig]:
    with ExitStack() as stack:
        rig = Rig(stack, request.param)
        rig.wait_connected()
        rig.live()
        rig.watcher.spin_until(steady_now_s() + 0.6)
        yield rig


def first_sign(rig: Rig) -> float:
    """Let the watcher hear a sign of life, and turn; return when it heard it."""
    rig.live()
    rig.watcher.spin_until(steady_now_s() + 0.01)
    rig.watcher.found_s.clear()
    rig.watcher._timer.turned(steady_now_s())
    return rig.watcher.heard_s


def test_a_silence_is_found_at_its_limit_and_not_before(rig: Rig) -> None:
    heard_s = first_sign(rig)
    rig.watcher.spin_until(heard_s + LIMIT_S + SLOW_S)
    assert rig.watcher.found_s
    assert rig.watcher.found_s[0] - heard_s > LIMIT_S
    assert rig.watcher.found_s[0] - heard_s < LIMIT_S + SLOW_S


def test_a_sign_of_life_that_waits_at_the_door_is_heard_before_silence_is_found(rig: Rig) -> None:
    heard_s = first_sign(rig)
    rig.watcher.spin_until(heard_s + LIMIT_S - 0.05)
    assert rig.watcher.found_s == []
    rig.live()
    rig.idle_until(heard_s + LIMIT_S + 0.03)
    turns = rig.watcher.turns
    while rig.watcher.turns == turns and rig.watcher.heard_s == heard_s:
        rig.watcher.spin_until(steady_now_s() + 0.001)
    rig.watcher.spin_until(rig.watcher.heard_s + 0.1)
    assert rig.watcher.heard_s > heard_s + LIMIT_S
    assert rig.watcher.found_s == []
