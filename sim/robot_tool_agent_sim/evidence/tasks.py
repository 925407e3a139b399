"""Random tasks for a robot in the house: what is asked, call by call, and what must be true in the end."""

from __future__ import annotations

from dataclasses import dataclass
import math
from random import Random
from typing import Any

from robot_tool_agent.core.geometry import Point, Pose2D
from robot_tool_agent.core.navigation import house_map
from robot_tool_agent.core.robot import RobotDescription

FREE_M = 0.45
POSITION_M, YAW_RAD = 0.12, 0.14
ON_SURFACE_M = 0.38
TRIES = 200
# Objects with the place where they lie, surfaces they may go to.
OBJECTS = (('cup_1', 'kitchen'), ('bottle_1', 'kitchen'), ('book_1', 'shelf'))
# Where a robot waits that is sent to fetch something, and where else it may bring it.
DOCKS = {'kitchen': 'kitchen_corner', 'shelf': 'study_corner'}
FAR = {'kitchen': ('shelf', 'desk'), 'shelf': ('kitchen', 'table')}


@dataclass(frozen=True, slots=True)
class Stride:
    """One call."""

    skill: str
    arguments: tuple[tuple[str, Any], ...] = ()

    @property
    def object(self) -> dict[str, Any]:
        """Return the arguments as an object."""
        return dict(self.arguments)


@dataclass(frozen=True, slots=True)
class Goal:
    """What must be true in the end; None where it does not matter. Map frame, m and rad."""

    pose: Pose2D | None = None
    position_m: float = POSITION_M
    yaw_rad: float = YAW_RAD
    object: str = ''
    surface: Point | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """Turns of calls from a start pose to a goal. `kind` is moves, drive, fetch or reading."""

    kind: str
    spawn: Pose2D
    turns: tuple[tuple[Stride, ...], ...]
    goal: Goal

    @property
    def instruction(self) -> str:
        """Return what a person would say."""
        return f'{self.kind}: ' + ', '.join(stride.skill for turn in self.turns for stride in turn)


def call(skill: str, **arguments: Any) -> Stride:
    """Return one call."""
    return Stride(skill, tuple(sorted(arguments.items())))


def draw_task(robot: RobotDescription, chance: Random, kind: str = '') -> Task:
    """Draw a task of a kind, or of any."""
    chosen = kind or chance.choices(('moves', 'drive', 'fetch', 'reading'), (45, 30, 20, 5))[0]
    return {'moves': _moves, 'drive': _drive, 'fetch': _fetch, 'reading': _reading}[chosen](robot, chance)


def _moves(robot: RobotDescription, chance: Random) -> Task:
    for _ in range(TRIES):
        spawn = _free_pose(robot, chance)
        strides, pose = [], spawn
        for _ in range(chance.randint(1, 4)):
            stride, pose = _relative(chance, pose)
            strides.append(stride)
        if _way_is_free(robot, spawn, strides):
            break
    count = len(strides)
    way_m = sum(abs(stride.object.get('distance_m', 0.0)) for stride in strides)
    goal = Goal(pose, POSITION_M * count + 0.1 * way_m, YAW_RAD * count)
    return Task('moves', spawn, _grouped(chance, strides), goal)


def _relative(chance: Random, pose: Pose2D) -> tuple[Stride, Pose2D]:
    if chance.random() < 0.4:
        angle_rad = round(chance.choice((-1.0, 1.0)) * chance.uniform(0.4, 2.6), 3)
        return call('rotate_relative', angle_rad=angle_rad), pose.compose(Pose2D(0.0, 0.0, angle_rad))
    distance_m = round(chance.uniform(0.3, 1.6) if chance.random() < 0.75 else -chance.uniform(0.2, 0.8), 3)
    return call('move_relative', distance_m=distance_m), pose.compose(Pose2D(distance_m, 0.0, 0.0))


def _way_is_free(robot: RobotDescription, spawn: Pose2D, strides: list[Stride]) -> bool:
    known, pose = house_map(robot), spawn
    for stride in strides:
        after = pose.compose(Pose2D(stride.object.get('distance_m', 0.0), 0.0, stride.object.get('angle_rad', 0.0)))
        if known.segment_clearance_m(pose.point, after.point) < FREE_M or not robot.inside_geofence(after.point):
            return False
        pose = after
    return True


def _drive(robot: RobotDescription, chance: Random) -> Task:
    names = sorted(robot.places)
    for _ in range(TRIES):
        spawn, name = _start(robot, chance), chance.choice(names)
        goal = robot.places[name].pose
        route = house_map(robot).route(spawn.point, goal.point)
        if not route.problem and 1.0 <= route.length_m <= 4.5:
            break
    drive = call('navigate_to', place=name)
    if chance.random() < 0.3:
        drive = call('navigate_to', x_m=goal.x_m, y_m=goal.y_m, yaw_rad=goal.yaw_rad)
    turns: tuple[tuple[Stride, ...], ...] = ((drive,),)
    if chance.random() < 0.3:
        turns = ((drive, call('look')),)
    return Task('drive', spawn, turns, Goal(goal))


def _start(robot: RobotDescription, chance: Random) -> Pose2D:
    """Return a safe pose, from which a way back is known, or any free pose."""
    if chance.random() < 0.5:
        return _free_pose(robot, chance)
    safe = robot.safe_poses[chance.choice(sorted(robot.safe_poses))].pose
    return safe.compose(Pose2D(0.0, 0.0, chance.uniform(-math.pi, math.pi)))


def _fetch(robot: RobotDescription, chance: Random) -> Task:
    thing, source = chance.choice(OBJECTS)
    target = source if chance.random() < 0.6 else chance.choice(FAR[source])
    spawn = robot.safe_poses[DOCKS[source]].pose.compose(Pose2D(0.0, 0.0, chance.uniform(-math.pi, math.pi)))
    turns = [(call('navigate_to', place=source),), (call('look'),), (call('pick', object=thing),)]
    turns.append((call('navigate_to', place=target),))
    turns.append((call('place', place=target),))
    surface = robot.places[target].surface
    assert surface is not None
    goal = Goal(object=thing, surface=Point(surface.x_m, surface.y_m))
    return Task('fetch', spawn, tuple(turns), goal)


def _reading(robot: RobotDescription, chance: Random) -> Task:
    spawn = _free_pose(robot, chance)
    readings = [call('look'), call('get_robot_state'), call('wait', duration_s=round(chance.uniform(0.5, 2.0), 2))]
    chance.shuffle(readings)
    return Task('reading', spawn, _grouped(chance, readings[: chance.randint(1, 3)]), Goal())


def _grouped(chance: Random, strides: list[Stride]) -> tuple[tuple[Stride, ...], ...]:
    """Put all calls into one reply, or each into its own."""
    if chance.random() < 0.35:
        return (tuple(strides),)
    return tuple((stride,) for stride in strides)


def _free_pose(robot: RobotDescription, chance: Random) -> Pose2D:
    known = house_map(robot)
    for _ in range(TRIES):
        pose = Pose2D(chance.uniform(0.6, 8.4), chance.uniform(0.6, 5.4), chance.uniform(-math.pi, math.pi))
        if known.clearance_m(pose.point) >= FREE_M and not known.goal_problem(pose.point):
            return pose
    raise ValueError('no free pose in the house')
