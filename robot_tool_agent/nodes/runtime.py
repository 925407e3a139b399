"""How every node of the suite starts and ends: one executor, exact exit codes."""

from collections.abc import Callable, Sequence
import signal
import sys
import traceback
from types import FrameType
from typing import cast, Protocol

import rclpy
from rclpy.exceptions import InvalidParameterTypeException
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions
from robot_tool_agent.config_files import ConfigError
from robot_tool_agent.nodes.clock_guard import guard_clock
from robot_tool_agent.nodes.ros_services import guard_services
from robot_tool_agent.transport import choose_transport

EXIT_OK, EXIT_CRASH, EXIT_CONFIG = 0, 1, 2
SPIN_SLICE_S = 0.1
CLOSE_TIMEOUT_S = 1.0


class _Hooks(Protocol):

    def on_shutdown(self) -> bool:
        """Take one turn after a signal; return True once the node may end."""

    def on_crash(self) -> None:
        """Do what must be done after an exception, before the process exits."""


class _Stop:
    """Remembers that a signal asked the process to end."""

    def __init__(self) -> None:
        self.requested = False
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._take)

    def _take(self, number: int, frame: FrameType | None) -> None:
        self.requested = True


def run_node(factory: Callable[[], Node], argv: Sequence[str] | None = None) -> int:
    """
    Run one node until SIGINT or SIGTERM and return the process's exit code.

    0 after a signal, 2 for a configuration that cannot be used (every fault on stderr), 1 for an exception. A node may
    have `on_shutdown() -> bool` (called until it says True, so that it can bring its robot to rest) and `on_crash()`.
    """
    choose_transport()
    try:
        rclpy.init(args=list(argv) if argv is not None else None, signal_handler_options=SignalHandlerOptions.NO)
    except RuntimeError as error:  # arguments that ROS cannot read
        return _refused(error)
    stop = _Stop()
    executor = SingleThreadedExecutor()
    node: Node | None = None
    try:
        node = factory()
        guard_services(node)
        guard_clock(node)
        _spin(executor, node, stop)
        return EXIT_OK
    except (ConfigError, InvalidParameterTypeException) as error:
        return _refused(error)
    except ExternalShutdownException:
        return EXIT_OK
    except Exception:
        traceback.print_exc()
        if node is not None and hasattr(node, 'on_crash'):
            cast(_Hooks, node).on_crash()
        return EXIT_CRASH
    finally:
        # Left to the garbage collector it can outlive what it is made of, and prints a traceback then. Not before the
        # hooks above: a node that crashed has a last zero to send.
        executor.shutdown(timeout_sec=CLOSE_TIMEOUT_S)
        if node is not None:
            node.destroy_node()
        rclpy.try_shutdown()


def _refused(error: Exception) -> int:
    print(error, file=sys.stderr, flush=True)
    return EXIT_CONFIG


def _spin(executor: SingleThreadedExecutor, node: Node, stop: _Stop) -> None:
    executor.add_node(node)
    while not stop.requested:
        executor.spin_once(timeout_sec=SPIN_SLICE_S)
    if hasattr(node, 'on_shutdown'):
        while not cast(_Hooks, node).on_shutdown():
            executor.spin_once(timeout_sec=SPIN_SLICE_S)
