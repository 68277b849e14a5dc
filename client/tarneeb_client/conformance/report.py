"""Results as a person reads them, and as JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from textwrap import fill

from tarneeb_client.conformance.outcome import Result, Verdict
from tarneeb_protocol.text import harmless

WIDTH = 100
_MARKS = {Verdict.PASSED: "passed", Verdict.FAILED: "FAILED", Verdict.NOT_TESTED: "not tested"}
LONGEST_SEEN = 600


def print_for_people(results: Sequence[Result], say: Callable[[str], None]) -> None:
    """One line a check, by subject; what was seen, and what the document says, under those that failed."""
    subject = ""
    for result in results:
        if result.subject != subject:
            subject = result.subject
            say(subject)
        ids = f"  {' '.join(result.proves)}" if result.proves else ""
        say(f"  {_MARKS[result.verdict]:<10}  {result.name}{ids}")
        if result.verdict is not Verdict.PASSED:
            _explain("seen" if result.verdict is Verdict.FAILED else "why", result.seen, say)
        if result.verdict is Verdict.FAILED:
            _explain("says", result.says, say)
    say(summary(results))


def _explain(label: str, text: str, say: Callable[[str], None]) -> None:
    shown = harmless(text)
    if len(shown) > LONGEST_SEEN:
        shown = shown[:LONGEST_SEEN] + " …"
    indent = " " * 14
    filled = fill(shown, WIDTH, initial_indent=f"{indent}{label}: ", subsequent_indent=indent + "      ")
    for line in filled.splitlines():
        say(line)


def summary(results: Sequence[Result]) -> str:
    """How many of each verdict."""
    counts = Counter(result.verdict for result in results)
    return ", ".join(f"{counts[verdict]} {verdict.value}" for verdict in Verdict)


def print_json(results: Sequence[Result], say: Callable[[str], None]) -> None:
    """One JSON object with every result, in ASCII."""
    counts = Counter(result.verdict for result in results)
    say(
        json.dumps(
            {
                "counts": {verdict.value.replace(" ", "_"): counts[verdict] for verdict in Verdict},
                "results": [result.as_fields() for result in results],
            },
            indent=1,
        )
    )
