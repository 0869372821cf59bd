"""Making the redacted report of a grading from the store."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

import polars as pl

from assay.evaluators.canonical import decode_stored, digest, write
from assay.evaluators.execution import Usage
from assay.evaluators.report import Report
from assay.tasks.redact_answer import redact_answer
from assay.tasks.redacted_evaluators import Place, redacted_evaluators
from assay.tasks.redacted_report import (
    RedactedEvaluator,
    RedactedReport,
    RedactedSummary,
    RedactedTarget,
)
from assay.tasks.redacted_sample import RedactedExecution, RedactedGrade, RedactedSample
from assay.tasks.store import GradingStore, RunStore
from assay.tasks.verify_rows import Row

_CASE = ("case_id", "case_digest", "input_digest")
_EXECUTION = (
    *("case_id", "repeat", "status", "error_class", "receipt_digest", "usage"),
    *("attempts", "output_present", "cost", "duration_seconds"),
)
_GRADE = (
    *("case_id", "repeat", "assessment_id", "evaluator", "status", "error_class", "metric"),
    *("policy", "report", "attempt", "reused_from", "duration_seconds"),
)

Trial = tuple[str, int]


def redact_report(run: RunStore, grading: GradingStore) -> RedactedReport:
    """The redacted report of a grading: equal rows give an equal report, wherever they lie.

    Args:
        run: The run.
        grading: One of its gradings.

    Raises:
        StoreError: a part of the run cannot be read.
        InvalidReport: the grading contradicts itself; `verify_run` says more.
    """
    own = grading.cases(_CASE)
    cases = run.cases(_CASE) if own is None else own
    evaluators = redacted_evaluators(run, grading, cases["case_id"].to_list())
    samples = _Samples.read(run, grading, evaluators).made(cases, _repeats(run))
    ordered = tuple(sorted(samples, key=lambda one: (one.case_id, one.repeat)))
    plan, info = run.plan, grading.info
    return RedactedReport(
        run_id=run.run_id,
        grading_id=grading.grading_id,
        experiment=str(plan.get("name", "")),
        fixture_id=str(info.get("fixture_id") or plan.get("fixture_id") or ""),
        target=_target(plan.get("target")),
        plan=None if info.get("plan_digest") is None else str(info["plan_digest"]),
        settings=digest(write(plan.get("experiment"))),
        repeats=_repeats(run),
        created_at=_moment(plan.get("created_at")),
        graded_at=_moment(info.get("created_at")),
        evaluators=tuple(evaluators.values()),
        samples=ordered,
        summary=RedactedSummary.of(ordered),
    )


@dataclass(frozen=True, slots=True)
class _Samples:
    executions: Mapping[Trial, Row]
    grades: Mapping[Trial, Mapping[str, Row]]
    evaluators: Mapping[Place, RedactedEvaluator]

    @classmethod
    def read(
        cls, run: RunStore, grading: GradingStore, evaluators: Mapping[Place, RedactedEvaluator]
    ) -> "_Samples":
        grades: defaultdict[Trial, dict[str, Row]] = defaultdict(dict)
        for row in _rows(grading.grades(_GRADE)):
            grades[_trial(row)][str(row["assessment_id"])] = row
        executions = {_trial(row): row for row in _rows(run.executions(_EXECUTION))}
        return cls(executions, grades, evaluators)

    def made(self, cases: pl.DataFrame, repeats: int) -> Iterator[RedactedSample]:
        for place, case in enumerate(_rows(cases)):
            for repeat in range(repeats):
                yield self._sample(place * repeats + repeat, case, repeat)

    def _sample(self, index: int, case: Row, repeat: int) -> RedactedSample:
        case_id = str(case["case_id"])
        row = self.executions.get((case_id, repeat))
        execution = None if row is None else _execution(row)
        has_receipt = execution is not None and execution.receipt is not None
        return RedactedSample(
            index=index,
            case_id=case_id,
            repeat=repeat,
            case=str(case["case_digest"]),
            input=str(case["input_digest"]),
            execution=execution,
            grades=tuple(self._grades((case_id, repeat))) if has_receipt else (),
        )

    def _grades(self, trial: Trial) -> Iterator[RedactedGrade]:
        there = self.grades.get(trial, {})
        declared = {
            result: evaluator.digest
            for (case_id, result), evaluator in self.evaluators.items()
            if case_id in {None, trial[0]}
        }
        for result in sorted(declared):
            row = there.get(result)
            yield _no_grade(result, declared[result]) if row is None else _grade(row)


def _execution(row: Row) -> RedactedExecution:
    is_receipt = row["receipt_digest"] is not None
    usage = None if row["usage"] is None else decode_stored(str(row["usage"]))
    return RedactedExecution.model_validate(
        {
            "status": row["status"] if is_receipt else None,
            "error_class": row["error_class"],
            "receipt": row["receipt_digest"],
            "output_present": row["output_present"],
            "attempts": row["attempts"],
            "usage": None if usage is None else Usage.model_validate(usage),
            "cost": row["cost"],
            "duration_seconds": row["duration_seconds"],
        }
    )


def _no_grade(result: str, evaluator: str) -> RedactedGrade:
    """What is declared and not there was never evaluated."""
    return RedactedGrade(
        assessment=result,
        evaluator=evaluator,
        status="not_evaluated",
        error_class=None,
        answer=None,
        attempt=0,
        reused_from=None,
        duration_seconds=None,
    )


def _grade(row: Row) -> RedactedGrade:
    answer = None
    if row["report"] is not None:
        report = Report.decode(str(row["report"]))
        # The columns name what a forgotten case's own settings were, which the report does not.
        rule = None if row["policy"] is None else str(row["policy"])
        answer = redact_answer(report, metric=str(row["metric"]), rule=rule)
    return RedactedGrade.model_validate(
        {
            "assessment": row["assessment_id"],
            "evaluator": row["evaluator"],
            "status": row["status"],
            "error_class": row["error_class"],
            "answer": answer,
            "attempt": row["attempt"],
            "reused_from": row["reused_from"],
            "duration_seconds": row["duration_seconds"],
        }
    )


def _target(members: object) -> RedactedTarget:
    target = members if isinstance(members, dict) else {}
    return RedactedTarget(
        kind=str(target.get("kind", "")),
        revision=str(target.get("revision", "")),
        digest=digest(write(target)),
    )


def _repeats(run: RunStore) -> int:
    counts = run.plan.get("counts")
    repeats = counts.get("repeats") if isinstance(counts, dict) else None
    return repeats if isinstance(repeats, int) else 1


def _moment(text: object) -> str:
    moment = datetime.fromisoformat(str(text)).astimezone(UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S.%f}Z"


def _rows(frame: pl.DataFrame) -> Iterator[Row]:
    return frame.iter_rows(named=True)


def _trial(row: Row) -> Trial:
    return str(row["case_id"]), int(str(row["repeat"]))
