"""The executor dies at every moment of a call; then the same id is sent again, then a new one."""

from __future__ import annotations

from collections.abc import Iterator

from robot_tool_agent.core.outcomes import Effect
from robot_tool_agent.core.safety_state import SafetyMode
from scenario_setups import REHEARSAL
from scenario_types import Act, CallEnds, Follow, Lost, Scenario, Strike, Truth
from scenario_words import AGAIN, BALL, lost, MOVE, MOVED_M, refused, REPLAYED, SUCCEEDED, TO_TABLE

BLOCKED, HANDS_FULL = refused('UNRESOLVED_CALL'), refused('PRECONDITION_FAILED')
PARKED = (SafetyMode.SAFE, SafetyMode.HOLDING)
STILL_M, GRASP_M, RETREAT_M = (0.0, 0.001), (0.1, 3.0), (0.0, 3.0)
UNKNOWN = lost(Effect.UNKNOWN)

# When it dies; how the same id and a new one end, and how far the base travels for each.
Crash = tuple[str, CallEnds, tuple[float, float], CallEnds, tuple[float, float]]
MOVES: tuple[Crash, ...] = (
    ('before_admitted', SUCCEEDED, MOVED_M, SUCCEEDED, MOVED_M),
    ('before_started', SUCCEEDED, MOVED_M, SUCCEEDED, MOVED_M),
    ('after_started', UNKNOWN, STILL_M, BLOCKED, STILL_M),
    ('before_end', UNKNOWN, STILL_M, BLOCKED, STILL_M),
    ('after_end', REPLAYED, STILL_M, SUCCEEDED, MOVED_M),
)
# The same for a grasp, with how often the gripper acted before the crash and what sensors say of it later.
PICKS: tuple[tuple[Crash, int, str], ...] = (
    (('before_started', SUCCEEDED, GRASP_M, HANDS_FULL, STILL_M), 0, ''),
    (('after_started', lost(Effect.NONE), STILL_M, SUCCEEDED, GRASP_M), 0, 'sensors'),
    (('before_end', lost(Effect.DONE), STILL_M, HANDS_FULL, STILL_M), 1, 'sensors'),
    (('after_end', REPLAYED, STILL_M, HANDS_FULL, STILL_M), 1, ''),
)


def _move_follows(crash: Crash) -> Iterator[Follow]:
    _, again, again_m, new, new_m = crash
    yield Follow(AGAIN, again, after_reset=True, distance_m=again_m)
    yield Follow(MOVE, new, distance_m=new_m)
    if new is BLOCKED:
        yield Follow(MOVE, SUCCEEDED, resolve=Effect.PARTIAL, distance_m=MOVED_M)
        yield Follow(AGAIN, lost(Effect.PARTIAL))


def _pick_follows(crash: Crash, resolved_by: str) -> Iterator[Follow]:
    """Go back to the table first: the safety node has parked the robot where no sensor sees the object."""
    _, again, again_m, new, new_m = crash
    yield Follow(TO_TABLE[0], SUCCEEDED, after_reset=True, distance_m=(0.0, 6.0))
    yield Follow(AGAIN, again, resolved_by=resolved_by, distance_m=again_m)
    yield Follow(BALL, new, distance_m=new_m)


def _dies(moment: str) -> tuple[Strike, ...]:
    return (Strike(Act.ORDER, f'crash={moment}'),)


SCENARIOS: tuple[Scenario, ...] = (
    *(
        Scenario(
            f'move_dies_{crash[0]}', MOVE, Lost(), Truth(), _dies(crash[0]), fault='EXECUTOR_LOST', ends_in=PARKED,
            distance_m=RETREAT_M, then=tuple(_move_follows(crash)), set_up=REHEARSAL,
        )
        for crash in MOVES
    ),
    *(
        Scenario(
            f'pick_dies_{crash[0]}', BALL, Lost(), Truth(held='ball_1' if picks else None, picks=picks),
            _dies(crash[0]), before=TO_TABLE, fault='EXECUTOR_LOST', ends_in=PARKED, distance_m=(0.0, 8.0),
            then=tuple(_pick_follows(crash, resolved_by)), set_up=REHEARSAL,
        )
        for crash, picks, resolved_by in PICKS
    ),
    Scenario(
        'pick_dies_in_the_grasp', BALL, Lost(), Truth(held='ball_1', picks=1),
        (Strike(Act.KILL, 'executor', after_picks=1),), before=TO_TABLE, fault='EXECUTOR_LOST', ends_in=PARKED,
        distance_m=(0.0, 8.0),
        then=(
            Follow(AGAIN, lost(Effect.DONE), resolved_by='sensors', after_reset=True),
            Follow(BALL, HANDS_FULL),
        ),
        set_up=REHEARSAL,
    ),
    Scenario(
        'executor_exits_before_the_end_is_written', MOVE, Lost(), Truth(), (Strike(Act.ORDER, 'exit=before_end'),),
        fault='EXECUTOR_LOST', ends_in=PARKED, distance_m=RETREAT_M,
        then=(Follow(AGAIN, UNKNOWN, after_reset=True), Follow(MOVE, BLOCKED)), set_up=REHEARSAL,
    ),
    Scenario(
        'executor_comes_back_late', MOVE, Lost(), Truth(),
        (Strike(Act.ORDER, 'slow_start=4.0'), Strike(Act.KILL, 'executor', after_m=0.2)), fault='EXECUTOR_LOST',
        ends_in=PARKED, distance_m=RETREAT_M,
        then=(Follow(AGAIN, UNKNOWN, after_reset=True), Follow(MOVE, BLOCKED)), set_up=REHEARSAL,
    ),
)  # fmt: skip
