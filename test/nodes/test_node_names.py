"""Our node classes must not overwrite what rclpy's Node keeps for itself: that breaks parameters or spinning."""

import ast
import inspect
from pathlib import Path

import pytest
import rclpy.node

ROOT = Path(__file__).resolve().parents[2]
FILES = [*ROOT.glob('robot_tool_agent/nodes/*_node.py'), *ROOT.glob('sim/robot_tool_agent_sim/*_node.py')]


def own_names(tree: ast.AST) -> set[str]:
    """Return every attribute a class sets on itself, and every method it defines."""
    names = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    for node in ast.walk(tree):
        stored = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
        if stored and isinstance(node.value, ast.Name) and node.value.id == 'self':
            names.add(node.attr)
    return names


@pytest.mark.parametrize('path', FILES, ids=lambda path: path.stem)
def test_no_private_name_of_the_base_class_is_taken(path):
    kept = {name for name in own_names(ast.parse(inspect.getsource(rclpy.node))) if name.startswith('_')}
    assert '_parameters' in kept
    taken = own_names(ast.parse(path.read_text(encoding='utf-8'))) & kept
    assert taken - {'__init__'} == set()
