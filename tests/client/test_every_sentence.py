"""Every sentence of the client that a person reads goes through its catalogue."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import tarneeb_client

SOURCE = Path(tarneeb_client.__file__).parent
TRANSLATING = frozenset({"_", "N_", "plural", "in_context"})
FOR_PROGRAMMERS = frozenset({"ValueError", "RuntimeError", "AssertionError", "TypeError"})
"""Raised by themselves, these are for whoever calls a function wrongly."""
ELSEWHERE = {
    "conformance": "a tool for authors of clients and servers, in the language of the protocol's document",
    "fold.py": "says by what a server broke the protocol, for whoever mends the server",
}
"""Modules and folders whose sentences are in English, and why."""
FOR_AUTHORS = frozenset({"_add_conformance"})
"""Functions that give that tool its options."""
EXCEPTIONS = {
    "(open|join|watch|bot|cut|bid|trump|play|say) [\\[A-Z].*": "a command as it is typed",
    ".*tarneeb play \\{\\}": "a command as it is typed",
    "tournament standings": "a command as it is typed",
    "bold fg:ansired|reverse bold|.*\\bfg:.*|.*\\bclass:.*": "a style",
    "<KeptSession .*": "for a log of programmers",
    "# Servers met over TLS: .*": "the head of a file, the same for every language that opens it",
    "h10, 10h, th, ♥10, as, 9 of hearts": "cards as they are typed",
}
"""Patterns of what else is no sentence of this program's, and why."""


def sentences(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and text of each literal of two words or more that no catalogue is asked for."""
    passed: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            passed |= {id(each.value) for each in node.body if isinstance(each, ast.Expr)}
            if getattr(node, "name", "") in FOR_AUTHORS:
                passed |= {id(each) for each in ast.walk(node)}
        elif isinstance(node, ast.Call) and called(node) in TRANSLATING | FOR_PROGRAMMERS:
            passed |= {id(each) for each in ast.walk(node)}
    for node in ast.walk(tree):
        if id(node) in passed:
            continue
        if isinstance(node, ast.JoinedStr):
            passed |= {id(each) for each in node.values}
            parts = [str(each.value) if isinstance(each, ast.Constant) else "{}" for each in node.values]
            text = "".join(parts)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        else:
            continue
        if re.search(r"[A-Za-z]{2,}[,:;]? [A-Za-z]{2,}|\{\} ms\b", text):
            yield node.lineno, text


def called(call: ast.Call) -> str:
    """The last name of what is called."""
    function = call.func
    return function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")


def left_in(path: Path) -> list[str]:
    """The sentences of a module that are neither translated nor an exception."""
    found = sentences(ast.parse(path.read_text(encoding="utf-8")))
    return [
        f"{path.relative_to(SOURCE)}:{line}: {text}"
        for line, text in found
        if not any(re.fullmatch(pattern, text, re.DOTALL) for pattern in EXCEPTIONS)
    ]


def modules() -> list[Path]:
    """Every module but those whose sentences are in English."""
    return [path for path in sorted(SOURCE.rglob("*.py")) if path.relative_to(SOURCE).parts[0] not in ELSEWHERE]


def test_every_sentence_that_a_person_reads_is_asked_of_the_catalogue() -> None:
    assert len(modules()) > 90
    left = [sentence for path in modules() for sentence in left_in(path)]
    assert left == []


def test_a_sentence_beside_the_catalogue_would_be_found() -> None:
    source = (
        'def warn(path):\n    """To nobody."""\n    print(f"{path} cannot be read")\n    print("Try again now")'
    )
    assert [text for _, text in sentences(ast.parse(source))] == ["{} cannot be read", "Try again now"]
    translated = 'print(_("{path} cannot be read").format(path=1), plural("one card", "many cards", 2))'
    assert list(sentences(ast.parse(translated))) == []


def test_every_exception_is_needed() -> None:
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in modules()]
    texts = [text for tree in trees for _, text in sentences(tree)]
    unneeded = [
        pattern for pattern in EXCEPTIONS if not any(re.fullmatch(pattern, text, re.DOTALL) for text in texts)
    ]
    assert unneeded == []
    assert all((SOURCE / name).exists() for name in ELSEWHERE)


def test_lists_and_clauses_are_joined_as_the_language_does() -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in modules() if path.name != "language.py"}
    assert [path.name for path, text in texts.items() if re.search(r"\"[,;] \"(\.join| \+)", text)] == []
