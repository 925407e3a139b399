"""Text that came from anyone, for a log, an answer or a terminal."""

from robot_tool_agent.core.execution.results import bounded_text

# All that blocks a reset fits in.
MAX_CHARS = 2000


def told_text(text: str, limit: int = MAX_CHARS) -> str:
    """Return printable text of at most `limit` characters; a long one costs no more time than a short one."""
    return bounded_text(text[: limit + 1], limit)
