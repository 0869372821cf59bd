"""What one attempt of one model hands in, and the identity of its run."""

from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from typing import ClassVar, Self

from pydantic import model_validator

from assay.evaluators.canonical import digest, spell
from assay.evaluators.errors import AssayError
from assay.evaluators.record import Items, Record, require_text
from assay.evaluators.swebench.errors import InvalidSelection, InvalidSubmission
from assay.evaluators.swebench.identity import HARNESS_REVISION, require_component
from assay.evaluators.swebench.prediction import Prediction
from assay.evaluators.swebench.selection import Selection


class Submission(Record):
    """At most one prediction for each selected task, under a run id of its own.

    To let the harness grade the same patches again, give the attempt a new id: the harness skips
    what it finds graded under a run id.

    Attributes:
        selection: The tasks.
        model: Name of the model, such as `vendor/agent`; the harness files it with `__` for `/`.
        attempt_id: Tells attempts with equal patches apart.
        predictions: Patches, kept in the order of their tasks, in whatever order they came. A
            selected task that has none is a missing prediction.

    Raises:
        InvalidSubmission: when a rule is broken.
    """

    category: ClassVar[type[AssayError]] = InvalidSubmission
    field_categories: ClassVar[dict[str, type[AssayError]]] = {"selection": InvalidSelection}

    selection: Selection
    model: str
    attempt_id: str
    predictions: Items[Prediction] = ()

    @model_validator(mode="after")
    def _check(self) -> Self:
        require_text(self.model, "submission.model", InvalidSubmission)
        require_component(self.folder, "submission.model, with '__' for '/'", InvalidSubmission)
        require_text(self.attempt_id, "submission.attempt_id", InvalidSubmission)
        self._check_ids([one.instance_id for one in self.predictions])
        in_order = tuple(sorted(self.predictions, key=lambda one: one.instance_id))
        object.__setattr__(self, "predictions", in_order)
        return self

    def _check_ids(self, ids: list[str]) -> None:
        place = "submission.predictions: expected"
        selected = set(self.selection.ids)
        for name, count in Counter(ids).items():
            if count > 1:
                raise self.refuse(f"{place} one for a task, got {count} for {name[:60]!r}")
            if name not in selected:
                raise self.refuse(f"{place} selected tasks, got {name[:60]!r}")

    @property
    def folder(self) -> str:
        """The name of the folder in which the harness files this model's results."""
        return self.model.replace("/", "__")

    @cached_property
    def by_id(self) -> Mapping[str, Prediction]:
        """The predictions by the ids of their tasks."""
        return {one.instance_id: one for one in self.predictions}

    @cached_property
    def run_id(self) -> str:
        """The 64 hexadecimal digits that name the run: a digest of everything handed in.

        The model's name takes part as it is, so `vendor/agent` and `vendor__agent` differ although
        the harness files both alike.
        """
        content = {
            "selection": self.selection.digest,
            "harness_revision": HARNESS_REVISION,
            "model": self.model,
            "attempt_id": self.attempt_id,
            "predictions": [
                {"instance_id": one.instance_id, "model_patch": one.patch}
                for one in self.predictions
            ],
        }
        return digest(spell(content)).removeprefix("sha256:")
