"""What a run's journal says of cases whose payloads were erased."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from assay.tasks.store.json_file import JsonRecord
from assay.tasks.store.seal import Seal

BEGUN = "forget"
"""The kind of the fact that is there before anything is erased."""

ENDED = "forgotten"
"""The kind of the fact that says what was erased."""


ALL = "all"
"""Stands for every case of the run."""


@dataclass(frozen=True, slots=True)
class Forgotten:
    """One erasure.

    Attributes:
        cases: Ids of the cases; None for all that the run has.
        files: By path within the run, the digest of a file as the erasure leaves it.
        seals: By path of the folder within the run, the seal of what is left of the erased rows;
            empty while the erasure has not ended.
        plan_digest: The digest of the plan before the erasure.
        ended: Nothing is left to be erased.
    """

    cases: frozenset[str] | None
    files: Mapping[str, str]
    seals: Mapping[str, Seal]
    plan_digest: str
    ended: bool

    def holds(self, case_id: str) -> bool:
        """True if the case was forgotten."""
        return self.cases is None or case_id in self.cases

    @classmethod
    def from_fact(cls, fact: JsonRecord) -> "Forgotten":
        """The erasure that a fact tells of."""
        cases = fact.get("cases")
        seals = {name: Seal.from_wire(one) for name, one in _members(fact.get("seals"))}
        return cls(
            cases=None if cases == ALL else frozenset(map(str, _items(cases))),
            files={name: str(digest) for name, digest in _members(fact.get("files"))},
            seals={name: seal for name, seal in seals.items() if seal is not None},
            plan_digest=str(fact.get("plan_digest")),
            ended=fact.get("kind") == ENDED,
        )


def read_forgotten(facts: Iterable[JsonRecord]) -> tuple[Forgotten, ...]:
    """The erasures that a journal tells of, the oldest first."""
    return tuple(Forgotten.from_fact(fact) for fact in facts if fact.get("kind") in {BEGUN, ENDED})


def _items(value: object) -> Iterable[object]:
    return value if isinstance(value, list) else ()


def _members(value: object) -> Iterable[tuple[str, object]]:
    return [(str(name), one) for name, one in value.items()] if isinstance(value, dict) else []
