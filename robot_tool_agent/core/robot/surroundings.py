"""What the robot knows of its surroundings, all in the map frame."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from robot_tool_agent.core.geometry import Point
from robot_tool_agent.core.robot.base import ConfigModel, Metres, XY
from robot_tool_agent.core.robot.body import PoseConfig

Segment = tuple[Metres, Metres, Metres, Metres]
Polygon = Annotated[tuple[XY, ...], Field(min_length=3, max_length=64)]


class KnownMap(ConfigModel):
    """Walls and furniture edges the range sensor sees, as segments x1 y1 x2 y2 in metres."""

    walls: tuple[Segment, ...] = Field(default=(), max_length=2000, description='segments x1 y1 x2 y2, m')


class Surface(ConfigModel):
    """Where an object can be put down."""

    x_m: Metres
    y_m: Metres

    @property
    def point(self) -> Point:
        """Return the same as a Point."""
        return Point(self.x_m, self.y_m)


class Place(PoseConfig):
    """A named pose of the base, with other names for it and, if things can be put there, the spot."""

    aliases: tuple[str, ...] = Field(default=(), max_length=20, description='other names, any language')
    surface: Surface | None = Field(default=None, description='where `place` puts an object, m')


class ApprovalPolicy(ConfigModel):
    """Calls that need a person's yes."""

    skill: str = Field(min_length=1, max_length=64)
    place: str | None = Field(default=None, description='only calls that name this place')
    first_use: bool = Field(default=False, description='only the first call of a run')


class SkillConfig(ConfigModel):
    """One enabled skill. Left-out values are the skill's own."""

    timeout_s: float | None = Field(default=None, ge=0.5, le=3600.0, description='s')
