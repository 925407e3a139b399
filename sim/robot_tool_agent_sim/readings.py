"""Readings that only the simulator's sensors make. The rest are the core's samples."""

from __future__ import annotations

from dataclasses import dataclass

from robot_tool_agent.core.samples import Sample


@dataclass(frozen=True, slots=True)
class ImuSample(Sample):
    """Attitude of base_link against the vertical and the map (roll, pitch, yaw about x, y, z) and its turn rate."""

    roll_rad: float
    pitch_rad: float
    yaw_rad: float
    w_radps: float
