"""How the end of a task becomes the end of an action goal."""

from rclpy.action.server import ServerGoalHandle
from robot_tool_agent.core.outcomes import TaskStatus
from robot_tool_agent.core.planning.record import TaskEnd
from robot_tool_agent_interfaces.action import RunTask


def end_goal(goal: ServerGoalHandle, end: TaskEnd) -> RunTask.Result:
    """Set the goal's terminal state and return its result: `canceled()` only for a handle that was asked to cancel."""
    if end.status is TaskStatus.SUCCEEDED:
        goal.succeed()
    elif end.status is TaskStatus.CANCELED and goal.is_cancel_requested:
        goal.canceled()
    else:
        goal.abort()
    return RunTask.Result(
        status=int(end.status),
        summary=end.summary,
        error_code=end.error.value if end.error else '',
        skill_calls=end.skill_calls,
        llm_calls=end.llm_calls,
    )
