"""One episode: a task, at most one fault, and judges that know the truth."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from robot_tool_agent.core.outcomes import TaskStatus
from robot_tool_agent.core.planning.actions import Report
from robot_tool_agent.core.planning.record import TaskEnd
from robot_tool_agent_sim.evidence.call_judge import CallJudge
from robot_tool_agent_sim.evidence.counts import Counts
from robot_tool_agent_sim.evidence.goal_judge import is_reached
from robot_tool_agent_sim.evidence.model import ScriptedModel
from robot_tool_agent_sim.evidence.motion_judge import MotionJudge
from robot_tool_agent_sim.evidence.our_stage import OurStage
from robot_tool_agent_sim.evidence.person import Habits, NAME
from robot_tool_agent_sim.evidence.plan import make_world, Plan
from robot_tool_agent_sim.evidence.snapshots import Snapshots
from robot_tool_agent_sim.evidence.striking import Striking
from robot_tool_agent_sim.evidence.system import STEP_S, System
from robot_tool_agent_sim.evidence.timeline import Timeline

READY_BY_S = 1.2
LONGEST_S = 150.0
AFTER_S = 0.7
AGAIN_AFTER_S = 4.0
NEWS = frozenset({'call', 'result', 'correction', 'lost', 'retry', 'waiting', 'stopping', 'end'})


@dataclass(slots=True)
class EpisodeEnd:
    """What came of an episode. `duration_s` is that of the task, None if it did not succeed."""

    seed: int
    group: str
    kind: str
    variant: str
    struck: bool
    claimed: bool
    reached: bool
    duration_s: float | None
    simulated_s: float
    skill_calls: int
    digest: str
    values: Counter[str] = field(default_factory=Counter)
    events: list[str] = field(default_factory=list)


class Episode:
    """Runs one plan on our system."""

    def __init__(self, plan: Plan, keeps_path: bool = False) -> None:
        self.plan = plan
        self.world = make_world(plan)
        habits = Habits() if plan.kind is None else plan.kind.habits
        self.system = System(self.world, habits, plan.chance('system'))
        self.counts = Counts()
        self.timeline = Timeline(keeps_path)
        snapshots = Snapshots(self.world)
        self._snapshots = snapshots
        self.calls = CallJudge(self.system, self.counts, snapshots)
        self.motion = MotionJudge(self.world, self.system.safety, self.counts)
        self.system.safety.on_output = self.motion.on_output
        self.stage = OurStage(self.system, plan.chance('fault'))
        self.striking = Striking(plan, self.stage, self.counts, self.timeline, READY_BY_S)
        self._mode = ''
        self._end: TaskEnd | None = None
        self._lost = False
        self._trips = 0
        planner = self.system.planner
        planner.on_finish, planner.on_report = self._on_finish, self._on_report

    def run(self) -> EpisodeEnd:
        """Run it to its end."""
        try:
            return self._run()
        finally:
            self.system.close()

    def _run(self) -> EpisodeEnd:
        self._pass(READY_BY_S)
        began_s, boots = self.world.now_s, self.system.planner.boots
        self._begin('t1', self.striking.model)
        end = self._until_ended(boots)
        ended_s = self.world.now_s
        claimed = end is not None and end.status is TaskStatus.SUCCEEDED
        reached = is_reached(self.plan.task.goal, self.world)
        if claimed and not reached and not self.striking.moved_the_goal:
            key = self.striking.key_of_claim(self.calls.achieved)
            self.counts.add(key, ended_s, f'the task claims success: {end.summary if end else ""}')
        self._pass(AFTER_S)
        if self.plan.again and not claimed and not self.stage.down:
            self._again()
        self.striking.settle()
        struck = self.striking.struck_s is not None
        return EpisodeEnd(
            self.plan.seed,
            self.plan.group,
            '' if self.plan.kind is None else self.plan.kind.name,
            self.striking.variant,
            struck,
            claimed,
            reached,
            ended_s - began_s if claimed else None,
            self.world.now_s,
            self.calls.calls,
            self.timeline.digest,
            self.counts.values,
            self.counts.events,
        )

    def _again(self) -> None:
        """Let the person ask for the same once more: a motion without a known end must not be made again."""
        self._pass(AGAIN_AFTER_S)
        self._resolve()
        planner = self.system.planner
        if planner.alive and not planner.stopped:
            boots = planner.boots
            self._begin('t2', ScriptedModel(self.plan.task))
            self._until_ended(boots)

    def _resolve(self) -> None:
        """Let the person, who looks at the robot, say what unresolved calls did; every other person does not."""
        executor = self.system.executor
        if self.plan.seed % 2 or not executor.serves:
            return
        for record in self.system.disk.journal().unresolved():
            call_id = record.admission.call_id
            effect = self.calls.true_effect(call_id)
            self.timeline.say(self.world.now_s, 'person', f'{call_id} is resolved as {effect.name}')
            executor.executive.resolve(call_id, effect, NAME, 'looked at the robot')
        self._pass(STEP_S * 2)

    def _begin(self, task_id: str, model: ScriptedModel) -> None:
        self._end, self._lost = None, False
        self.system.planner.model = model
        self.timeline.say(self.world.now_s, 'person', f'task {task_id}: {self.plan.task.instruction}')
        self.system.planner.begin(task_id, self.plan.task.instruction)

    def _until_ended(self, boots: int) -> TaskEnd | None:
        """Step until the task has its end, or the planner that ran it is gone and no call of it runs."""
        planner, executor, until_s = self.system.planner, self.system.executor, self.world.now_s + LONGEST_S
        while self._end is None:
            self._step()
            gone = not planner.alive or planner.boots != boots
            if gone and not (executor.alive and executor.hub.live):
                self.timeline.say(self.world.now_s, 'person', 'the planner is gone, and the task with it')
                return None
            if self.world.now_s >= until_s:
                self.counts.add('unfinished', self.world.now_s, f'the task has no end; phase {self._phase()}')
                return None
        return self._end

    def _phase(self) -> str:
        loop = self.system.planner.loop
        return 'none' if loop is None else loop.phase.name

    def _pass(self, for_s: float) -> None:
        until_s = self.world.now_s + for_s
        while self.world.now_s < until_s - 1e-9:
            self._step()

    def _step(self) -> None:
        self.striking.step()
        self.motion.tampered = self.system.bus.tamper is not None
        self.system.step()
        self._snapshots.look()
        self.motion.look()
        self.striking.look()
        self._look_at_safety()
        self.timeline.look(self.world, self._mode)

    def _look_at_safety(self) -> None:
        safety = self.system.safety
        mode = safety.mode.name if safety.alive else 'GONE'
        if mode == self._mode:
            return
        view = safety.supervisor._reactor.latch.code if safety.alive else None
        why = '' if view is None else f' after {view.value}'
        if self._mode == 'READY' and not self.striking.ever_armed:
            self.counts.add('nuisance_trips', self.world.now_s, f'{mode}{why}')
        self.timeline.say(self.world.now_s, 'safety', f'{mode}{why}')
        self._mode = mode

    def _on_report(self, report: Report) -> None:
        if report.kind in NEWS:
            self.timeline.say(self.world.now_s, 'planner', f'{report.kind}: {report.text}')

    def _on_finish(self, task_id: str, end: TaskEnd) -> None:
        self._end = end
        self.timeline.say(self.world.now_s, 'planner', f'task {task_id} {end.status.name}: {end.summary}')
