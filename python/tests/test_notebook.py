"""The notebook runs, and its outputs are what it prints. UPDATE=1 writes them."""

from __future__ import annotations

import ast
import json
import os
from pathlib import Path
from pprint import pformat
from typing import Any

NOTEBOOK = Path(__file__).parent.parent / "docs/urls.ipynb"


def output(source: str, names: dict[str, Any]) -> str | None:
    """Runs a cell; returns the text of its last expression, as a notebook shows it."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    if not isinstance(last, ast.Expr):
        return None
    return pformat(eval(compile(ast.Expression(last.value), "cell", "eval"), names), sort_dicts=False, width=100)


def test_every_cell() -> None:
    notebook = json.loads(NOTEBOOK.read_text())
    names: dict[str, Any] = {}
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(cells) > 10
    for cell in cells:
        text = output("".join(cell["source"]), names)
        lines = text.splitlines(keepends=True) if text else []
        shown: dict[str, Any] = {"output_type": "execute_result", "execution_count": None, "metadata": {}}
        found = [{**shown, "data": {"text/plain": lines}}] if lines else []
        if os.environ.get("UPDATE"):
            cell["outputs"] = found
        else:
            assert cell["outputs"] == found
    if os.environ.get("UPDATE"):
        NOTEBOOK.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")
