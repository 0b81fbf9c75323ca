"""Writes docs/doctor.md from the checks themselves: `python docs/doctor.py` in the environment."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from firmware.doctor import CHECKS

PAGE: Final = Path(__file__).parent / "doctor.md"
SAYS: Final = {"fail": "fails", "warn": "warns"}
PIECE: Final = 12
"""Shorter words are no cure but a piece of one."""
HANDS: Final = "muggins doctor "
OTHERWISE: Final = "its line says it"


def page() -> str:
    """The whole page."""
    before, rest = PAGE.read_text(encoding="utf-8").split("<!-- checks -->\n")
    _, after = rest.split("<!-- end -->\n")
    return f"{before}<!-- checks -->\n{table()}<!-- end -->\n{after}"


def table() -> str:
    """Every check: what it looks at, and each cure it may give."""
    lines = ["| check | what it looks at | what it may tell you to do |", "|---|---|---|"]
    for name, look in CHECKS.items():
        what = (inspect.getdoc(look) or "").split("\n\n")[0].replace("\n", " ")
        cures = "<br>".join(dict.fromkeys(_cures(look))) or OTHERWISE
        lines.append(f"| `{name}` | {what} | {cures} |")
    return "\n".join(lines) + "\n"


def _cures(look: Any) -> Iterator[str]:
    """The cures in the check's own words, and in those of the functions of its module that it calls."""
    module = sys.modules[look.__module__]
    functions, seen, waiting = _functions(module), set[str](), [look.__name__]
    while waiting:
        name = waiting.pop(0)
        if name in seen or name not in functions:
            continue
        seen.add(name)
        for node in ast.walk(functions[name]):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
                continue
            if node.func.id in SAYS and len(node.args) > 1:
                text = _words(node.args[1], functions[name])
                if len(text) >= PIECE:
                    yield f"{SAYS[node.func.id]}: {re.sub(r'[.]{4,}', '...', text)}"
            elif node.func.id == "skipped" and HANDS in (text := _words(node.args[0], functions[name])):
                yield f"asks for hands: {text}"
            elif node.func.id not in seen:
                waiting.append(node.func.id)


@cache
def _functions(module: ModuleType) -> dict[str, ast.FunctionDef]:
    tree = ast.parse(inspect.getsource(module))
    return {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}


def _words(node: ast.expr, inside: ast.FunctionDef) -> str:
    """The text of an expression; what is filled in stands there by its name in capitals, or as dots."""
    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.JoinedStr(values=values):
            return "".join(_words(value, inside) for value in values)
        case ast.BinOp(left=left, right=right):
            return _words(left, inside) + _words(right, inside)
        case ast.Name(id=name):
            given = [one.value for one in ast.walk(inside) if isinstance(one, ast.Assign) and _names(one, name)]
            words = _words(given[0], inside) if given else ""
            return words if len(words) >= PIECE else name.upper()
        case ast.FormattedValue(value=value):
            return _words(value, inside)
        case ast.Attribute(attr=name):
            return name.upper()
    return "..."


def _names(node: ast.Assign, name: str) -> bool:
    return any(isinstance(target, ast.Name) and target.id == name for target in node.targets)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
