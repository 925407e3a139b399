"""
The planner's loop for one task, as a machine of events in and actions out.

Order of a turn: tools are fetched, the model is asked, its reply is stored, checked as a whole, and its calls are sent;
what came of them goes back to the model. The loop knows no ROS, no model and no clock: every event brings `now_s`
(steady seconds), `take_actions` returns what is to be done. Events that come too late change nothing.
"""

from __future__ import annotations

import math

from robot_tool_agent.core.outcomes import ErrorCode, TaskStatus
from robot_tool_agent.core.planning.actions import Action
from robot_tool_agent.core.planning.active_calls import ActiveCalls
from robot_tool_agent.core.planning.asking import Asking
from robot_tool_agent.core.planning.calling import Calling
from robot_tool_agent.core.planning.calls import SkillResult
from robot_tool_agent.core.planning.conversation import ModelFailure, ModelReply
from robot_tool_agent.core.planning.counters import PlannerCounters
from robot_tool_agent.core.planning.endings import failed
from robot_tool_agent.core.planning.limits import PlannerLimits
from robot_tool_agent.core.planning.memory.events import CallDone, ReplyTaken
from robot_tool_agent.core.planning.memory.task_memory import TaskMemory
from robot_tool_agent.core.planning.model_chain import ModelChain
from robot_tool_agent.core.planning.phases import Phase
from robot_tool_agent.core.planning.record import TaskEnd, TaskStore
from robot_tool_agent.core.planning.reply_bounds import bounded
from robot_tool_agent.core.planning.replying import Replying
from robot_tool_agent.core.planning.stopping import Stopping
from robot_tool_agent.core.planning.task_state import TaskState
from robot_tool_agent.core.planning.work import Work
from robot_tool_agent.core.safety_state import SafetyView


class TaskLoop:
    """
    One task from instruction to end. Call `begin` once, then feed events and `tick` until `end` is set.

    `counters` and `chain` outlive the task; without a chain there is one provider, `model`.
    """

    def __init__(
        self,
        task_id: str,
        instruction: str,
        limits: PlannerLimits,
        store: TaskStore,
        counters: PlannerCounters | None = None,
        chain: ModelChain | None = None,
    ) -> None:
        self._state = TaskState(task_id, instruction, limits, store, counters or PlannerCounters())
        self._active = ActiveCalls()
        self._asking = Asking(self._state, chain or ModelChain(('model',), limits))
        self._stopping = Stopping(self._state, self._active)
        self._calling = Calling(self._state, self._active, self._stopping, self._work_over)
        self._replying = Replying(self._state, self._asking, self._calling.run)
        self._task_deadline_s = math.inf
        self._memory = TaskMemory(task_id, store)

    @property
    def task_id(self) -> str:
        """Return the task's id."""
        return self._state.task_id

    @property
    def phase(self) -> Phase:
        """Return what the loop waits for."""
        return self._state.phase

    @property
    def end(self) -> TaskEnd | None:
        """How the task ended, None while it runs."""
        return self._state.end

    def take_actions(self) -> list[Action]:
        """Return what is to be done now, in order, once."""
        return self._state.take_actions()

    # Events

    def begin(self, now_s: float) -> None:
        """Start the task."""
        self._task_deadline_s = now_s + self._state.limits.task_timeout_s
        self._memory.begin(now_s)
        self._asking.think(now_s)

    def tools_arrived(self, skills_json: str, schema_hash: str, now_s: float) -> None:
        """Take the description of the skills."""
        if self.phase is Phase.TOOLS:
            self._memory.tools_read(skills_json, schema_hash, now_s)
        self._asking.tools_arrived(skills_json, schema_hash, now_s)

    def tools_failed(self, reason: str, now_s: float) -> None:
        """Take note that the executor does not describe its skills."""
        self._asking.tools_failed(reason)

    def reply_arrived(self, request_id: int, reply: ModelReply, now_s: float) -> None:
        """Take the model's reply. It is stored before anything of it is sent."""
        if self._asking.take_reply(request_id):
            reply = bounded(reply, self._state.limits.max_calls_per_reply + 1)
            self._memory.add(ReplyTaken(reply), now_s)
            self._replying.take(reply, now_s)

    def model_failed(self, request_id: int, failure: ModelFailure, now_s: float) -> None:
        """Take note that no reply came."""
        self._asking.model_failed(request_id, failure, now_s)

    def call_ended(self, call_id: str, result: SkillResult, now_s: float) -> None:
        """Take the end of a call."""
        waits = result.may_be_sent_again and self.phase is not Phase.STOPPING
        if self._active.find(call_id) is not None and not waits:
            self._memory.add(CallDone(call_id, result), now_s)
        self._calling.ended(call_id, result, now_s)
        self._keep_stop(now_s)

    def call_progress(self, call_id: str, text: str, progress: float) -> None:
        """Pass on how far a running call is."""
        self._calling.progress(call_id, text, progress)

    def call_lost(self, call_id: str, reason: str, sent: bool, now_s: float) -> None:
        """Take note that a call's end will not be seen. `sent`: the executor may have begun it."""
        self._calling.lost(call_id, reason, sent, now_s)
        self._keep_stop(now_s)

    def cancel(self, now_s: float) -> None:
        """End the task on request; running calls are stopped first and their ends awaited."""
        self.stop(TaskEnd(TaskStatus.CANCELED, 'canceled on request', ErrorCode.CANCELED), now_s)

    def not_stored(self, reason: str, now_s: float) -> None:
        """Take note that something of the task could not be stored: nothing more of it may be sent."""
        text = f'the memory of tasks cannot be written: {reason}'
        self.stop(failed(text, ErrorCode.JOURNAL_UNAVAILABLE), now_s)

    def stop(self, end: TaskEnd, now_s: float) -> None:
        """End the task this way; running calls are stopped first and their ends awaited."""
        self._calling.stop(end, now_s)
        self._keep_stop(now_s)

    def abandon(self, end: TaskEnd) -> None:
        """End the task at once, whatever may still run."""
        if self.end is None:
            self._state.finish(end)

    def tick(self, view: SafetyView | None, now_s: float) -> None:
        """Let time pass. `view` is the state of the safety node, None if it was not heard lately."""
        self._state.view = view
        if now_s >= self._task_deadline_s:
            text = f'task_timeout_s = {self._state.limits.task_timeout_s:g} is over'
            self.stop(failed(text, ErrorCode.TIMEOUT), now_s)
        if self.phase in (Phase.CALL, Phase.WAIT):
            self._calling.tick(view, now_s)
            self._keep_stop(now_s)
        elif now_s >= self._state.deadline_s:
            if self.phase is Phase.STOPPING:
                self._stopping.late()
            else:
                self._asking.late(now_s)

    def _work_over(self, work: Work, now_s: float) -> None:
        self._replying.work_over(work, now_s)

    def _keep_stop(self, now_s: float) -> None:
        """Keep that the task is to end, so that no restart goes on with it."""
        if self.phase is Phase.STOPPING and self._stopping.end is not None:
            self._memory.stop_asked(self._stopping.end, now_s)
