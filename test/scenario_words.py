"""
Places, calls and ends that many scenarios share.

The house is config/robots/sim_house.yaml with test/worlds/house_with_ball.yaml; every scenario begins at DOCK.
"""

from __future__ import annotations

from robot_tool_agent.core.outcomes import Effect, Outcome
from scenario_types import CallEnds, SkillCall, Truth

DOCK, KITCHEN_CORNER = (1.0, 1.0), (6.7, 3.9)
KITCHEN, LIVING_ROOM, TABLE_TOP = (7.0, 4.7), (2.0, 1.9), (2.9, 0.52)

FAR = SkillCall('navigate_to', '{"place": "kitchen"}')
AHEAD = SkillCall('move_relative', '{"distance_m": 1.0}')
BALL = SkillCall('pick', '{"object": "ball"}')
TO_TABLE = (SkillCall('navigate_to', '{"place": "table"}'),)
MOVE = SkillCall('move_relative', '{"distance_m": 0.4}')
MOVED, MOVED_M = Truth(at=(1.4, 1.0)), (0.34, 0.46)
AHEAD_M = (0.9, 1.1)
STATE = SkillCall('get_robot_state')
LEAVE_ROOM = SkillCall('navigate_to', '{"place": "study"}')
AGAIN = SkillCall('', again=True)

SUCCEEDED = CallEnds((Outcome.SUCCEEDED,), (Effect.DONE,))
REPLAYED = CallEnds((Outcome.SUCCEEDED,), (Effect.DONE,), replayed=True)
READ = CallEnds((Outcome.SUCCEEDED,), (Effect.NONE,))
STOPPED = CallEnds((Outcome.STOPPED,), (Effect.PARTIAL,), ('STOPPED_BY_SAFETY',))
# Safety and executor watch odometry with the same limit; either may be the first to see that it stands still.
UNSEEN = CallEnds((Outcome.STOPPED, Outcome.UNKNOWN), (Effect.UNKNOWN,), ('STOPPED_BY_SAFETY', 'STALE_SENSOR'))
# Either of them may also be the first to see that sensors contradict each other.
BLINDED = CallEnds(UNSEEN.outcomes, UNSEEN.effects, (*UNSEEN.errors, 'EXECUTION_ERROR'))
SLIPPED = CallEnds((Outcome.FAILED,), (Effect.NONE, Effect.PARTIAL), ('VERIFICATION_FAILED',))
# The lie is found while moving or, at the latest, at the end.
CONTRADICTED = CallEnds((Outcome.UNKNOWN,), (Effect.UNKNOWN,), ('VERIFICATION_FAILED', 'EXECUTION_ERROR'))
CANCELED = (Outcome.CANCELED,), (Effect.PARTIAL,), ('CANCELED',)
STOP_S = 1.0


def refused(error: str) -> CallEnds:
    """Return the end of a call that never began."""
    return CallEnds((Outcome.REJECTED,), (Effect.NONE,), (error,))


def lost(*effects: Effect) -> CallEnds:
    """Return the replay of a call whose end was lost with its executor, with what is known of its effect by now."""
    return CallEnds((Outcome.UNKNOWN,), effects, ('RESTARTED',), replayed=True)


UNTOUCHED = Truth(at=DOCK, at_within_m=0.01)
