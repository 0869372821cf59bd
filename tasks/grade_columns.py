"""Grades in bulk: results go straight into columns, without an object per row."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final

import pyarrow as pa

from assay.evaluators.assessment import Assessment, AssessmentResult
from assay.evaluators.errors import InvalidReport
from assay.evaluators.report import Report
from assay.evaluators.schema import GRADES, given_columns
from assay.tasks.grade_key import Graded, grade_keys, key_end
from assay.tasks.mask_report import mask_report
from assay.tasks.mask_secrets import NO_SECRETS, Secrets
from assay.tasks.store import GradeRow
from assay.tasks.targets.failure import text_of

Identities = dict[str, tuple[str, str]]
"""Digest to (kind, text) of every metric, observation, policy and evaluator that rows name."""

_FIELDS: Final = tuple(GRADES.field(name) for name in given_columns(GRADES))
_FILLED: Final = (
    "case_id",
    "repeat",
    "assessment_id",
    "key",
    "status",
    "error_class",
    "error",
    "evaluator",
    "attempt",
    "duration_seconds",
    "receipt_digest",
    "metric",
    "observation",
    "policy",
    "verdict",
    "score",
    "measurement",
    "label",
    "report",
)
"""The columns that a result fills, in the order of a row's cells; the others stay null."""

_NO_REPORT: Final = (None, None, None, "", None, None, None, None)


@dataclass(frozen=True, slots=True)
class _Known:
    """What the rows of an assessment have in common; it is kept, so that its id stays its own."""

    assessment: Assessment
    identity: str
    ends: tuple[bytes, ...]


class GradeColumns:
    """Columns of grade rows, filled a result at a time.

    Args:
        secrets: Masked in what evaluators said and raised.

    Attributes:
        identities: What the digests in the columns stand for.
    """

    def __init__(self, secrets: Secrets = NO_SECRETS) -> None:
        self._secrets = secrets
        self.identities: Identities = {}
        self._rows: list[tuple[object, ...]] = []
        self._known: dict[int, _Known] = {}
        # Equal answers share one report, so its columns are made once.
        self._cells: dict[int, tuple[Report, tuple[object, ...]]] = {}

    def __len__(self) -> int:
        return len(self._rows)

    def add(
        self, graded: Graded, assessment: Assessment, results: tuple[AssessmentResult, ...]
    ) -> None:
        """Add a row for each result of the assessment."""
        known = self._known.get(id(assessment)) or self._note(assessment)
        keys = grade_keys(graded.receipt_digest, graded.case_digest, known.ends)
        for key, result in zip(keys, results, strict=True):
            self._rows.append(self._row(graded, key, known.identity, result))

    def _note(self, assessment: Assessment) -> _Known:
        descriptor = assessment.evaluator.descriptor
        self.identities.setdefault(descriptor.identity, ("evaluator", descriptor.identity_text))
        ends = tuple(key_end(descriptor, output) for output in assessment.outputs or ("",))
        known = self._known[id(assessment)] = _Known(assessment, descriptor.identity, ends)
        return known

    def _row(
        self, graded: Graded, key: str, evaluator: str, result: AssessmentResult
    ) -> tuple[object, ...]:
        try:
            cells = self._report_cells(result.report)
        except InvalidReport as refusal:
            result, cells = replace(result, report=None, error=refusal), _NO_REPORT
        error = result.error
        return (
            graded.case_id,
            graded.repeat,
            result.id,
            key,
            result.status,
            None if error is None else result.error_class,
            None if error is None else text_of(error, self._secrets),
            evaluator,
            graded.attempt,
            result.duration_seconds,
            graded.receipt_digest,
            *cells,
        )

    def _report_cells(self, report: Report | None) -> tuple[object, ...]:
        if report is None:
            return _NO_REPORT
        known = self._cells.get(id(report))
        if known is not None:
            return known[1]
        given, report = report, mask_report(report, self._secrets)
        note_report(self.identities, report)
        cells = (
            report.metric.digest,
            report.observation_digest,
            report.rule_digest,
            report.verdict,
            None if report.score is None else float(report.score),
            report.measurement,
            report.label,
            report.encoded,
        )
        # The report is kept beside its cells, so that its id is not given to another one.
        self._cells[id(given)] = (given, cells)
        return cells

    def rows(self) -> list[GradeRow]:
        """The rows so far, for a commit that is shared with other trials."""
        named: Iterable[dict[str, Any]] = (
            dict(zip(_FILLED, row, strict=True)) for row in self._rows
        )
        return [GradeRow(**row) for row in named]

    def table(self) -> pa.Table:
        """The rows so far, as one table."""
        cells = dict(zip(_FILLED, zip(*self._rows, strict=True), strict=True)) if self._rows else {}
        arrays = [self._array(field, cells.get(field.name)) for field in _FIELDS]
        return pa.Table.from_arrays(arrays, schema=pa.schema(list(_FIELDS)))

    def _array(self, field: pa.Field, cells: tuple[object, ...] | None) -> pa.Array:
        if cells is None:
            return pa.nulls(len(self._rows), field.type)
        if pa.types.is_dictionary(field.type) and cells.count(cells[0]) == len(cells):
            # Most columns of identities hold one value, which is cheaper to repeat than to encode.
            return _repeated(cells[0], len(cells), field.type)
        return pa.array(cells, type=field.type)


def _repeated(value: object, count: int, kind: pa.DictionaryType) -> pa.Array:
    if value is None:
        return pa.nulls(count, kind)
    indices = pa.repeat(pa.scalar(0, kind.index_type), count)
    return pa.DictionaryArray.from_arrays(indices, pa.array([value], type=kind.value_type))


def note_report(identities: Identities, report: Report) -> None:
    """Note what the digests of a report's row stand for."""
    identities.setdefault(report.metric.digest, ("metric", report.metric.identity))
    identities.setdefault(report.observation_digest, ("observation", report.observation))
    if report.rule_digest is not None and report.rule is not None:
        identities.setdefault(report.rule_digest, ("policy", report.rule))
