"""The systems that scenarios need. One running system serves all rows of its set-up. No ROS here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

WORLD = 'worlds/house_with_ball.yaml'
# One failed row must not open the circuit that the next one needs.
PATIENT = {'executor': {'breaker_failures': 100}}


@dataclass(frozen=True, slots=True)
class SetUp:
    """
    How a system is started.

    `robot` is a name in config/robots; `robot_changes` are pairs of text in that file and what stands in its place.
    `world` is a path under test/. `parameters` are ROS parameters by node, on top of config/*.yaml. `cast` names the
    nodes that a rehearsal plays (test/rehearsal/cast.py). `single_use`: every row needs a system of its own, because it
    ends the system.
    """

    name: str
    says: str
    robot: str = 'sim_house'
    robot_changes: tuple[tuple[str, str], ...] = ()
    world: str = WORLD
    parameters: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: PATIENT)
    cast: tuple[str, ...] = ()
    single_use: bool = False
    robot_changes: tuple[tuple[str, str], ...] = ()

    @property
    def launches(self) -> int:
        """How many processes one start launches: `rta up`, four nodes, and the relay where there is one."""
        return 5 + ('relay' in self.cast)

    def __hash__(self) -> int:
        return hash(self.name)


HOUSE = SetUp('house', 'the robot in the house, as `rta up` starts it')
ARM = SetUp('arm', 'the same robot with an arm, an attitude sensor and a stop button', robot='sim_house_arm')
# The executor gives up early, and the planner waits little longer than that for an answer.
REHEARSAL = SetUp(
    'rehearsal',
    'the house with a relay before the executor, a journal whose disk can fail, and a model that speaks a script',
    robot_changes=(('move_relative: {timeout_s: 40.0}', 'move_relative: {timeout_s: 6.0}\n  stumble: {}'),),
    parameters={
        **PATIENT,
        'planner': {
            'executor_timeout_s': 3.0, 'call_margin_s': 0.1, 'cancel_timeout_s': 1.0, 'llm_timeout_s': 3.0,
            'llm_retries': 0, 'llm_breaker_failures': 100, 'max_steps': 6,
        },
    },
    world='worlds/house_with_note.yaml',
    cast=('relay', 'executor', 'planner'),
)  # fmt: skip
# People are asked and forget to answer; a result is kept for as short as can be; a circuit opens at the second failure.
STRICT = SetUp(
    'strict',
    'the house with a robot that must ask before it turns, and with short limits',
    robot_changes=(
        ('approvals: []', 'approvals: [{skill: rotate_relative}]'),
        ('move_relative: {timeout_s: 40.0}', 'move_relative: {timeout_s: 3.0}'),
    ),
    parameters={
        'executor': {
            'approval_timeout_s': 2.0, 'result_timeout_s': 10.0, 'breaker_failures': 2, 'breaker_open_s': 10.0,
        },
    },
)  # fmt: skip
INTERRUPTED = SetUp('interrupted', 'the house, once for each row, because the row ends it', single_use=True)
TIGHT = SetUp(
    'tight',
    'the house with a corner out of bounds, and a safety node that loses its patience before the executor does',
    parameters={
        **PATIENT,
        'safety': {'obstacle_persists_s': 1.0, 'not_following_s': 1.0, 'retreat_timeout_s': 5.0},
    },
    robot_changes=(
        (
            'geofence: [[0.05, 0.05], [8.95, 0.05], [8.95, 5.95], [0.05, 5.95]]',
            'geofence: [[0.05, 0.05], [8.95, 0.05], [8.95, 5.95], [0.05, 5.95], [0.05, 2.7], [1.8, 2.7], [1.8, 1.7], '
            '[0.05, 1.7]]',
        ),
    ),
)
CLOCKED = SetUp(
    'clocked',
    'the house on a simulated clock',
    parameters={
        'safety': {'use_sim_time': True},
        'executor': {'use_sim_time': True, 'breaker_failures': 100},
        'planner': {'use_sim_time': True},
        'simulator': {'publish_clock': True},
    },
)
NARROW = SetUp('narrow', 'the house with a door that posts make narrow', world='worlds/narrow_door.yaml')
RESTARTING = SetUp(
    'restarting', 'the house with a safety node that is started again when it ends; `rta up` does not', cast=('safety',)
)
SET_UPS = (HOUSE, ARM, REHEARSAL, STRICT, TIGHT, CLOCKED, NARROW, RESTARTING, INTERRUPTED)
