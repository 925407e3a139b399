"""Stops, cancels and calls sent again."""

from __future__ import annotations

from robot_tool_agent.core.outcomes import Effect, Outcome
from robot_tool_agent.core.safety_state import SafetyMode
from scenario_setups import INTERRUPTED
from scenario_types import Act, CallEnds, Follow, Over, Same, Scenario, SkillCall, Strike, Truth
from scenario_words import (
    AGAIN,
    AHEAD,
    AHEAD_M,
    CANCELED,
    FAR,
    MOVE,
    MOVED,
    MOVED_M,
    READ,
    refused,
    REPLAYED,
    STATE,
    STOP_S,
    STOPPED,
    SUCCEEDED,
)

RIVALS = (('two_servers_on_one_name', 'own journal'), ('two_servers_on_one_journal', 'same journal'))
DONE_OR_NOT = (Effect.DONE, Effect.PARTIAL)

SCENARIOS: tuple[Scenario, ...] = (
    Scenario(
        'operator_stop', FAR, STOPPED, Truth(still_within_s=STOP_S), (Strike(Act.OPERATOR_STOP, after_m=0.6),),
        fault='OPERATOR_STOP', modes=(SafetyMode.ESTOPPED,), ends_in=(SafetyMode.ESTOPPED,), distance_m=(0.6, 1.2),
        reset_stays_still=True, quick=True,
    ),
    Scenario(
        'cancel', AHEAD, CallEnds(*CANCELED), Truth(still_within_s=STOP_S),
        (Strike(Act.CANCEL, after_m=0.3),), distance_m=(0.3, 0.8),
        then=(Follow(AGAIN, CallEnds(*CANCELED, replayed=True)),), quick=True,
    ),
    Scenario(
        'same_id_in_turn', SkillCall('move_relative', '{"distance_m": 0.4}'), SUCCEEDED, Truth(at=(1.4, 1.0)),
        distance_m=(0.3, 0.5),
        then=(
            Follow(AGAIN, CallEnds((Outcome.SUCCEEDED,), (Effect.DONE,), replayed=True)),
            Follow(SkillCall('move_relative', '{"distance_m": 0.5}', again=True), refused('IDEMPOTENCY_MISMATCH')),
        ), quick=True,
    ),
    Scenario(
        'cancel_before_the_goal', MOVE, SUCCEEDED, MOVED, (Strike(Act.CANCEL_UNBORN),), distance_m=MOVED_M,
        then=(Follow(AGAIN, REPLAYED),),
    ),
    Scenario(
        'stale_handle_used_for_the_next_goal', MOVE, SUCCEEDED, Truth(at=(1.8, 1.0)),
        (Strike(Act.CANCEL_OLD, after_m=0.6),), before=(MOVE,), distance_m=MOVED_M, then=(Follow(AGAIN, REPLAYED),),
    ),
    Scenario(
        'cancel_meets_the_end', MOVE, CallEnds((Outcome.SUCCEEDED, Outcome.CANCELED), DONE_OR_NOT, ('', 'CANCELED')),
        Truth(), (Strike(Act.CANCEL, after_m=0.38),), distance_m=(0.3, 0.46), told_standing=True,
        then=(Follow(AGAIN, Same()), Follow(AGAIN, Same())),
    ),
    Scenario(
        'cancel_twice', AHEAD, CallEnds(*CANCELED), Truth(still_within_s=STOP_S),
        (Strike(Act.CANCEL, after_m=0.3), Strike(Act.CANCEL, after_s=0.05)), distance_m=(0.3, 0.8), told_standing=True,
        then=(Follow(AGAIN, Same()),),
    ),
    Scenario(
        'cancel_that_must_not_block', SkillCall('move_relative', '{"distance_m": 2.5}'),
        CallEnds((Outcome.UNKNOWN,), (Effect.UNKNOWN,), ('CANCELED',)), Truth(),
        (
            Strike(Act.CANCEL, after_m=0.3),
            Strike(Act.CALL, after_s=0.1, call=STATE, ends=READ, within_s=0.7),
            Strike(Act.CALL, after_s=0.1, call=AGAIN, ends=refused('IN_PROGRESS'), within_s=0.7),
        ),
        ill_with='ignores_stop', fault='STOP_NOT_CONFIRMED', ends_in=(SafetyMode.HOLDING,), distance_m=(1.0, 2.8),
    ),
    Scenario(
        'client_killed_right_after_sending', MOVE,
        CallEnds((Outcome.REJECTED, Outcome.SUCCEEDED), (Effect.NONE, Effect.DONE), ('IN_PROGRESS', '')), MOVED,
        (Strike(Act.DYING_CLIENT, call=MOVE),), distance_m=MOVED_M, then=(Follow(AGAIN, REPLAYED),),
    ),
    *(
        Scenario(
            name, AHEAD, SUCCEEDED, Truth(at=(2.0, 1.0)), (Strike(Act.SECOND_EXECUTOR, subject, after_m=0.1),),
            distance_m=AHEAD_M, then=(Follow(AGAIN, REPLAYED),),
        )
        for name, subject in RIVALS
    ),
    Scenario(
        'sigint_to_the_launch', FAR, Over(), Truth(), (Strike(Act.INTERRUPT, after_m=0.6),), set_up=INTERRUPTED,
    ),
)  # fmt: skip
