"""Messages between callers, executor and safety that are lost, late, doubled, out of order or invented."""

from __future__ import annotations

from robot_tool_agent.core.outcomes import Effect, Outcome, TaskStatus
from robot_tool_agent.core.safety_state import SafetyMode
from scenario_setups import REHEARSAL
from scenario_types import Act, CallEnds, Follow, Same, Scenario, SkillCall, Strike, Task, TaskEnds, Truth
from scenario_words import (
    AGAIN,
    AHEAD,
    AHEAD_M,
    CANCELED,
    MOVE,
    MOVED,
    MOVED_M,
    READ,
    refused,
    REPLAYED,
    STOP_S,
    SUCCEEDED,
    UNTOUCHED,
)

TASK = Task('drive forward 0.4 m')
IN_PROGRESS = refused('IN_PROGRESS')
TOLD_LATE = TaskEnds((TaskStatus.SUCCEEDED, TaskStatus.UNVERIFIED), ('', 'VERIFICATION_FAILED'))


def _sabotaged(saboteur: str) -> tuple[Strike, ...]:
    return (Strike(Act.MESSAGES, saboteur),)


SCENARIOS: tuple[Scenario, ...] = (
    Scenario(
        'a_faithful_relay', MOVE, SUCCEEDED, MOVED, distance_m=MOVED_M, then=(Follow(AGAIN, REPLAYED),),
        set_up=REHEARSAL,
    ),
    Scenario(
        'goal_lost', MOVE, SUCCEEDED, MOVED, _sabotaged('goal_lost'), distance_m=MOVED_M,
        then=(Follow(AGAIN, REPLAYED),), set_up=REHEARSAL,
    ),
    *(
        Scenario(
            name, AHEAD, IN_PROGRESS, Truth(at=(2.0, 1.0)), _sabotaged(saboteur), distance_m=AHEAD_M,
            then=(Follow(AGAIN, REPLAYED),), set_up=REHEARSAL,
        )
        for name, saboteur in (
            ('goal_response_lost_in_discovery', 'goal_response_dropped'),
            ('goal_response_late', 'goal_response_delayed'),
            ('goal_doubled', 'goal_duplicated'),
        )
    ),
    Scenario(
        'reply_late', MOVE, SUCCEEDED, MOVED, _sabotaged('reply_late'), distance_m=MOVED_M, time_s=(4.0, 20.0),
        then=(Follow(AGAIN, REPLAYED),), set_up=REHEARSAL,
    ),
    Scenario(
        'unanswered_cancel', AHEAD, SUCCEEDED, Truth(at=(2.0, 1.0)),
        (Strike(Act.MESSAGES, 'cancel_dropped'), Strike(Act.CANCEL, after_m=0.2)), distance_m=AHEAD_M,
        then=(Follow(AGAIN, REPLAYED),), set_up=REHEARSAL,
    ),
    Scenario(
        'success_reported_at_60_percent', AHEAD, SUCCEEDED, Truth(),
        (
            Strike(Act.MESSAGES, 'success_claimed'),
            Strike(Act.CALL, after_m=0.5, call=AGAIN, ends=IN_PROGRESS),
            Strike(Act.OPERATOR_STOP, after_m=0.65),
        ),
        fault='OPERATOR_STOP', ends_in=(SafetyMode.ESTOPPED,), distance_m=(0.65, 0.95),
        then=(
            Follow(AGAIN, CallEnds((Outcome.STOPPED,), (Effect.PARTIAL,), ('STOPPED_BY_SAFETY',), replayed=True)),
        ),
        set_up=REHEARSAL,
    ),
    Scenario(
        'commands_lost', MOVE, CallEnds((Outcome.FAILED,), (Effect.NONE,), ('EXECUTION_ERROR',)), UNTOUCHED,
        _sabotaged('motion_command_lost'), fault='SKILL_FAILED', ends_in=(SafetyMode.SAFE, SafetyMode.READY),
        set_up=REHEARSAL,
    ),
    *(
        Scenario(
            name, MOVE, SUCCEEDED, MOVED, _sabotaged(saboteur), distance_m=MOVED_M, then=(Follow(AGAIN, REPLAYED),),
            set_up=REHEARSAL,
        )
        for name, saboteur in (
            ('every_third_command_lost', 'motion_command_dropped'),
            ('commands_doubled', 'motion_command_duplicated'),
            ('commands_out_of_order', 'motion_command_reordered'),
            ('safety_states_doubled', 'safety_state_duplicated'),
            ('every_third_odometry_lost', 'odom_dropped'),
        )
    ),
    Scenario(
        'late_command_after_cancel', AHEAD, CallEnds(*CANCELED), Truth(still_within_s=1.6),
        (Strike(Act.MESSAGES, 'motion_command_delayed'), Strike(Act.CANCEL, after_m=0.2)), distance_m=(0.2, 0.9),
        then=(Follow(AGAIN, CallEnds(*CANCELED, replayed=True)),), set_up=REHEARSAL,
    ),
    Scenario(
        'lock_that_only_goes_silent', SkillCall('wait', '{"duration_s": 1.0}'), READ, UNTOUCHED,
        (Strike(Act.MESSAGES, 'safety_state_lost'),), then=(Follow(MOVE, refused('SAFETY_LOCKED')),), set_up=REHEARSAL,
    ),
    Scenario(
        'a_faithful_cancel', AHEAD, CallEnds(*CANCELED), Truth(still_within_s=STOP_S),
        (Strike(Act.CANCEL, after_m=0.2),), distance_m=(0.2, 0.6), then=(Follow(AGAIN, Same()),), set_up=REHEARSAL,
    ),
    Scenario(
        'task_whose_reply_is_lost', TASK, TaskEnds((TaskStatus.NEEDS_OPERATOR,), ('UNRESOLVED_CALL',)), MOVED,
        _sabotaged('reply_dropped'), distance_m=MOVED_M, time_s=(4.0, 40.0), set_up=REHEARSAL,
    ),
    *(
        Scenario(
            f'task_and_{name}', TASK, ends, MOVED, _sabotaged(saboteur), distance_m=MOVED_M, time_s=(1.0, 40.0),
            set_up=REHEARSAL,
        )
        for name, saboteur, ends in (
            ('a_faithful_relay', 'none', TaskEnds((TaskStatus.SUCCEEDED,))),
            ('a_goal_lost', 'goal_lost', TaskEnds((TaskStatus.SUCCEEDED,))),
            ('a_reply_late', 'reply_late', TaskEnds((TaskStatus.SUCCEEDED,))),
            # What was told late is a replay, which supports no new claim.
            ('a_goal_doubled', 'goal_duplicated', TOLD_LATE),
            ('a_goal_response_late', 'goal_response_delayed', TOLD_LATE),
            ('a_goal_response_lost', 'goal_response_dropped', TOLD_LATE),
        )
    ),
)  # fmt: skip
