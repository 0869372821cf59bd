"""Something in the store that is not as it should be."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from typing_extensions import override

ProblemKind = Literal[
    "damaged",
    "foreign",
    "plan",
    "digest",
    "unknown_trial",
    "duplicate",
    "dangling",
    "contradiction",
    "summary",
    "forgotten",
]
"""What is wrong: a file that cannot be read or does not belong here, a plan that contradicts
itself, content that is not what its digest was made of, rows that fit no trial, double rows that
differ, a reference to what is not there, a row that contradicts itself or its grading, a summary
of other rows, a payload that should be erased."""

_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem, found by `verify_store`.

    Attributes:
        kind: What is wrong, one word.
        place: The file, folder or run.
        message: The rest of the sentence, with what to do.
    """

    kind: ProblemKind
    place: str
    message: str

    @classmethod
    def of(cls, error: Exception, *, place: str) -> "Problem":
        """The problem that something at the place, or within, cannot be read."""
        within, colon, rest = str(error).partition(": ")
        if colon and within.startswith(place):
            return cls("damaged", within, rest)
        return cls("damaged", place, str(error))

    @override
    def __str__(self) -> str:
        return f"{self.place}: {self.message}"

    def payload(self) -> dict[str, object]:
        """The machine form."""
        return {"kind": self.kind, "place": self.place, "message": self.message}


@dataclass(frozen=True, slots=True)
class Flaw:
    """A problem of one row: what is wrong, and of which trial the row is.

    Attributes:
        kind: As for `Problem`.
        message: A sentence that can be said of several rows, without its subject.
        trial: `case#repeat`, and the assessment where there is one.
    """

    kind: ProblemKind
    message: str
    trial: str


def summed_up(flaws: Sequence[Flaw], place: str) -> list[Problem]:
    """The flaws of a file's rows, one problem a message: how many rows, and which are the first."""
    groups: dict[tuple[ProblemKind, str], list[str]] = {}
    for flaw in flaws:
        groups.setdefault((flaw.kind, flaw.message), []).append(flaw.trial)
    return [
        Problem(kind, place, f"{message}: {_listed(trials)}")
        for (kind, message), trials in groups.items()
    ]


def _listed(trials: Sequence[str]) -> str:
    shown = ", ".join(trial[:80] for trial in dict.fromkeys(trials[:_SHOWN]))
    more = len(trials) - _SHOWN
    return f"{shown} and {more} more" if more > 0 else shown
