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
    """How a system is started.

    `robot` is a name in config/robots or a path under test/, `world` a path under test/. `parameters` are ROS
    parameters by node, on top of config/*.yaml. `cast` names the nodes that a rehearsal plays (test/rehearsal/cast.py).
    `single_use`: every row needs a system of its own, because it ends the system.
    """

    name: str
    robot: str = 'sim_house'
    world: str = WORLD
    parameters: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: PATIENT)
    cast: tuple[str, ...] = ()
    single_use: bool = False

    @property
    def launches(self) -> int:
        """How many processes one start launches: `rta up`, four nodes, and the relay where there is one."""
        return 5 + ('relay' in self.cast)

    def __hash__(self) -> int:
        return hash(self.name)


HOUSE = SetUp('house')
ARM = SetUp('arm', robot='sim_house_arm')
REHEARSAL = SetUp('rehearsal', cast=('relay', 'executor', 'planner'))
SET_UPS = (HOUSE, ARM, REHEARSAL)
