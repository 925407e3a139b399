"""People who do not answer or say no, limits that are reached, results that are gone."""

from __future__ import annotations

from robot_tool_agent.core.outcomes import Effect, Outcome
from robot_tool_agent.core.safety_state import SafetyMode
from scenario_setups import STRICT
from scenario_types import Act, CallEnds, Follow, Scenario, SkillCall, Strike, Truth
from scenario_words import AGAIN, DOCK, FAR, MOVE, MOVED, MOVED_M, READ, refused, REPLAYED, STATE, SUCCEEDED, UNTOUCHED

TURN = SkillCall('rotate_relative', '{"angle_rad": 1.0}')
WAIT = SkillCall('wait', '{"duration_s": 6.0}')
WAITED = CallEnds((Outcome.SUCCEEDED,), (Effect.NONE, Effect.DONE))
LONG = SkillCall('move_relative', '{"distance_m": 2.5}')
RESTING = (SafetyMode.SAFE, SafetyMode.READY, SafetyMode.HOLDING)
LIVE_CALLS = 32
STUCK = CallEnds((Outcome.FAILED,), (Effect.NONE,), ('EXECUTION_ERROR',))

SCENARIOS: tuple[Scenario, ...] = (
    Scenario(
        'approval_never_comes', TURN, refused('APPROVAL_EXPIRED'), UNTOUCHED, time_s=(1.5, 8.0), set_up=STRICT,
    ),
    Scenario(
        'approval_denied', TURN, refused('APPROVAL_DENIED'), UNTOUCHED, (Strike(Act.DECIDE, 'deny', after_s=0.5),),
        then=(Follow(AGAIN, CallEnds((Outcome.REJECTED,), (Effect.NONE,), ('APPROVAL_DENIED',), replayed=True)),),
        set_up=STRICT,
    ),
    Scenario(
        'approved_once_means_once', TURN, SUCCEEDED, Truth(at=DOCK), (Strike(Act.DECIDE, 'approve', after_s=0.5),),
        then=(Follow(TURN, refused('APPROVAL_EXPIRED')),), set_up=STRICT,
    ),
    Scenario(
        'too_slow', LONG, CallEnds((Outcome.FAILED,), (Effect.PARTIAL,), ('TIMEOUT',)), Truth(), fault='SKILL_FAILED',
        modes=(SafetyMode.STOPPING,), ends_in=RESTING, distance_m=(0.8, 5.0), set_up=STRICT,
    ),
    Scenario(
        'circuit_opens', FAR, STUCK, UNTOUCHED, (Strike(Act.FAULT, 'wheels_stuck'),), fault='SKILL_FAILED',
        modes=(SafetyMode.STOPPING,), ends_in=RESTING, time_s=(4.0, 40.0),
        then=(
            Follow(FAR, STUCK, after_ready=True),
            Follow(FAR, refused('CIRCUIT_OPEN'), after_ready=True),
        ),
        set_up=STRICT,
    ),
    Scenario(
        'too_many_calls_at_once', WAIT, WAITED, UNTOUCHED,
        (
            *(Strike(Act.CALL, after_s=0.0, call=WAIT, ends=WAITED) for _ in range(LIVE_CALLS - 1)),
            Strike(Act.CALL, after_s=0.0, call=WAIT, ends=refused('RATE_LIMITED')),
        ),
        set_up=STRICT,
    ),
    Scenario(
        'result_asked_after_it_expired', MOVE, SUCCEEDED, MOVED, distance_m=MOVED_M,
        then=(Follow(AGAIN, REPLAYED, expired_s=12.0),), set_up=STRICT,
    ),
    Scenario(
        'base_is_busy', FAR, CallEnds((Outcome.CANCELED,), (Effect.PARTIAL,), ('CANCELED',)), Truth(),
        (
            Strike(Act.CALL, after_m=0.3, call=SkillCall('go_to_safe_pose'), ends=refused('RESOURCE_BUSY')),
            Strike(Act.CALL, after_s=0.0, call=STATE, ends=READ),
            Strike(Act.CANCEL, after_s=0.0),
        ),
        distance_m=(0.3, 1.2), told_standing=True, set_up=STRICT,
    ),
)  # fmt: skip
