"""Whether a task's aim is true in the end, whoever claims it."""

from __future__ import annotations

from robot_tool_agent.core.geometry import wrap_angle
from robot_tool_agent_sim.evidence.tasks import Goal, ON_SURFACE_M
from robot_tool_agent_sim.world import World


def is_reached(goal: Goal, world: World) -> bool:
    """Tell whether the robot stands where it should and the object lies where it should."""
    if goal.pose is not None:
        off_rad = abs(wrap_angle(world.pose.yaw_rad - goal.pose.yaw_rad))
        if world.pose.distance_to(goal.pose) > goal.position_m or off_rad > goal.yaw_rad:
            return False
    if goal.surface is None:
        return True
    at = world.object_positions().get(goal.object)
    held = None if world.hand is None else world.hand.held
    return at is not None and held != goal.object and at.distance_to(goal.surface) <= ON_SURFACE_M
