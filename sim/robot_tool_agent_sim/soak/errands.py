"""The tasks of a soak run, what strikes in the middle of them, and what must be true of a claimed success."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
import random

from robot_tool_agent.core.geometry import Pose2D
from robot_tool_agent.core.robot import RobotDescription

PLACES = ('living_room', 'study', 'bedroom', 'kitchen')
NEAR_M = 0.15
# What heals when it is taken back, so that the next task starts from a whole robot.
FAULTS = (
    'odom_frozen',
    'odom_jump',
    'odom_late',
    'scan_lost',
    'scan_nan',
    'bumper_hit',
    'wheels_stuck',
    'slow_wheels',
    'person_steps_in',
    'obstacle_appears',
    'gripper_slips',
)
FAULT_SHARE = 0.4
FETCH_SHARE = 0.2
FAULT_AFTER_M = (0.2, 2.0)


@dataclass(frozen=True, slots=True)
class Errand:
    """One task. `place` is where the robot must be in the end, empty for a fetch; `fault` strikes after so many m."""

    instruction: str
    place: str
    fault: str
    after_m: float


def errands(seed: int) -> Iterator[Errand]:
    """Return tasks without end; the same seed gives the same ones."""
    rng = random.Random(seed)
    while True:
        place = rng.choice(PLACES)
        fetches = rng.random() < FETCH_SHARE
        instruction = (
            'bring the cup from the kitchen to the table' if fetches else f'go to the {place.replace("_", " ")}'
        )
        fault = rng.choice(FAULTS) if rng.random() < FAULT_SHARE else ''
        yield Errand(instruction, '' if fetches else place, fault, rng.uniform(*FAULT_AFTER_M))


def is_true(errand: Errand, robot: RobotDescription, pose: Pose2D, places: int) -> bool:
    """Tell whether ground truth bears out a success: the robot is at the place, or something was put down once."""
    return pose.distance_to(robot.places[errand.place].pose) <= NEAR_M if errand.place else places == 1
