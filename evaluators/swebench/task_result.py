"""What was collected of one task, and the report that follows from it."""

from functools import cached_property
from typing import ClassVar, Self

from pydantic import model_validator

from assay.evaluators.canonical import Json, digest
from assay.evaluators.decision import Decision
from assay.evaluators.errors import AssayError
from assay.evaluators.metric import Metric
from assay.evaluators.open_map import OpenMap
from assay.evaluators.record import Record
from assay.evaluators.report import Report
from assay.evaluators.score import Score
from assay.evaluators.swebench.errors import InvalidArtifacts, NoGrade
from assay.evaluators.swebench.failure import Failure
from assay.evaluators.swebench.identity import HARNESS_REVISION, digest_of
from assay.evaluators.swebench.official_report import OfficialReport
from assay.evaluators.swebench.outcome import Outcome, Status
from assay.evaluators.swebench.task import Task

NO_PATCH = digest_of(b"")
"""The digest of the empty patch."""


class TaskResult(Record):
    """The files of one task, in digests, with the official report where there is a usable one.

    Attributes:
        run_id: The run in which the harness graded.
        selection_digest: The tasks that were selected.
        task: The task.
        candidate_digest: The digest of the patch that was handed in; None without a prediction.
        report_digest: The digest of exactly the bytes of the harness's report; None without one.
        official: The harness's report, if it is usable.
        error: Why there is no usable report of a patch that was handed in.
        failure: What the harness thinks of the failure; changes nothing.

    Raises:
        InvalidArtifacts: when the members contradict each other.
    """

    category: ClassVar[type[AssayError]] = InvalidArtifacts

    run_id: str
    selection_digest: str
    task: Task
    candidate_digest: str | None = None
    report_digest: str | None = None
    official: OfficialReport | None = None
    error: AssayError | None = None
    failure: Failure | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.official is not None and self.official.instance_id != self.task.instance_id:
            raise self.refuse("official: expected the report on the result's own task")
        if self.official is not None and not self.completed:
            raise self.refuse("report_digest: expected one beside the official report")
        if self.completed and self.candidate_digest in {None, NO_PATCH}:
            raise self.refuse("report_digest: expected none where no patch was handed in")
        if (self.error is not None) != (self.status == "error"):
            raise self.refuse("error: expected one exactly where a patch has no official report")
        return self

    @property
    def completed(self) -> bool:
        """True if the harness wrote a report, be it unusable."""
        return self.report_digest is not None

    @property
    def status(self) -> Status:
        """What became of the task; only the official report resolves or leaves unresolved."""
        if self.official is not None:
            return "resolved" if self.official.resolved else "unresolved"
        if self.candidate_digest is None:
            return "missing_prediction"
        return "empty_patch" if self.candidate_digest == NO_PATCH else "error"

    @property
    def outcome(self) -> Outcome:
        """The part that is counted."""
        return Outcome(self.task.instance_id, self.status, completed=self.completed)

    @cached_property
    def grade_id(self) -> str:
        """The digest of everything that the grade rests on; empty without an official report."""
        if self.official is None:
            return ""
        parts = (
            self.run_id,
            self.selection_digest,
            self.task.digest,
            HARNESS_REVISION,
            self.candidate_digest or "",
            self.report_digest or "",
        )
        return digest("".join(parts))  # Each has a fixed length, so nothing need stand between.

    def report(self) -> Report:
        """The official grade as a report: score 1 and pass, or 0 and fail.

        Raises:
            NoGrade: there is no official report; never a fabricated zero. The recorded error is the
                cause, or the message names the status.
        """
        if self.official is None:
            raise NoGrade(
                f"{self.task.instance_id}: no official grade: {self._why}"
            ) from self.error
        parameters = OpenMap.of({"harness_revision": HARNESS_REVISION})
        return Report(
            metric=Metric(namespace="swebench", name="resolved", parameters=parameters),
            score=Score(1 if self.official.resolved else 0),
            decision=Decision(
                policy="swebench/resolved",
                verdict="pass" if self.official.resolved else "fail",
                parameters=parameters,
            ),
            metadata=OpenMap.of({"grade": self._grade()}),
        )

    @property
    def _why(self) -> str:
        return self.status if self.error is None else str(self.error)

    def _grade(self) -> dict[str, Json]:
        grade: dict[str, Json] = {
            "id": self.grade_id,
            "run_id": self.run_id,
            "selection_digest": self.selection_digest,
            "task": self.task.wire(),
            "candidate_digest": self.candidate_digest,
            "report_digest": self.report_digest,
        }
        if self.failure is not None:
            # The reference spells these two with capitals, and others read them so.
            grade["failure"] = {"Kind": self.failure.kind, "Reason": self.failure.reason}
        return grade
