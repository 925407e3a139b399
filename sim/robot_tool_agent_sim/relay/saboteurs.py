"""The tables of saboteurs of the action `execute_skill` and of topics, by name. Each changes as little as it can."""

from __future__ import annotations

from dataclasses import dataclass
import math
import random

HONEST = 'none'
Span = tuple[float, float]
AT_ONCE: Span = (0.0, 0.0)
NEVER: Span = (math.inf, math.inf)


@dataclass(frozen=True, slots=True)
class Saboteur:
    """
    How one goal is treated. A span is the least and most of a delay in seconds; NEVER is a message that is lost.

    `copies` are the delays with which the goal goes to the executor, one for each copy; the caller is told the end that
    comes first. `claims_at` is the share of the way, 0 to 1, at which the caller is told a success that is invented.
    """

    copies: tuple[Span, ...] = (AT_ONCE,)
    acceptance: Span = AT_ONCE
    reply: Span = AT_ONCE
    passes_cancel: bool = True
    claims_at: float = math.inf


SABOTEURS = {
    HONEST: Saboteur(),
    'goal_lost': Saboteur(copies=(), acceptance=NEVER),
    'goal_duplicated': Saboteur(copies=(AT_ONCE, (0.05, 0.3))),
    'goal_response_delayed': Saboteur(acceptance=(4.0, 5.0)),
    'goal_response_dropped': Saboteur(acceptance=NEVER),
    'reply_dropped': Saboteur(reply=NEVER),
    'reply_late': Saboteur(reply=(4.0, 5.0)),
    'cancel_dropped': Saboteur(passes_cancel=False),
    'success_claimed': Saboteur(claims_at=0.6),
}


@dataclass(frozen=True, slots=True)
class TopicSaboteur:
    """
    How the messages of one topic are treated: a share of them is lost, each of the others goes out in copies.

    Delays that differ from message to message change their order.
    """

    topic: str
    lost_share: float = 0.0
    copies: tuple[Span, ...] = (AT_ONCE,)


RELAYED_TOPICS = ('motion_command', 'safety_state', 'odom')
_TREATMENTS: dict[str, tuple[float, tuple[Span, ...]]] = {
    'lost': (1.0, (AT_ONCE,)),
    'dropped': (0.3, (AT_ONCE,)),
    'delayed': (0.0, ((0.5, 0.5),)),
    'duplicated': (0.0, (AT_ONCE, (0.02, 0.1))),
    'reordered': (0.0, ((0.0, 0.12),)),
}
TOPIC_SABOTEURS = {
    f'{topic}_{name}': TopicSaboteur(topic, lost_share, copies)
    for topic in RELAYED_TOPICS
    for name, (lost_share, copies) in _TREATMENTS.items()
}
NAMES = (*SABOTEURS, *TOPIC_SABOTEURS)


class Chance:
    """Draws delays and losses; the same seed gives the same ones."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def delay_s(self, span: Span) -> float:
        """Return a delay within a span, infinite for a message that is lost."""
        low_s, high_s = span
        return low_s if low_s == high_s else self._random.uniform(low_s, high_s)

    def strikes(self, share: float) -> bool:
        """Tell whether one of a share of all messages is struck."""
        return share > 0.0 and self._random.random() < share
