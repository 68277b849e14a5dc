"""The numbered requirements of ``docs/protocol.md``, and the tests that say they prove them.

A requirement is a sentence that holds MUST, SHOULD or MAY in capitals and begins with an identifier, as
``[F-1]``; its first words say who has to obey. A test names requirements by
``@pytest.mark.proves("F-1", "F-4")``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

TESTS = Path(__file__).parents[1]

_IDENTIFIER = re.compile(r"\[([A-Z]-[1-9][0-9]*)\]")
_ITEM = re.compile(
    r"^- \[(?P<id>[A-Z]-[1-9][0-9]*)\] (?P<text>.*?)(?=\n(?:- |\n|$)|\Z)", re.DOTALL | re.MULTILINE
)
KEYWORD = re.compile(r"\b(?:MUST NOT|MUST|SHOULD NOT|SHOULD|MAY)\b")
_OBEYS = {"An end": "both", "A client": "client", "A server": "server"}


@dataclass(frozen=True)
class Requirement:
    """One numbered sentence; ``obeys`` is client, server or both, ``force`` its keyword."""

    id: str
    obeys: str
    force: str
    text: str


def requirements(document: str) -> list[Requirement]:
    """Every requirement, in the order of the text. ``AssertionError`` names one that is not written so."""
    found = []
    for item in _ITEM.finditer(document):
        text = " ".join(item["text"].split())
        subject = next((words for words in _OBEYS if text.startswith(f"{words} ")), None)
        force = KEYWORD.search(text)
        assert subject is not None, f"{item['id']} does not begin with one of {', '.join(_OBEYS)}"
        assert force is not None, f"{item['id']} holds no MUST, SHOULD or MAY"
        found.append(Requirement(item["id"], _OBEYS[subject], force[0], text))
    return found


def cited(document: str) -> set[str]:
    """Every identifier in brackets, wherever it stands."""
    return set(_IDENTIFIER.findall(document))


@dataclass(frozen=True)
class Proof:
    """A test and a requirement that it says it proves. ``path`` is from the folder of the tests."""

    requirement: str
    path: str
    test: str


def proofs(tests: Path = TESTS) -> list[Proof]:
    """Every proof that a test under this folder names, by file and place."""
    return [
        proof
        for path in sorted(tests.rglob("test_*.py"))
        for proof in _proofs_in(path.read_text(encoding="utf-8"), path.relative_to(tests).as_posix())
    ]


def _proofs_in(source: str, path: str) -> Iterator[Proof]:
    if ".proves(" not in source:
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for decorator in node.decorator_list:
                if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.proves":
                    for argument in decorator.args:
                        assert isinstance(argument, ast.Constant), f"{node.name} names a requirement by no text"
                        yield Proof(str(argument.value), path, node.name)


def appendix(document: str, proved: list[Proof]) -> str:
    """The table of all requirements."""
    lines = ["| requirement | obeys | force | proved by |", "|---|---|---|---|"]
    for requirement in requirements(document):
        tests = [f"`{proof.path}` {proof.test}" for proof in proved if proof.requirement == requirement.id]
        lines.append(f"| {requirement.id} | {requirement.obeys} | {requirement.force} | {'<br>'.join(tests)} |")
    return "\n".join(lines) + "\n"
