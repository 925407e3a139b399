"""What works, and a task that cannot."""

from __future__ import annotations

from robot_tool_agent.core.outcomes import TaskStatus
from scenario_types import Scenario, Task, TaskEnds, Truth
from scenario_words import FAR, KITCHEN, LIVING_ROOM, SUCCEEDED, TABLE_TOP, UNTOUCHED

SCENARIOS: tuple[Scenario, ...] = (
    Scenario(
        'goto_kitchen', FAR, SUCCEEDED, Truth(at=KITCHEN), time_s=(14.0, 50.0), distance_m=(7.0, 13.0),
    ),
    Scenario(
        'fetch_cup', Task('bring the cup from the kitchen to the table'), TaskEnds((TaskStatus.SUCCEEDED,)),
        Truth(picks=1, places=1, released_at=TABLE_TOP), time_s=(30.0, 110.0), distance_m=(14.0, 26.0),
    ),
    Scenario(
        'put_back', Task('pick up the ball from the table, then put it on the table'),
        TaskEnds((TaskStatus.SUCCEEDED,)), Truth(picks=1, places=1, released_at=TABLE_TOP), time_s=(8.0, 50.0),
        distance_m=(1.5, 6.0), quick=True,
    ),
    Scenario(
        'chinese_task', Task('去客厅'), TaskEnds((TaskStatus.SUCCEEDED,)), Truth(at=LIVING_ROOM),
        time_s=(2.0, 20.0), distance_m=(1.0, 2.5), quick=True,
    ),
    Scenario(
        'task_with_unknown_place', Task('go to the moon'), TaskEnds((TaskStatus.NEEDS_OPERATOR,), ('NEEDS_ANSWER',)),
        UNTOUCHED, time_s=(0.0, 10.0), quick=True,
    ),
)  # fmt: skip
