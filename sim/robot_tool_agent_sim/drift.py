"""How odometry departs from the truth although nothing is broken: wheels a little off in size."""

from __future__ import annotations

from pydantic import Field
from robot_tool_agent.core.geometry import Twist2D
from robot_tool_agent.core.robot.base import ConfigModel


class OdomDrift(ConfigModel):
    """
    Systematic errors of a differential drive: unequal to nominal wheel size, and unequal to each other.

    The two systematic errors of Borenstein and Feng, "Measurement and correction of systematic odometry errors in
    mobile robots", IEEE Transactions on Robotics and Automation 12(6), 1996, reduced to one number each.
    """

    scale: float = Field(default=1.0, ge=0.9, le=1.1, description='odometry counts this many m for each m driven')
    turn_rad_per_m: float = Field(default=0.0, ge=-0.1, le=0.1, description='turn that odometry imagines, rad per m')

    def reported(self, motion: Twist2D) -> Twist2D:
        """Return what odometry makes of a motion."""
        return Twist2D(motion.v_mps * self.scale, motion.w_radps + abs(motion.v_mps) * self.turn_rad_per_m)
