"""What an episode will be, drawn from its seed: the same seed gives the same plan."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from random import Random

from robot_tool_agent.config_files import load_model, load_robot
from robot_tool_agent.core.robot import ApprovalPolicy, PoseConfig, RobotDescription
from robot_tool_agent.share_files import find_config
from robot_tool_agent_sim.description import WorldDescription
from robot_tool_agent_sim.evidence.kinds import Kind, KINDS, RECOVERABLE
from robot_tool_agent_sim.evidence.tasks import draw_task, Task
from robot_tool_agent_sim.world import World

# Of ten episodes in a row one has no fault, one has a recoverable one, eight have any; kinds follow each other.
GROUPS = 10
EARLIEST_S, LATEST_S = 0.7, 7.0


@dataclass(frozen=True, slots=True)
class Plan:
    """One episode. `group` is none, recoverable or any."""

    seed: int
    group: str
    kind: Kind | None
    task: Task
    strike_at_s: float
    mistake_at: int
    again: bool

    def chance(self, part: str) -> Random:
        """Return the randomness of one part; parts do not disturb each other's."""
        return Random(f'{self.seed}/{part}')


@cache
def house() -> tuple[RobotDescription, WorldDescription]:
    """Return robot and house of all episodes."""
    robot = load_robot(find_config('sim_house_arm', 'robots'))
    return robot, load_model(find_config('house', 'worlds'), WorldDescription)


def draw_plan(seed: int) -> Plan:
    """Return the plan of a seed."""
    chance = Random(f'{seed}/plan')
    group, kind = _kind(seed)
    robot, _ = house()
    task = draw_task(robot, chance, '' if kind is None else kind.task or _acting(chance))
    return Plan(
        seed=seed,
        group=group,
        kind=kind,
        task=task,
        strike_at_s=EARLIEST_S + (LATEST_S - EARLIEST_S) * chance.random() ** 2,
        mistake_at=chance.randint(1, len(task.turns)),
        again=group == 'any' and chance.random() < 0.3,
    )


def _kind(seed: int) -> tuple[str, Kind | None]:
    ten, place = divmod(seed, GROUPS)
    if place == 0:
        return 'none', None
    if place == 5:
        return 'recoverable', RECOVERABLE[ten % len(RECOVERABLE)]
    rank = place - 1 if place < 5 else place - 2
    return 'any', KINDS[(ten * (GROUPS - 2) + rank) % len(KINDS)]


def _acting(chance: Random) -> str:
    """Return a kind of task in which the robot moves."""
    return chance.choices(('moves', 'drive', 'fetch'), (55, 30, 15))[0]


def make_world(plan: Plan) -> World:
    """Return the world at the beginning of an episode."""
    robot, description = house()
    if plan.kind is not None and plan.kind.asks_approval:
        policies = tuple(ApprovalPolicy(skill=name) for name in ('move_relative', 'navigate_to', 'rotate_relative'))
        robot = robot.model_copy(update={'approvals': policies})
    at = plan.task.spawn
    spawn = PoseConfig(x_m=at.x_m, y_m=at.y_m, yaw_rad=at.yaw_rad)
    return World(robot, description.model_copy(update={'spawn': spawn}), seed=plan.seed % 2**31)
