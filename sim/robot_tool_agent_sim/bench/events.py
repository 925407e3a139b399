"""
Faults that arrive as a message: from the message to the command that answers it, beside a bare echo.

Stand-in robots obey `cmd_vel` at once and move at CRUISE_MPS when a fault strikes, at random phases of the gate's
period. OPERATOR_STOP is pressed while the robot brakes for the invalid command, still faster than LEAST_MPS. While one
robot comes back from a stop another is measured; the echoes are taken in between, under the same load.
"""

from __future__ import annotations

from collections.abc import Callable
import math
import random
import time
from typing import Any

from geometry_msgs.msg import Twist
from rclpy.node import Node
from rclpy.task import Future
from robot_tool_agent.nodes.qos import COMMAND, LATCHED
from robot_tool_agent_interfaces.msg import SafetyState
from robot_tool_agent_interfaces.srv import ResetSafety
from robot_tool_agent_sim.bench.echo_node import KINDS
from robot_tool_agent_sim.bench.seat import Seat
from robot_tool_agent_sim.harness.ranges import corridor_ranges
from robot_tool_agent_sim.harness.stand_ins import scan_message, StandInExecutor, StandInRobot, velocity_command
from robot_tool_agent_sim.harness.traces import first_drop_s
from std_msgs.msg import Bool

CRUISE_MPS, LEAST_MPS = 0.4, 0.3
NEAR_M = 0.22
PERIOD_S = 0.02
ASK_AGAIN_S = 1.0
ANSWER_TIMEOUT_S, STATE_TIMEOUT_S, START_TIMEOUT_S = 2.0, 10.0, 20.0
CLEAR = corridor_ranges()
NEAR = corridor_ranges(ahead_m=NEAR_M)
PRESSED = Bool(data=True)


class Echoes:
    """Sends messages to the echo node and takes the time until they come back."""

    def __init__(self, seat: Seat) -> None:
        self._seat = seat
        node = seat.node
        self._publishers = {
            name: node.create_publisher(kind, f'echo/{name}', COMMAND) for name, (kind, _) in KINDS.items()
        }
        self._returned_s = dict.fromkeys(KINDS, 0.0)
        for name, (kind, _) in KINDS.items():
            node.create_subscription(kind, f'echoed/{name}', self._taker(name), COMMAND)
        scan = scan_message(CLEAR, node.get_clock().now().to_msg())
        command = velocity_command(CRUISE_MPS, node.get_clock().now().nanoseconds, 'call-1')
        self._messages = {'bool': PRESSED, 'command': command, 'twist': Twist(), 'scan': scan}

    def _taker(self, name: str) -> Callable[[Any], None]:
        def take(message: Any) -> None:
            self._returned_s[name] = time.monotonic()

        return take

    def wait_connected(self) -> None:
        """Wait until the echo node hears all of them."""
        self._seat.until(self._is_connected, START_TIMEOUT_S, 'the echo node')

    def _is_connected(self) -> bool:
        return all(publisher.get_subscription_count() for publisher in self._publishers.values())

    def measure_s(self, name: str) -> float:
        """Return the seconds from publication to return of one message."""
        sent_s = time.monotonic()
        self._publishers[name].publish(self._messages[name])
        self._seat.until(lambda: self._returned_s[name] > sent_s, ANSWER_TIMEOUT_S, f'echo of {name}')
        return self._returned_s[name] - sent_s


class EventRig:
    """The stand-in robot and executor round one safety node, in the namespace of `node`."""

    def __init__(self, seat: Seat, node: Node, samples: dict[str, list[float]], seed: int) -> None:
        self._seat = seat
        self._samples = samples
        self.robot = StandInRobot(node, has_estop=True)
        self.robot.ranges = CLEAR
        self.executor = StandInExecutor(node)
        self._chance = random.Random(seed)
        self._state = SafetyState()
        self._recovering = False
        self._asked_s = -math.inf
        self._fast_enough = False
        node.create_subscription(SafetyState, 'safety_state', self._on_state, LATCHED)
        self._reset = node.create_client(ResetSafety, 'reset_safety')

    def come_up(self) -> None:
        """Wait until the safety node is ready, then drive."""
        self._seat.until(self._is_ready, START_TIMEOUT_S, 'READY')
        self._drive()
        self.wait_cruise()

    def wait_cruise(self) -> None:
        """Wait until the robot drives at full speed."""
        self._seat.until(self._cruises, STATE_TIMEOUT_S, f'{CRUISE_MPS} m/s; state {self._state}')

    def measure_echoes(self, echoes: Echoes) -> None:
        """Measure every kind of echo once."""
        for name in self._chance.sample(sorted(KINDS), len(KINDS)):
            self._wait_phase()
            self._samples[name].append(echoes.measure_s(name))

    def measure_command_faults(self) -> None:
        """Measure an obstacle, an invalid command and the stop button once; leave the robot coming back."""
        self.wait_cruise()
        self._obstacle()
        self.wait_cruise()
        self._invalid_then_stop()

    def measure_bumper(self) -> None:
        """Measure the bumper once; leave the robot coming back."""
        self.wait_cruise()
        self._bumper()

    def _is_ready(self) -> bool:
        return bool(self._state.state == SafetyState.READY)

    def _cruises(self) -> bool:
        return bool(self.robot.speeds) and self.robot.speeds[-1].v_mps > CRUISE_MPS - 1e-6

    def _drive(self) -> None:
        """Command full speed under the present epoch."""
        command = velocity_command(CRUISE_MPS, self._state.epoch, f'call-{self._state.epoch}')
        self.executor.command = command
        self.executor.send(command)

    def _recover(self) -> None:
        """Begin to come back: the rest follows from the states that are heard."""
        self.executor.command = None
        self._recovering, self._asked_s = True, -math.inf

    def _on_state(self, state: SafetyState) -> None:
        self._state = state
        if not self._recovering:
            return
        if state.resettable and time.monotonic() - self._asked_s > ASK_AGAIN_S:
            self._asked_s = time.monotonic()
            self._reset.call_async(ResetSafety.Request(operator_name='bench')).add_done_callback(self._on_reset)
        elif self._asked_s > -math.inf and self._is_ready():
            self._recovering = False
            self._drive()

    def _on_reset(self, future: Future) -> None:
        """Ask again at the next state if it was refused; one whose answer never comes is asked anew after a while."""
        if not future.result().success:
            self._asked_s = -math.inf

    def _wait_phase(self) -> None:
        self._seat.spin(self._chance.uniform(0.0, PERIOD_S))

    def _obstacle(self) -> None:
        def strike() -> None:
            self.robot.scans.publish(message)
            self.robot.ranges = NEAR

        self._wait_phase()
        message = self.robot.scan_of(NEAR)
        since_s = self._strike('obstacle', strike)
        newest = self.robot.speeds[-1]
        self._seat.until(lambda: self.robot.speeds[-1] is not newest, ANSWER_TIMEOUT_S, 'one more command')
        self._take('obstacle', since_s)
        self.robot.ranges = CLEAR
        self.robot.publish_scan()

    def _invalid_then_stop(self) -> None:
        def stop() -> None:
            assert self.robot.stops is not None
            self.robot.stops.publish(PRESSED)
            self.robot.stopped = True

        command = self.executor.command
        assert command is not None
        wrong = velocity_command(math.nan, command.epoch, command.call_id)
        self._wait_phase()
        invalid_s = self._strike('invalid_command', lambda: self.executor.send(wrong))
        self._wait_phase()
        self._take('invalid_command', invalid_s)
        stopped_s = self._strike('operator_stop', stop, to_zero=True)
        self._take('operator_stop', stopped_s, to_zero=True)
        self.robot.stopped = False
        assert self.robot.stops is not None
        self.robot.stops.publish(Bool(data=False))
        self._recover()

    def _bumper(self) -> None:
        self._wait_phase()
        since_s = self._strike('bumper', lambda: self.robot.bumps.publish(PRESSED), to_zero=True)
        self._take('bumper', since_s, to_zero=True)
        self.robot.bumps.publish(Bool(data=False))
        self._recover()

    def _strike(self, kind: str, publish: Callable[[], None], to_zero: bool = False) -> float:
        """
        Let a fault strike and wait for the answer; return the time just before its message is published.

        The message is made before that, as those of the echoes are.
        """
        self._fast_enough = self.robot.twist.v_mps >= LEAST_MPS
        since_s = time.monotonic()
        publish()
        self._seat.until(
            lambda: first_drop_s(self.robot.speeds, since_s, to_zero) is not None,
            ANSWER_TIMEOUT_S,
            f'the answer to {kind}',
        )
        return since_s

    def _take(self, kind: str, since_s: float, to_zero: bool = False) -> None:
        """Keep a sample; none of a robot that had become slow while the measuring process waited for its turn."""
        answered_s = first_drop_s(self.robot.speeds, since_s, to_zero)
        if answered_s is None:
            raise ValueError(f'{kind}: the speed rose again')
        if self._fast_enough:
            self._samples[kind].append(answered_s - since_s)
