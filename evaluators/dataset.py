"""Ordered cases with unique ids, and the identity of the selection."""

import unicodedata
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import ClassVar, Self

from pydantic import model_validator
from typing_extensions import override

from assay.evaluators.canonical import WHITE_SPACE, digest
from assay.evaluators.case import Case
from assay.evaluators.errors import AssayError, InvalidCase, InvalidDataset
from assay.evaluators.record import Items, Record, require_text


class Dataset(Record):
    """The cases of an experiment, in declaration order; there may be none.

    Attributes:
        cases: Cases whose ids are unique, also after Unicode normalisation and trimming.
        fixture: The identity that the host gives, or empty: then the content decides.
        name: For people.

    Raises:
        InvalidDataset: when a rule is broken; a bad case stands in the cause.

    Examples:
        >>> data = Dataset(cases=[Case(id="a", input=1), Case(id="b", input=2)])
        >>> len(data), data.fixture_id == Dataset(cases=data.cases).fixture_id
        (2, True)
    """

    category: ClassVar[type[AssayError]] = InvalidDataset
    field_categories: ClassVar[dict[str, type[AssayError]]] = {"cases": InvalidCase}

    cases: Items[Case]
    fixture: str = ""
    name: str = ""

    @model_validator(mode="after")
    def _check(self) -> Self:
        require_text(self.fixture, "dataset.fixture", InvalidDataset, empty=True)
        clash = find_clash([case.id for case in self.cases])
        if clash is not None:
            first, second = clash
            raise self.refuse(
                f"dataset: expected unique ids, got {self.cases[second].id[:60]!r} at position "
                f"{second + 1}, which equals the id at position {first + 1}"
            )
        return self

    def __len__(self) -> int:
        return len(self.cases)

    @override
    def __iter__(self) -> Iterator[Case]:  # type: ignore[override]  # not the fields' names
        return iter(self.cases)

    @cached_property
    def fixture_id(self) -> str:
        """The host's identity, or the digest of all cases in order.

        Raises:
            NotJson: when an input has no JSON form and the host gave no identity.
        """
        return self.fixture or digest("\n".join(case.digest for case in self.cases))


def comparable_id(identity: str) -> str:
    """The id as clash checks see it: NFC, without white space at the ends."""
    return unicodedata.normalize("NFC", identity).strip(WHITE_SPACE)


def find_clash(ids: Sequence[str]) -> tuple[int, int] | None:
    """The positions of the first two ids that are equal after normalisation, or None."""
    first_seen: dict[str, int] = {}
    for position, identity in enumerate(ids):
        earlier = first_seen.setdefault(comparable_id(identity), position)
        if earlier != position:
            return earlier, position
    return None
