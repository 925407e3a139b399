"""What a saboteur may change: motion on the ground, what wheels report, one reading, or the world round the robot."""

from __future__ import annotations

from typing import Any, TYPE_CHECKING

from robot_tool_agent.core.geometry import Twist2D
from robot_tool_agent.core.samples import Sample

if TYPE_CHECKING:
    from robot_tool_agent_sim.world import World


class Fault:
    """A healthy robot; saboteurs override single hooks. One object serves one world, once."""

    moves_hand = True
    grasps = True

    def started(self, world: World) -> None:
        """Take note of the world at the moment the fault strikes."""

    def ended(self, world: World) -> None:
        """Take away what the fault put into the world."""

    def wanted(self, target: Twist2D, now_s: float) -> Twist2D:
        """Return what the wheels go for while this is commanded; zero where no command is alive."""
        return target

    def ground_motion(self, wheels: Twist2D) -> Twist2D:
        """Return how the base would move on free ground when the wheels turn for this twist."""
        return wheels

    def reported_motion(self, wheels: Twist2D, rolled: Twist2D) -> Twist2D:
        """Return what odometry believes when the wheels are driven for one twist and roll for another."""
        return rolled

    def stepped(self, world: World, dt_s: float) -> None:
        """Act at the end of each step."""

    def sensed(self, topic: str, sample: Sample) -> Sample | None:
        """Return what the sensor says instead of the true sample, None for silence. `/clock` is a sensor too."""
        return sample

    def worded(self, topic: str, message: Any) -> Any:
        """Return the message that a driver makes of a sample, as it is sent."""
        return message
