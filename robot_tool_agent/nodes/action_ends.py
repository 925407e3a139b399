"""How a call's end becomes the end of a goal."""

from rclpy.action.server import ServerGoalHandle
from robot_tool_agent.core.execution.call import CallResult
from robot_tool_agent.core.outcomes import Outcome
from robot_tool_agent_interfaces.action import ExecuteSkill


def end_goal(goal: ServerGoalHandle, result: CallResult) -> ExecuteSkill.Result:
    """
    Set the goal's terminal state and return its result message.

    `succeed()` only with SUCCEEDED; `canceled()` only with CANCELED, not replayed, and if this handle was asked to
    cancel; everything else `abort()`.
    """
    outcome = result.end.outcome
    if outcome is Outcome.SUCCEEDED:
        goal.succeed()
    elif outcome is Outcome.CANCELED and not result.replayed and goal.is_cancel_requested:
        goal.canceled()
    else:
        goal.abort()
    return result_message(result)


def result_message(result: CallResult) -> ExecuteSkill.Result:
    """Return a call's end as the action's result."""
    end = result.end
    return ExecuteSkill.Result(
        outcome=int(end.outcome),
        effect=int(end.effect),
        error_code=end.error.value if end.error else '',
        message=end.message,
        advice=end.error.advice.value if end.error else '',
        result_json=end.result_json,
        evidence_json=end.evidence_json,
        replayed=result.replayed,
        attempts=end.attempts,
    )
