"""One case as a file wrote it, before it is judged."""

from collections.abc import Callable
from dataclasses import dataclass, field

from assay.evaluators.canonical import Json
from assay.evaluators.errors import InputError
from assay.tasks.documents.places import KeyPath

DATASET = "dataset"
"""The kind that errors about datasets carry."""


@dataclass(frozen=True, slots=True)
class CaseRow:
    """The members of a case, and how to say where they stand.

    Attributes:
        members: The members as strict JSON trees; what the file left out is absent.
        place: The place of the case, or of the value at a path below it.
    """

    members: dict[str, Json]
    place: Callable[[KeyPath], str] = field(repr=False)

    def refusal(self, message: str, *path: str | int) -> InputError:
        """The error that says what is wrong with the case or with the value at the path."""
        return InputError(message, place=self.place(path), kind=DATASET)


@dataclass(frozen=True, slots=True)
class CaseRows:
    """What a dataset file holds.

    Attributes:
        rows: The cases in file order.
        name: The name that the file gives the dataset, or empty.
    """

    rows: tuple[CaseRow, ...]
    name: str = ""
