"""A grading as it can be given away: canonical, byte for byte the same each time, nothing quoted.

It holds digests, numbers, names and closed words. It does not hold inputs, answers, expected
values, metadata, conversations, feedback, messages of findings, excerpts, error texts, or the
settings of target and evaluators, for which their digests stand.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from typing import Annotated, ClassVar, Literal, Self, get_args

from pydantic import Field, model_validator

from assay.evaluators.assessment import Status
from assay.evaluators.canonical import parse, write
from assay.evaluators.case import LONGEST_ID
from assay.evaluators.descriptor import Method
from assay.evaluators.errors import AssayError, InvalidReport
from assay.evaluators.finding import LONGEST_NAME
from assay.evaluators.record import Items
from assay.tasks.redacted_sample import Count, Digest, Redacted, RedactedSample

LARGEST_BYTES = 64 << 20
"""A larger report is neither written nor read."""

VERSION = "assay.report/v1"

Moment = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$")]


class RedactedTarget(Redacted):
    """Who was under test; where it was reached is part of the digest alone."""

    names: ClassVar[dict[str, int]] = {"kind": LONGEST_NAME, "revision": LONGEST_ID}

    kind: str
    revision: str
    digest: Digest


class RedactedEvaluator(Redacted):
    """Who judged under an assessment's id.

    Attributes:
        assessment: Id of the result.
        case_id: The case that declares it beside the suite; None for one of the suite.
        digest: Of the evaluator's identity, its configuration included.
    """

    names: ClassVar[dict[str, int]] = {
        "assessment": LONGEST_ID,
        "case_id": LONGEST_ID,
        "name": LONGEST_NAME,
        "revision": LONGEST_NAME,
    }

    assessment: str
    case_id: str | None
    name: str
    revision: str
    method: Method
    digest: Digest


class RedactedSummary(Redacted):
    """Counts alone: a rate would need the policy of whoever reads it.

    Attributes:
        planned: Trials.
        receipts: Trials with a receipt.
        target_failed: Trials whose attempts were used up.
        not_run: Trials that never started.
        grades: Grades by their status, every status named.
        passed: Grades that passed.
        failed: Grades that failed.
    """

    planned: Count
    receipts: Count
    target_failed: Count
    not_run: Count
    grades: dict[Status, Count]
    passed: Count
    failed: Count

    @classmethod
    def of(cls, samples: Iterable[RedactedSample]) -> Self:
        """The counts of these samples."""
        trials = list(samples)
        grades = [grade for sample in trials for grade in sample.grades]
        statuses = Counter(grade.status for grade in grades)
        verdicts = Counter(grade.answer.verdict for grade in grades if grade.answer is not None)
        receipts = sum(sample.has_receipt for sample in trials)
        not_run = sum(sample.execution is None for sample in trials)
        return cls(
            planned=len(trials),
            receipts=receipts,
            target_failed=len(trials) - receipts - not_run,
            not_run=not_run,
            grades={status: statuses[status] for status in get_args(Status)},
            passed=verdicts["pass"],
            failed=verdicts["fail"],
        )


class RedactedReport(Redacted):
    """One grading of a run, redacted, and valid as a whole.

    Attributes:
        experiment: Name of the experiment.
        fixture_id: Identity of the cases.
        plan: Digest of the plan's file when the grading began; None where it was not noted.
        settings: Digest of the experiment's settings.
        created_at: When the run was planned, UTC.
        graded_at: When the grading began, UTC.
        evaluators: Who judged, in the order of the suite, then by case.
        samples: Every planned trial, in the order of case id and repeat.
        summary: The counts of the samples.

    Raises:
        InvalidReport: when a rule is broken.
    """

    names: ClassVar[dict[str, int]] = dict.fromkeys(
        ("run_id", "grading_id", "experiment", "fixture_id"), LONGEST_ID
    )

    run_id: str
    grading_id: str
    experiment: str
    fixture_id: str
    target: RedactedTarget
    plan: Digest | None
    settings: Digest
    repeats: Annotated[int, Field(ge=1)]
    created_at: Moment
    graded_at: Moment
    evaluators: Items[RedactedEvaluator]
    samples: Items[RedactedSample]
    summary: RedactedSummary

    @model_validator(mode="after")
    def _check(self) -> Self:
        if not (self.run_id and self.grading_id):
            raise self.refuse("expected the ids of a run and a grading")
        self._check_order()
        self._check_evaluators()
        if self.summary != RedactedSummary.of(self.samples):
            raise self.refuse("summary: expected the counts of the samples")
        return self

    def _check_order(self) -> None:
        trials = [(sample.case_id, sample.repeat) for sample in self.samples]
        if any(one >= other for one, other in pairwise(trials)):
            raise self.refuse("samples: expected each trial once, by case id and repeat")
        if sorted(sample.index for sample in self.samples) != list(range(len(trials))):
            raise self.refuse("samples: expected each place of the plan once")
        if any(sample.repeat >= self.repeats for sample in self.samples):
            raise self.refuse("samples: expected repeats as they were planned")
        cases = {(sample.case_id, sample.case, sample.input) for sample in self.samples}
        if len(cases) != len({case_id for case_id, _, _ in cases}):
            raise self.refuse("samples: expected one content of each case")

    def _check_evaluators(self) -> None:
        declared = {(one.case_id, one.assessment): one.digest for one in self.evaluators}
        if len(declared) != len(self.evaluators):
            raise self.refuse("evaluators: expected each assessment once")
        for sample in self.samples:
            expected = {
                assessment: digest
                for (case_id, assessment), digest in declared.items()
                if case_id in {None, sample.case_id}
            }
            graded = {grade.assessment: grade.evaluator for grade in sample.grades}
            if sample.has_receipt and graded != expected:
                message = (
                    "samples: expected of each receipt the declared grades, by their evaluators"
                )
                raise self.refuse(message)


def encode_report(report: RedactedReport) -> str:
    """The canonical JSON text of a report, a line.

    Raises:
        InvalidReport: it would be larger than 64 MiB.
    """
    text = write({"version": VERSION, "report": report}) + "\n"
    _require_size(len(text.encode()))
    return text


def decode_report(text: str | bytes) -> RedactedReport:
    """The report that a text spells, wholly validated; `encode_report` gives the canonical text.

    Raises:
        InvalidReport: it is larger than 64 MiB, not exactly one strict JSON value, of another
            version, has a member that is unknown, missing or double, or breaks a rule.
    """
    content = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    _require_size(len(content))
    try:
        tree = parse(content)
        envelope = _Envelope.members(tree, ("version", "report"), "report")
    except AssayError as error:
        message = f"report: {error}"
        raise InvalidReport(message) from error
    if envelope.get("version") != VERSION:
        message = f"report: expected the version {VERSION}"
        raise InvalidReport(message)
    return _Envelope.model_validate_json(content).report


class _Envelope(Redacted):
    version: Literal["assay.report/v1"]
    report: RedactedReport


def _require_size(size: int) -> None:
    if size > LARGEST_BYTES:
        message = (
            f"report: expected at most {LARGEST_BYTES >> 20} MiB, got {size >> 20} MiB; "
            "jsonl and parquet have no limit"
        )
        raise InvalidReport(message)
