"""Which modules a folder of Python files imports, read from the syntax tree, and which of them it may import."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PRODUCT = ROOT / 'robot_tool_agent'
SIMULATOR = ROOT / 'sim' / 'robot_tool_agent_sim'


def files_of(folder: Path) -> list[Path]:
    """All Python files below `folder`."""
    return sorted(folder.rglob('*.py'))


def imports_of(path: Path) -> Iterator[str]:
    """Full dotted names that `path` imports, `from a import b` as `a.b`; a relative import starts with a dot."""
    for node in ast.walk(ast.parse(path.read_text(encoding='utf-8'))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            stem = '.' * node.level + (node.module or '')
            yield from (f'{stem}.{alias.name}' for alias in node.names)


def is_inside(name: str, package: str) -> bool:
    """Whether the dotted `name` is `package` or lies in it."""
    return name == package or name.startswith(package + '.')
