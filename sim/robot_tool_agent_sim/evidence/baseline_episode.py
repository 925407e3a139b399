"""The same episode with the obvious agent: same task, same fault, same truth."""

from __future__ import annotations

from random import Random
from typing import Any

from robot_tool_agent_sim.evidence.baseline import ObviousAgent, SkillServer
from robot_tool_agent_sim.evidence.baseline_judge import BaselineJudge
from robot_tool_agent_sim.evidence.bus import Bus
from robot_tool_agent_sim.evidence.counts import Counts
from robot_tool_agent_sim.evidence.episode import AFTER_S, EpisodeEnd, LONGEST_S, READY_BY_S
from robot_tool_agent_sim.evidence.executor_process import TOPICS
from robot_tool_agent_sim.evidence.goal_judge import is_reached
from robot_tool_agent_sim.evidence.motion_judge import MotionJudge
from robot_tool_agent_sim.evidence.plan import make_world, Plan
from robot_tool_agent_sim.evidence.process import Outside
from robot_tool_agent_sim.evidence.robot_side import RobotSide
from robot_tool_agent_sim.evidence.snapshots import Snapshots
from robot_tool_agent_sim.evidence.strike import Stage
from robot_tool_agent_sim.evidence.striking import Striking
from robot_tool_agent_sim.evidence.system import STEP_S
from robot_tool_agent_sim.evidence.tampering import Noise, OneMessage
from robot_tool_agent_sim.evidence.timeline import Timeline

# The obvious skill server reads no range sensor.
READS = TOPICS - {'scan', 'bumper', 'battery_state'}


class BaselineStage(Stage):
    """A stage with an agent and a skill server; there is nothing to stop the robot and no journal."""

    def __init__(self, episode: BaselineEpisode, chance: Random) -> None:
        super().__init__(chance)
        self.world = episode.world
        self._episode = episode

    def set_tamper(self, tamper: OneMessage | Noise | None) -> None:
        """Let messages be treated badly, or no longer."""
        self._episode.bus.tamper = tamper

    def kill(self, name: str, back_in_s: float | None) -> None:
        """End the server, which starts again, or the agent, which does not."""
        episode = self._episode
        if name == 'executor':
            episode.server.kill()
            episode.bus.after(back_in_s or 1.0, episode.launcher, episode.server.boot)
        elif name == 'planner' and episode.agent is not None:
            episode.agent.kill()

    def leave(self, name: str, back_in_s: float) -> None:
        """End it as well: nothing here ends in order."""
        self.kill(name, back_in_s)

    def freeze(self, name: str, for_s: float) -> None:
        """Stop the server or the agent for a while."""
        episode = self._episode
        process = {'executor': episode.server, 'planner': episode.agent}.get(name)
        if process is not None:
            process.stop()
            episode.bus.after(for_s, episode.launcher, process.proceed)

    def stop_request(self) -> None:
        """Let a person ask for a stop: nobody hears."""
        self._episode.judge.asked_to_stop()

    def cancel_task(self) -> None:
        """End the agent: the skill that runs goes on."""
        if self._episode.agent is not None:
            self._episode.agent.kill()


class BaselineEpisode:
    """Runs one plan with the obvious agent."""

    def __init__(self, plan: Plan, keeps_path: bool = False) -> None:
        self.plan = plan
        self.world = make_world(plan)
        self.bus, self.launcher = Bus(), Outside()
        self.base = RobotSide(self.world, self.bus)
        self.server = SkillServer(self.world.robot, self.bus, self.base)
        self.agent: ObviousAgent | None = None
        self.counts, self.timeline = Counts(), Timeline(keeps_path)
        self._snapshots = Snapshots(self.world)
        self.judge = BaselineJudge(self.world, self.server, self.counts, self._snapshots)
        self._motion = MotionJudge(self.world, None, self.counts)
        stage = BaselineStage(self, plan.chance('fault'))
        self._striking = Striking(plan, stage, self.counts, self.timeline, READY_BY_S)
        self.base.listen('executor', self.server, self._on_sample, READS & frozenset(self.world.robot.topics.inputs()))

    def run(self) -> EpisodeEnd:
        """Run it to its end."""
        self._pass(READY_BY_S)
        began_s = self.world.now_s
        self.agent = ObviousAgent(self.bus, self.server, self._striking.model)
        while self.agent.end is None and self.agent.alive and self.world.now_s < began_s + LONGEST_S:
            self._step()
        if self.agent.end is None and self.agent.alive:
            self.counts.add('unfinished', self.world.now_s, 'the agent goes on')
        ended_s, claimed = self.world.now_s, bool(self.agent.end)
        reached = is_reached(self.plan.task.goal, self.world)
        if claimed and not reached and not self._striking.moved_the_goal:
            self.counts.add(self._striking.key_of_claim(self.judge.achieved), ended_s, 'the task claims success')
        self._pass(AFTER_S)
        return self._end(claimed, reached, ended_s - began_s)

    def _end(self, claimed: bool, reached: bool, duration_s: float) -> EpisodeEnd:
        plan = self.plan
        return EpisodeEnd(
            plan.seed,
            plan.group,
            '' if plan.kind is None else plan.kind.name,
            self._striking.variant,
            self._striking.struck_s is not None,
            claimed,
            reached,
            duration_s if claimed else None,
            self.world.now_s,
            self.judge.calls,
            self.timeline.digest,
            self.counts.values,
            self.counts.events,
        )

    def _pass(self, for_s: float) -> None:
        until_s = self.world.now_s + for_s
        while self.world.now_s < until_s - 1e-9:
            self._step()

    def _step(self) -> None:
        self._striking.step()
        self.bus.now_s = self.world.now_s + STEP_S
        self.base.step(STEP_S)
        self.bus.deliver()
        self.server.turn()
        self.bus.deliver()
        self._snapshots.look()
        self._motion.look()
        self.judge.look()
        self._striking.look()
        self.timeline.look(self.world, '')

    def _on_sample(self, topic: str, sample: Any) -> None:
        view = self.server.view
        take: dict[str, Any] = {
            'odom': view.on_odom,
            'global_pose': view.on_global_pose,
            'joint_states': view.on_joints,
            'detected_objects': view.on_objects,
        }
        take[topic](sample)
