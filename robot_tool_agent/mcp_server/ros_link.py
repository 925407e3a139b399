"""The robot as the event loop sees it: a ROS node in a thread of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
import queue
import threading
import traceback
from typing import Any

import rclpy
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from rclpy.signals import SignalHandlerOptions
from robot_tool_agent.core.planning.untrusted import clean_text
from robot_tool_agent.mcp_server.results import SkillEnd
from robot_tool_agent.mcp_server.ros_goals import Flight
from robot_tool_agent.mcp_server.ros_node import McpNode
from robot_tool_agent.mcp_server.running import Question, RobotSilent, RunningCall, SkillCall
from robot_tool_agent.nodes.clock import steady_now_s
from robot_tool_agent_interfaces.srv import DecideApproval, DescribeSkills

SPIN_SLICE_S = 0.1
JOIN_TIMEOUT_S = 3.0
FIRST_SAFETY_S = 3.0
HINT = 'is the system up (`rta up`), in this ROS domain and namespace?'
# A loop that has not turned for so long can carry no cancel: its calls are stopped.
LOOP_SILENCE_S = 2.0
SAFETY_LOUD = ('state', 'fault', 'motion_allowed', 'resettable')


class RosLink:
    """
    A `Robot`. Its methods are called on the event loop, what the node hears comes back there.

    `on_safety` is called when the safety state is another one, `on_broken` when the ROS thread has ended by a fault.
    """

    def __init__(self, namespace: str, on_safety: Callable[[], None], on_broken: Callable[[], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._on_safety = on_safety
        self._on_broken = on_broken
        self._context = Context()
        rclpy.init(context=self._context, signal_handler_options=SignalHandlerOptions.NO)
        self._node = McpNode(self._context, namespace, self)
        self._work: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._wake = self._node.create_guard_condition(self._do_work)
        self._running: dict[str, list[RunningCall]] = {}
        self._safety: tuple[dict[str, Any], float] | None = None
        self._heard_safety = asyncio.Event()
        self._loop_turned_s = steady_now_s()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._spin, name='ros', daemon=True)
        self._thread.start()

    async def close(self) -> None:
        """Leave the ROS graph."""
        self._ended.set()
        await asyncio.to_thread(self._thread.join, JOIN_TIMEOUT_S)

    # Robot, on the event loop

    def start(self, call: SkillCall) -> RunningCall:
        """Send a call to the executor."""
        running = RunningCall(call, lambda: self._post(lambda: follower.cancel(self._node)))
        follower = _Follower(self, running)
        self._running.setdefault(call.call_id, []).append(running)
        self._post(lambda: follower.send(self._node))
        return running

    def live_calls(self) -> int:
        """Return how many calls have no end yet."""
        return sum(len(calls) for calls in self._running.values())

    def cancel_all(self) -> None:
        """Ask for every call to be stopped."""
        self._post(self._node.goals.cancel_all)

    async def skills(self) -> str:
        """Return skills_json of describe_skills. Raise RobotSilent if nobody answers."""
        answer = await self._ask(self._node.skills, DescribeSkills.Request(), 'describe_skills', repeatable=True)
        return str(answer.skills_json)

    async def decide(self, call_id: str, approve: bool, operator: str) -> str:
        """Answer an approval request in a person's name; return what the executor said. Raise RobotSilent."""
        request = DecideApproval.Request(
            call_id=call_id, approve=approve, operator_name=operator, reason='asked through an MCP client'
        )
        answer = await self._ask(self._node.decisions, request, 'decide_approval', repeatable=False)
        return str(answer.message)

    async def safety(self) -> dict[str, Any]:
        """Return the safety state that was heard last and how old it is. Raise RobotSilent if none was heard."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._heard_safety.wait(), FIRST_SAFETY_S)
        if self._safety is None:
            raise RobotSilent(f'safety_state: nothing was heard; {HINT}')
        state, heard_s = self._safety
        texts = {name: clean_text(value) for name, value in state.items() if isinstance(value, str)}
        return {**state, **texts, 'age_s': round(steady_now_s() - heard_s, 2)}

    async def _ask(self, client: Any, request: Any, name: str, repeatable: bool) -> Any:
        future: asyncio.Future[Any] = self._loop.create_future()

        def take(answer: Any) -> None:
            self.tell(lambda: None if future.done() else future.set_result(answer))

        self._post(lambda: self._node.requests.ask(client, request, take, repeatable))
        answer = await future
        if answer is None:
            raise RobotSilent(f'{name}: no answer; {HINT}')
        return answer

    def _post(self, work: Callable[[], None]) -> None:
        self._work.put(work)
        self._wake.trigger()

    # On the ROS thread

    def tell(self, what: Callable[[], None]) -> None:
        """Let the event loop do something."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(what)

    def on_question(self, question: Question) -> None:
        """Pass an approval request on to its call."""
        self.tell(lambda: [running.tell_question(question) for running in self._running.get(question.call_id, ())])

    def on_safety(self, state: dict[str, Any], heard_s: float) -> None:
        """Pass the safety state on."""
        self.tell(lambda: self._take_safety(state, heard_s))

    def on_tick(self) -> None:
        """Ask the event loop for a sign of life and stop the calls of one that hangs."""
        now_s = steady_now_s()
        if now_s - self._loop_turned_s > LOOP_SILENCE_S:
            self._node.goals.cancel_all()
        self.tell(lambda: setattr(self, '_loop_turned_s', now_s))

    def _do_work(self) -> None:
        while not self._work.empty():
            self._work.get_nowait()()

    def _spin(self) -> None:
        executor = SingleThreadedExecutor(context=self._context)
        executor.add_node(self._node)
        try:
            while not self._ended.is_set():
                executor.spin_once(timeout_sec=SPIN_SLICE_S)
        except Exception:
            traceback.print_exc()
            self.tell(self._on_broken)
        finally:
            executor.shutdown()
            self._node.destroy_node()
            self._context.try_shutdown()

    # On the event loop

    def _take_safety(self, state: dict[str, Any], heard_s: float) -> None:
        before, self._safety = self._safety, (state, heard_s)
        self._heard_safety.set()
        if before is None or any(before[0][name] != state[name] for name in SAFETY_LOUD):
            self._on_safety()

    def forget(self, running: RunningCall) -> None:
        """Take note that a call has its end."""
        calls = self._running.get(running.call.call_id, [])
        if running in calls:
            calls.remove(running)
        if not calls:
            self._running.pop(running.call.call_id, None)


class _Follower:
    """Carries what becomes of one goal from the ROS thread to its call on the event loop."""

    def __init__(self, link: RosLink, running: RunningCall) -> None:
        self._link = link
        self._running = running
        self._flight: Flight | None = None

    def send(self, node: McpNode) -> None:
        self._flight = node.goals.send(self._running.call, self)

    def cancel(self, node: McpNode) -> None:
        if self._flight is not None:
            node.goals.cancel(self._flight)

    def on_progress(self, text: str, progress: float) -> None:
        line = clean_text(text)
        self._link.tell(lambda: self._running.tell_progress(line, progress))

    def on_end(self, end: SkillEnd) -> None:
        self._link.tell(lambda: self._finish(lambda: self._running.tell_end(end)))

    def on_unsent(self, reason: str) -> None:
        self._link.tell(lambda: self._finish(lambda: self._running.tell_unsent(reason)))

    def _finish(self, tell: Callable[[], None]) -> None:
        self._link.forget(self._running)
        tell()
