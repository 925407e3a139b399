"""Node tests share the machine: no two files may use the same ROS domain, nor one of those that systems draw from."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

from robot_tool_agent_sim.harness.domains import COUNT, FIRST

NODES = Path(__file__).resolve().parents[1] / 'nodes'


def _domains(path: Path) -> set[int]:
    """Return the numbers that a file gives to names that end in DOMAIN."""
    found: set[int] = set()
    for node in ast.parse(path.read_text(encoding='utf-8')).body:
        if isinstance(node, ast.Assign) and 'DOMAIN' in ast.unparse(node.targets[0]):
            value = eval(ast.unparse(node.value), {'range': range})
            found |= {value} if isinstance(value, int) else set(value)
    return found


def test_each_file_of_node_tests_has_domains_of_its_own() -> None:
    by_file = {path.name: _domains(path) for path in sorted(NODES.glob('test_*.py'))}
    used = Counter(domain for domains in by_file.values() for domain in domains)
    assert len(used) > 20
    assert [domain for domain, times in used.items() if times > 1] == [], by_file
    assert not used.keys() & set(range(FIRST, FIRST + COUNT)), by_file
