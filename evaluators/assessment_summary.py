"""What one assessment found over all trials: statuses, and one entry per observation."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import polars as pl

from assay.evaluators.assessment import Status
from assay.evaluators.distribution import EMPTY, Distribution, Payload
from assay.evaluators.errors import InvalidReport
from assay.evaluators.grading import STATUSES, Grading
from assay.evaluators.metric import Metric
from assay.evaluators.observation import Observation

_ENTRY = ("assessment", "observation")


@dataclass(frozen=True, slots=True)
class MetricSummary:
    """What one assessment observed of one metric, over its completed grades.

    Attributes:
        assessment_id: The assessment.
        observation: The metric and the metrics of the details.
        digest: The digest of the observation.
        evaluated: Completed grades: the sum of the next three.
        passed: Grades whose own verdict is pass.
        failed: Grades whose own verdict is fail.
        unjudged: Grades that decided nothing.
        scores: How the scores are spread, of the grades that have one.
        measurements: How the measurements are spread, of the grades that have one.
        labels: How often each label was given, the most frequent first.
    """

    assessment_id: str
    observation: Observation
    digest: str
    evaluated: int = 0
    passed: int = 0
    failed: int = 0
    unjudged: int = 0
    scores: Distribution = EMPTY
    measurements: Distribution = EMPTY
    labels: Mapping[str, int] = field(default_factory=dict)

    @property
    def metric(self) -> Metric:
        """What was calculated."""
        return self.observation.metric

    @property
    def details(self) -> tuple[Observation, ...]:
        """What the details of the reports calculated."""
        return self.observation.details

    def payload(self) -> Payload:
        """The machine form."""
        return {
            "metric": str(self.metric),
            "passed": self.passed,
            "not_passed": self.failed,
            "unjudged": self.unjudged,
            "score": self.scores.payload(),
            "measurement": self.measurements.payload(),
            "labels": dict(self.labels),
        }


@dataclass(frozen=True, slots=True)
class AssessmentSummary:
    """How often one assessment got where; there even if it never produced a report.

    Attributes:
        id: The assessment.
        declared: Planned trials that declare it: the sum of the counts.
        counts: How many trials each status has; a trial without a grade is not evaluated.
        lost: Of the trials without a grade, those that the target failed by its own doing and that
            count as failed; 0 for an assessment of single cases.
        metrics: An entry for each observation, in order of first appearance.
    """

    id: str
    declared: int
    counts: Mapping[Status, int]
    lost: int = 0
    metrics: tuple[MetricSummary, ...] = ()

    def count(self, status: Status) -> int:
        """How many trials have the status."""
        return self.counts.get(status, 0)

    @property
    def completed(self) -> int:
        """Trials with a report."""
        return self.count("completed")

    @property
    def incomplete(self) -> int:
        """Trials in which it is neither completed nor skipped."""
        return self.declared - self.completed - self.count("skipped")

    def payload(self) -> Payload:
        """The machine form: the first metric's numbers, the other metrics' under `metrics`.

        `passed`, `not_passed` and `unjudged` count all metrics and add up to `completed`; numbers
        of different metrics are never pooled.
        """
        first, *others = [metric.payload() for metric in self.metrics] or [_NOTHING]
        counted = {name: sum(_whole(one[name]) for one in (first, *others)) for name in _VERDICTS}
        return {
            "id": self.id,
            "metric": first["metric"],
            "metrics": others,
            **{status: self.count(status) for status in STATUSES},
            **counted,
            **{name: first[name] for name in ("score", "measurement", "labels")},
        }


_VERDICTS = ("passed", "not_passed", "unjudged")
_NOTHING: Payload = {
    "metric": None,
    **dict.fromkeys(_VERDICTS, 0),
    "score": None,
    "measurement": None,
    "labels": {},
}


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0


def assessment_summaries(
    grading: Grading, metrics: Sequence[MetricSummary], *, lost: int = 0
) -> tuple[AssessmentSummary, ...]:
    """A summary for each declared assessment, in declared order, holding its own metrics.

    Args:
        grading: Whose grades are counted.
        metrics: The grading's `metric_summaries`.
        lost: Trials that the target failed and that count as failed.
    """
    planned = grading.trials.height
    counts = _count_statuses(grading.grades)
    own: dict[str, list[MetricSummary]] = {}
    for metric in metrics:
        own.setdefault(metric.assessment_id, []).append(metric)
    return tuple(
        AssessmentSummary(
            id=identity,
            declared=grading.declared.get(identity, 0),
            counts=_with_missing(counts.get(identity, {}), grading.declared.get(identity, 0)),
            lost=lost if grading.declared.get(identity) == planned else 0,
            metrics=tuple(own.get(identity, ())),
        )
        for identity in grading.assessments
    )


def _count_statuses(grades: pl.DataFrame) -> dict[str, dict[Status, int]]:
    table = grades.lazy().group_by("assessment", "status").len().collect(engine="streaming")
    found: dict[str, dict[Status, int]] = {}
    for identity, status, count in table.iter_rows():
        found.setdefault(identity, {})[status] = count
    return found


def _with_missing(counts: dict[Status, int], declared: int) -> dict[Status, int]:
    missing = declared - sum(counts.values())
    filled = {status: counts.get(status, 0) for status in STATUSES}
    filled["not_evaluated"] += max(0, missing)
    return filled


def metric_summaries(grading: Grading) -> tuple[MetricSummary, ...]:
    """An entry per assessment and observation, in the order in which they first appeared."""
    completed = grading.grades.lazy().filter(pl.col("status") == "completed")
    entries = completed.group_by(_ENTRY).agg(
        order=pl.col("order").min(),
        evaluated=pl.len(),
        passed=(pl.col("verdict") == "pass").sum(),
        failed=(pl.col("verdict") == "fail").sum(),
    )
    scores, measurements = (_sorted_values(completed, name) for name in ("score", "measurement"))
    labels = _label_counts(completed)
    table = entries.collect(engine="streaming").sort("order")
    return tuple(
        MetricSummary(
            assessment_id=row["assessment"],
            observation=_observation(grading, row["observation"]),
            digest=row["observation"],
            evaluated=row["evaluated"],
            passed=row["passed"],
            failed=row["failed"],
            unjudged=row["evaluated"] - row["passed"] - row["failed"],
            scores=_spread(scores, row),
            measurements=_spread(measurements, row),
            labels=labels.get((row["assessment"], row["observation"]), {}),
        )
        for row in table.iter_rows(named=True)
    )


def _sorted_values(completed: pl.LazyFrame, name: str) -> dict[tuple[str, str], pl.Series]:
    """The present numbers of each entry, ascending."""
    present = completed.filter(pl.col(name).is_not_null())
    table = present.group_by(_ENTRY).agg(pl.col(name).sort()).collect(engine="streaming")
    keys: Iterator[tuple[str, str]] = table.select(_ENTRY).iter_rows()
    return dict(zip(keys, table[name], strict=True))


def _label_counts(completed: pl.LazyFrame) -> dict[tuple[str, str], dict[str, int]]:
    present = completed.filter(pl.col("label").is_not_null())
    table = present.group_by(*_ENTRY, "label").len().collect(engine="streaming")
    found: dict[tuple[str, str], dict[str, int]] = {}
    for *key, label, count in table.sort("len", "label", descending=[True, False]).iter_rows():
        found.setdefault((key[0], key[1]), {})[label] = count
    return found


def _spread(values: dict[tuple[str, str], pl.Series], row: Mapping[str, str]) -> Distribution:
    column = values.get((row["assessment"], row["observation"]))
    return EMPTY if column is None else Distribution.of_sorted(column)


def _observation(grading: Grading, digest: str) -> Observation:
    text = grading.identities.get(digest)
    if text is None:
        msg = f"observation {digest[:80]!r}: expected its text among the identities, found none"
        raise InvalidReport(msg)
    return Observation.decode(text)
