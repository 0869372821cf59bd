"""What the harness made of a submission, task by task."""

from collections.abc import Callable
from functools import cached_property
from typing import ClassVar, Self

from pydantic import model_validator

from assay.evaluators.case import Case
from assay.evaluators.dataset import Dataset
from assay.evaluators.errors import AssayError
from assay.evaluators.record import Items, Record
from assay.evaluators.swebench.errors import ArtifactMismatch, InvalidArtifacts, NoGrade
from assay.evaluators.swebench.identity import digest_of
from assay.evaluators.swebench.layout import patch_path, report_path, results_path
from assay.evaluators.swebench.official_report import OfficialReport
from assay.evaluators.swebench.prediction import Prediction
from assay.evaluators.swebench.reconciliation import require_reconciled
from assay.evaluators.swebench.run_results import RunResults
from assay.evaluators.swebench.run_summary import RunSummary
from assay.evaluators.swebench.submission import Submission
from assay.evaluators.swebench.task import Task
from assay.evaluators.swebench.task_result import TaskResult

ReadArtifact = Callable[[str], bytes | None]
"""The bytes of the file at a path below the harness's folder, None where there is no such file.

It raises InvalidArtifacts where it cannot tell.
"""


class Collection(Record):
    """One result for each selected task, and the harness's totals, which agree with them.

    Nothing that a candidate printed is looked at, neither its output nor its logs: only the
    official report resolves a task.

    Attributes:
        submission: What was handed in.
        results: What became of it, in the order of the tasks.
        totals: The harness's own totals.

    Raises:
        InvalidArtifacts: when the three do not belong together.
    """

    category: ClassVar[type[AssayError]] = InvalidArtifacts

    submission: Submission
    results: Items[TaskResult]
    totals: RunResults

    @model_validator(mode="after")
    def _check(self) -> Self:
        if tuple(one.task for one in self.results) != self.submission.selection.tasks:
            raise self.refuse("results: expected one for each selected task, in their order")
        if not all(self._belongs(one) for one in self.results):
            raise self.refuse(
                "results: expected those of the submission, with the harness's advice"
            )
        require_reconciled(self.totals, [one.outcome for one in self.results])
        return self

    def _belongs(self, result: TaskResult) -> bool:
        name = result.task.instance_id
        prediction = self.submission.by_id.get(name)
        return (
            result.run_id == self.submission.run_id
            and result.selection_digest == self.submission.selection.digest
            and result.candidate_digest == (prediction and prediction.digest)
            and result.failure == self.totals.failures.get(name)
        )

    @classmethod
    def gather(cls, submission: Submission, read: ReadArtifact) -> Self:
        """The collection of what lies in the harness's folder.

        Args:
            submission: What was handed in.
            read: Reads a file below the folder that the harness worked in.

        Raises:
            ArtifactMismatch: a file belongs to another patch or task.
            InvalidArtifacts: a file cannot be read, or the totals are absent, break their form or
                differ from the tasks.
        """
        results = tuple(_collect(submission, task, read) for task in submission.selection.tasks)
        totals = _read_totals(submission, read)
        classified = tuple(_classified(one, totals) for one in results)
        try:
            return cls(submission=submission, results=classified, totals=totals)
        except InvalidArtifacts as error:
            where = results_path(submission)
            raise cls.refuse(f"{where}: {error}{_unexpected_error(results, totals)}") from error

    @cached_property
    def summary(self) -> RunSummary:
        """The totals of the results."""
        return RunSummary.of(self.results)

    def dataset(self) -> Dataset:
        """The results as the subjects of an experiment, under the identity of the selection."""
        return Dataset(
            cases=tuple(Case(id=one.task.instance_id, input=one) for one in self.results),
            fixture=self.submission.selection.digest,
        )


def _collect(submission: Submission, task: Task, read: ReadArtifact) -> TaskResult:
    prediction = submission.by_id.get(task.instance_id)
    known: dict[str, object] = {
        "run_id": submission.run_id,
        "selection_digest": submission.selection.digest,
        "task": task,
        "candidate_digest": None if prediction is None else prediction.digest,
    }
    if prediction is not None and prediction.patch:
        known.update(_artifacts(submission, prediction, read))
    return TaskResult.model_validate(known)


def _artifacts(
    submission: Submission, prediction: Prediction, read: ReadArtifact
) -> dict[str, object]:
    place = patch_path(submission, prediction.instance_id)
    patch = read(place)
    if patch is not None and patch != prediction.patch.encode("utf-8"):
        raise ArtifactMismatch(f"{place}: expected the submitted patch, got another one")
    content = read(report_path(submission, prediction.instance_id))
    if content is None:
        return {"error": NoGrade("the harness wrote no report")}
    if patch is None:
        raise ArtifactMismatch(f"{place}: expected the submitted patch beside the report")
    return {"report_digest": digest_of(content), **_read_report(submission, prediction, content)}


def _read_report(
    submission: Submission, prediction: Prediction, content: bytes
) -> dict[str, object]:
    try:
        return {"official": OfficialReport.decode(content, prediction.instance_id)}
    except ArtifactMismatch as error:
        place = report_path(submission, prediction.instance_id)
        raise ArtifactMismatch(f"{place}: {error}") from error
    except InvalidArtifacts as error:
        return {"error": error}


def _read_totals(submission: Submission, read: ReadArtifact) -> RunResults:
    place = results_path(submission)
    content = read(place)
    if content is None:
        raise InvalidArtifacts(
            f"{place}: expected a file, found none; let the harness finish first"
        )
    try:
        return RunResults.decode(content)
    except InvalidArtifacts as error:
        raise InvalidArtifacts(f"{place}: {error}") from error


def _unexpected_error(results: tuple[TaskResult, ...], totals: RunResults) -> str:
    """What is wrong with the first report that the harness itself found nothing wrong with."""
    for one in results:
        if one.completed and one.error and one.task.instance_id not in totals.error_ids:
            return f"; the report on {one.task.instance_id[:60]!r} is unusable: {one.error}"
    return ""


def _classified(result: TaskResult, totals: RunResults) -> TaskResult:
    failure = totals.failures.get(result.task.instance_id)
    if failure is None:
        return result
    members = {name: getattr(result, name) for name in TaskResult.model_fields}
    return TaskResult.model_validate({**members, "failure": failure})
