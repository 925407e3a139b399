"""The three acts. Each asks for something, lets something go wrong, and is judged by ground truth."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
import time
from typing import Any
import uuid

from robot_tool_agent.core.geometry import Point, Pose2D
from robot_tool_agent.core.outcomes import Outcome, TaskStatus
from robot_tool_agent.core.safety_state import SafetyMode
from robot_tool_agent_sim.demo.judgement import judge_fetch, judge_kill, judge_slip, Repeat, Verdict
from robot_tool_agent_sim.demo.played import BROKEN_OFF, Played
from robot_tool_agent_sim.demo.record import Mark, Record
from robot_tool_agent_sim.demo.stage import Stage, SystemLost
from robot_tool_agent_sim.demo.things import let_go, positions_after
from robot_tool_agent_sim.harness.goals import Goal

CUP, TABLE = 'cup_1', 'table'
KILL_SPEED_MPS = 0.35
KILL_AFTER_M = 1.2
# A robot that wrongly obeys a repeated call would be on its way by then.
LOOK_AFTER_REPEAT_S = 1.0
LOOK_WHEN_PARKED_S = 0.7


Script = Callable[[Stage, Played], None]


@dataclass(frozen=True, slots=True)
class Act:
    """An act to be played: `expected_s` is for the progress bar alone."""

    letter: str
    title: str
    asked: str
    expected_s: float
    script: Script


def play_all(stage: Stage) -> list[Played]:
    """Play every act; after one that breaks off the rest is not played."""
    played = [Played(act.letter, act.title, act.asked) for act in ACTS]
    things: Mapping[str, Point] = stage.house.things
    for number, (act, result) in enumerate(zip(ACTS, played, strict=True), start=1):
        stage.timeline.begin(f'act {number} of {len(ACTS)}', act.expected_s, f'{act.title}: {act.asked}')
        result.before = result.after = things
        if not _play(stage, act, result):
            break
        things = result.after
    return played


def _play(stage: Stage, act: Act, result: Played) -> bool:
    """Play one act and tell whether it came to its end."""
    since_s = time.monotonic()
    try:
        act.script(stage, result)
    except (TimeoutError, SystemLost) as error:
        stage.timeline.say('demo', f'act {act.letter} breaks off: {error}')
        result.verdict = Verdict(BROKEN_OFF, (str(error),))
        record = stage.record(since_s)
        result.record = record if record.motions else None
        return False
    word = 'agrees' if result.verdict.agrees else 'DOES NOT AGREE'
    stage.timeline.say('truth', f'{word}: {result.verdict.truth}')
    return True


def _fetch(stage: Stage, act: Played) -> None:
    since_s = time.monotonic()
    claims = _task(stage, act.asked, 90.0)
    act.claimed = claims.text
    stage.wait_still(5.0)
    record = _keep(stage, act, since_s)
    place = stage.house.robot.places[TABLE]
    spot = place.pose.point if place.surface is None else place.surface.point
    act.verdict = judge_fetch(record, claims.task_done, CUP, act.after[CUP], spot)


def _slip(stage: Stage, act: Played) -> None:
    since_s = time.monotonic()
    stage.probe.set_fault('gripper_slips')
    stage.timeline.say('demo', 'from now on the gripper slips')
    claims = _task(stage, act.asked, 60.0)
    act.claimed = claims.text
    stage.wait_mode(SafetyMode.SAFE, 40.0, since_s)
    stage.wait_still(5.0)
    stage.watch_for(LOOK_WHEN_PARKED_S)
    record = _keep(stage, act, since_s)
    slipped_s = next((at_s for at_s, _ in let_go(record)), None)
    if slipped_s is not None:
        act.marks.append(Mark(slipped_s, 'cup slips'))
    act.verdict = judge_slip(record, claims.task_done or claims.picked, slipped_s, _safe_poses(stage), _near_m(stage))
    stage.probe.set_fault('none')
    stage.be_ready(15.0)


def _kill(stage: Stage, act: Played) -> None:
    since_s, call_id = time.monotonic(), f'demo-{uuid.uuid4().hex[:8]}'
    start = stage.probe.true_pose()
    goal = _send(stage, call_id)
    stage.wait(lambda: goal.done or _on_its_way(stage, start), 20.0, 'the robot in motion')
    killed_s, pid = time.monotonic(), stage.system.kill('executor')
    act.marks.append(Mark(killed_s, 'executor killed'))
    stage.timeline.say('demo', f'SIGKILL to the executor, process {pid}')
    stage.wait_mode(SafetyMode.SAFE, 40.0, killed_s)
    stage.wait(lambda: stage.system.pid_of('executor') != pid, 15.0, 'the restart of the executor')
    stage.wait(lambda: stage.probe.alive('executor'), 15.0, 'the heartbeat of the new executor')
    stage.watch_for(LOOK_WHEN_PARKED_S)
    stage.be_ready(15.0)
    repeat, act.claimed = _repeat(stage, call_id)
    record = _keep(stage, act, since_s)
    act.verdict = judge_kill(record, killed_s, repeat, _safe_poses(stage), _near_m(stage))


def _repeat(stage: Stage, call_id: str) -> tuple[Repeat, str]:
    """Send the killed call once more, now that the robot may move, and see what comes of it."""
    stage.timeline.say('demo', f'the same call is sent again ({call_id})')
    at_s = time.monotonic()
    result = _ended(stage, _send(stage, call_id), 20.0)
    claimed = f'{Outcome(result.outcome).name} {result.error_code}'.strip()
    stage.timeline.say('executor', f'{claimed}: {result.message}')
    stage.watch_for(LOOK_AFTER_REPEAT_S)
    return Repeat(at_s, result.outcome == Outcome.SUCCEEDED), f'{claimed} when sent again'


def _send(stage: Stage, call_id: str) -> Goal:
    goal = stage.probe.send_skill('navigate_to', {'place': 'kitchen'}, call_id)
    stage.watch.follow(goal)
    return goal


def _on_its_way(stage: Stage, start: Pose2D) -> bool:
    far = stage.probe.true_pose().distance_to(start) >= KILL_AFTER_M
    return far and stage.probe.true_speed() >= KILL_SPEED_MPS


@dataclass(frozen=True, slots=True)
class _Claims:
    """What the planner claims of a task, what the executor claims of its pick, and both in words."""

    task_done: bool
    picked: bool
    text: str


def _task(stage: Stage, instruction: str, timeout_s: float) -> _Claims:
    """Give the planner an instruction and return what is claimed at its end."""
    goal = stage.probe.send_task(instruction)
    stage.watch.follow(goal)
    result = _ended(stage, goal, timeout_s)
    status = TaskStatus(result.status)
    done = status is TaskStatus.SUCCEEDED
    picked = any(item.kind == 'result' and item.text.startswith('pick: SUCCEEDED') for item in goal.feedback)
    text = f'{status.name} {result.error_code}'.strip()
    return _Claims(done, picked, text if done or not picked else f'{text}, but the pick SUCCEEDED')


def _ended(stage: Stage, goal: Goal, timeout_s: float) -> Any:
    stage.wait(lambda: goal.done, timeout_s, f'{goal.name}: the end')
    stage.watch.catch_up()
    return goal.result(1.0).result


def _keep(stage: Stage, act: Played, since_s: float) -> Record:
    record, gripper = stage.record(since_s), stage.house.robot.gripper
    act.record = record
    act.after = positions_after(record, act.before, 0.0 if gripper is None else gripper.reach_m)
    return record


def _safe_poses(stage: Stage) -> dict[str, Pose2D]:
    return {name: config.pose for name, config in stage.house.robot.safe_poses.items()}


def _near_m(stage: Stage) -> float:
    return stage.house.robot.limits.position_tolerance_m


ACTS = (
    Act('a', 'fetch', 'bring the cup from the kitchen to the table', 38.0, _fetch),
    Act('b', 'the gripper slips', 'bring the cup to the kitchen', 22.0, _slip),
    Act('c', 'the executor is killed', 'navigate_to {"place": "kitchen"}', 16.0, _kill),
)
