"""Robot skills for a language model, each call verified by sensors and gated by a safety node."""

from pydantic import VERSION

if tuple(int(part) for part in VERSION.split('.')[:2]) < (2, 5):
    raise ImportError(f'robot_tool_agent needs pydantic 2.5 or newer and found {VERSION}: pip install "pydantic>=2.5"')
