"""The disk under the journal fails: what cannot be written down does not move."""

from __future__ import annotations

from robot_tool_agent.core.outcomes import Effect, Outcome
from robot_tool_agent.core.safety_state import SafetyMode
from scenario_setups import REHEARSAL
from scenario_types import Act, CallEnds, Follow, Scenario, Strike, Truth
from scenario_words import AGAIN, DOCK, MOVE, MOVED_M, READ, refused, STATE, SUCCEEDED, UNTOUCHED

SCENARIOS: tuple[Scenario, ...] = (
    *(
        Scenario(
            f'disk_{state}', MOVE, refused('JOURNAL_UNAVAILABLE'), UNTOUCHED, (Strike(Act.ORDER, f'disk={state}'),),
            then=(
                Follow(STATE, READ),
                Follow(AGAIN, SUCCEEDED, healed=True, distance_m=MOVED_M),
            ),
            set_up=REHEARSAL,
        )
        for state in ('full', 'read_only', 'locked')
    ),
    Scenario(
        'disk_full_before_the_end', MOVE, CallEnds((Outcome.UNKNOWN,), (Effect.UNKNOWN,), ('JOURNAL_UNAVAILABLE',)),
        Truth(safe_poses=(DOCK,)), (Strike(Act.ORDER, 'disk=full', after_m=0.1),), fault='SKILL_UNKNOWN',
        ends_in=(SafetyMode.SAFE, SafetyMode.HOLDING), distance_m=(0.3, 1.2),
        then=(
            Follow(MOVE, refused('UNRESOLVED_CALL'), after_reset=True),
            Follow(MOVE, SUCCEEDED, healed=True, resolve=Effect.PARTIAL, distance_m=MOVED_M),
        ),
        set_up=REHEARSAL,
    ),
)  # fmt: skip
