"""One fault of an episode: when it strikes, what it does, how long it lasts, within what time the robot must stand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from robot_tool_agent_sim.evidence.tampering import Noise, OneMessage
    from robot_tool_agent_sim.world import World


NEAR_M = 0.3


class When(Enum):
    """What must be so for a fault to strike, once its time has come."""

    ANY = 'any'
    MOVING = 'moving'
    DRIVING = 'driving ahead or back'
    HOLDING = 'holding'
    DRIVING_WITH_LOAD = 'driving with a load'
    REACHING = 'reaching for an object'


@dataclass(slots=True)
class Strike:
    """
    A fault ready to strike. Functions get the stage of the episode; times in seconds.

    `bound_s`: within this time after it struck a moving robot must have stood, None where it need not.
    `count`: how often a saboteur of messages has acted. `early`: it lies in wait from the beginning.
    """

    variant: str
    begin: Callable[[Stage], None]
    end: Callable[[Stage], None] | None = None
    lasts_s: float = float('inf')
    when: When = When.MOVING
    bound_s: float | None = None
    count: Callable[[], int] | None = None
    early: bool = False

    def ready(self, world: World) -> bool:
        """Tell whether the world is as it must be."""
        moving = abs(world.twist.v_mps) > 0.1 or abs(world.twist.w_radps) > 0.3
        holding = world.hand is not None and world.hand.held is not None
        return {
            When.ANY: True,
            When.MOVING: moving,
            When.DRIVING: abs(world.twist.v_mps) > 0.1,
            When.HOLDING: holding,
            When.DRIVING_WITH_LOAD: holding and abs(world.twist.v_mps) > 0.2,
            When.REACHING: not holding and _reaches(world),
        }[self.when]


def _reaches(world: World) -> bool:
    hand = world.hand
    if hand is None:
        return False
    grasp = hand.grasp_point(world.pose)
    return any(thing.position.distance_to(grasp) <= NEAR_M for thing in hand.things.values())


class Stage:
    """What a fault may touch. Both systems, ours and the baseline's, offer it; a part that one lacks does nothing."""

    world: World

    def __init__(self, chance: Random) -> None:
        self.chance = chance

    @property
    def has_safety(self) -> bool:
        """Whether there is a safety process at all."""
        return False

    def set_tamper(self, tamper: OneMessage | Noise | None) -> None:
        """Let messages be treated badly, or no longer."""

    def kill(self, name: str, back_in_s: float | None) -> None:
        """End a process; it is started again after a while, or never."""

    def freeze(self, name: str, for_s: float) -> None:
        """Stop a process for a while, as by SIGSTOP."""

    def leave(self, name: str, back_in_s: float) -> None:
        """Let a process end in order; it is started again after a while."""

    def set_disk(self, state: str) -> None:
        """Let the disk be `WELL`, `FULL`, `LOCKED`, `READ_ONLY` or `HANGS`."""

    def wrong_frame(self, topic: str, wrong: bool) -> None:
        """Let a topic come in a wrong frame."""

    def stop_request(self) -> None:
        """Let a person ask for a stop."""

    def cancel_task(self) -> None:
        """Let a person cancel the task."""
