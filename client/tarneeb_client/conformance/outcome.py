"""What a check is, and what can come of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Generic, TypeVar


class Failed(Exception):
    """The other end broke the requirement; the text says what was seen."""


class NotTested(Exception):
    """The requirement could not be put to the test here; the text says why."""


CONFUSED = (KeyError, IndexError, TypeError, ValueError, AttributeError)
"""What reading nonsense raises."""


class Verdict(Enum):
    """What came of a check."""

    PASSED = "passed"
    """The requirement was met wherever the check looked."""
    FAILED = "failed"
    """It was broken."""
    NOT_TESTED = "not tested"
    """It could not be put to the test."""


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one check. ``seen`` is what was seen, or why nothing was tested; empty when passed."""

    subject: str
    name: str
    proves: tuple[str, ...]
    says: str
    verdict: Verdict
    seen: str = ""

    def as_fields(self) -> dict[str, object]:
        """The result as one JSON object."""
        return {
            "subject": self.subject,
            "check": self.name,
            "requirements": list(self.proves),
            "verdict": self.verdict.value.replace(" ", "_"),
            "seen": self.seen,
            "says": self.says,
        }


Ground = TypeVar("Ground")
"""What a check is given: a probe of a server, or a stage for a client."""


@dataclass(frozen=True, slots=True)
class Check(Generic[Ground]):
    """One check. ``says`` is what the protocol's document asks; ``proves`` are the numbers it has there;
    ``seconds`` is how long it may take.
    """

    subject: str
    name: str
    says: str
    proves: tuple[str, ...]
    seconds: float
    run: Callable[[Ground], Awaitable[None]]

    def result(self, verdict: Verdict, seen: str = "") -> Result:
        """What came of it."""
        return Result(self.subject, self.name, self.proves, self.says, verdict, seen)


@dataclass(slots=True)
class Subject(Generic[Ground]):
    """The checks of one subject, in the order in which they are written."""

    name: str
    checks: list[Check[Ground]] = field(default_factory=list)

    def check(
        self, *proves: str, seconds: float = 10.0
    ) -> Callable[[Callable[[Ground], Awaitable[None]]], Callable[[Ground], Awaitable[None]]]:
        """Make a function a check. Its name is the check's, its docstring what the document asks."""

        def register(run: Callable[[Ground], Awaitable[None]]) -> Callable[[Ground], Awaitable[None]]:
            says = " ".join((run.__doc__ or "").split())
            name = run.__name__.replace("_", " ")
            self.checks.append(Check(self.name, name, says, proves, seconds, run))
            return run

        return register
