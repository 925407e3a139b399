"""Files stay small enough to hold one idea, functions small enough to see at once."""

import ast
from pathlib import Path

from import_graph import files_of, PRODUCT, SIMULATOR
import pytest

LONGEST_FILE = 300
LONGEST_FUNCTION = 50
FILES = files_of(PRODUCT) + files_of(SIMULATOR)


@pytest.mark.parametrize('path', FILES, ids=[path.stem for path in FILES])
def test_sizes(path: Path) -> None:
    text = path.read_text(encoding='utf-8')
    assert text.count('\n') <= LONGEST_FILE
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, kinds)]
    long = [node.name for node in functions if (node.end_lineno or 0) - node.lineno + 1 > LONGEST_FUNCTION]
    assert not long
