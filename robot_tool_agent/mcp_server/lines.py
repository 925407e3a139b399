"""Cuts a byte stream into lines of bounded length."""

from __future__ import annotations

from robot_tool_agent.mcp_server.frames import FrameFault, MAX_FRAME_BYTES, too_long


class LineCutter:
    """Collects bytes until a line is whole. A line beyond the limit is dropped as it comes in, and told once."""

    def __init__(self, limit_bytes: int = MAX_FRAME_BYTES) -> None:
        self._limit_bytes = limit_bytes
        self._rest = bytearray()
        self._dropping = False

    def feed(self, data: bytes) -> list[bytes | FrameFault]:
        """Return the lines that are whole now, without their ends; empty ones are passed over."""
        lines: list[bytes | FrameFault] = []
        for part in _split(data):
            self._rest += part
            whole = part.endswith(b'\n')
            if not self._dropping and len(self._rest) > self._limit_bytes + 1:
                self._dropping = True
                lines.append(too_long())
            if whole and not self._dropping and self._rest.strip():
                lines.append(bytes(self._rest).strip())
            if whole or self._dropping:
                self._rest.clear()
            if whole:
                self._dropping = False
        return lines


def _split(data: bytes) -> list[bytes]:
    """Split at line feeds alone: a carriage return inside a line is none of our business."""
    parts = data.split(b'\n')
    return [part + b'\n' for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])
