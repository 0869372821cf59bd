"""Rows as the store takes them: one case, one execution, one grade."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

import pyarrow as pa

from assay.evaluators.schema import CASES, given_columns
from assay.tasks.store.stamp import require_values

ExecutionKind = Literal["receipt", "failure", "late"]
Verdict = Literal["", "pass", "fail"]


@dataclass(frozen=True, slots=True)
class CaseRow:
    """One case of the snapshot that a run keeps.

    Attributes:
        input: JSON text, as are `metadata` (an object) and the next two.
        expected: None for a case without an expected value; a null is the text `null`.
        suite: The case's own assessments as written, or None.
        position: Place in the dataset, from 0.
    """

    case_id: str
    input: str
    expected: str | None
    metadata: str
    suite: str | None
    case_digest: str
    input_digest: str
    position: int


@dataclass(frozen=True, slots=True)
class ExecutionRow:
    """One execution of a trial's target: the receipt, or why there is none.

    Attributes:
        repeat: From 0.
        kind: `late` rows came after their trial was given up and are never counted.
        attempts: Calls of the target that this row ends, from 1.
        output: JSON text if `output_present`; a present null is the text `null`. The other
            payloads are JSON texts too, or None where nothing was recorded.
        cost: In the currency of the experiment.
        started_at: With a time zone.
        receipt_digest: None unless there is a receipt.
    """

    case_id: str
    repeat: int
    kind: ExecutionKind
    attempts: int
    status: str = ""
    error_class: str | None = None
    error: str | None = None
    output_present: bool = False
    output: str | None = None
    reason: str = ""
    messages: str | None = None
    tool_calls: str | None = None
    usage: str | None = None
    cost: float | None = None
    spans: str | None = None
    metadata: str | None = None
    started_at: datetime | None = None
    duration_seconds: float | None = None
    waits: str | None = None
    case_digest: str = ""
    receipt_digest: str | None = None


@dataclass(frozen=True, slots=True)
class GradeRow:
    """One assessment of one trial.

    Attributes:
        repeat: From 0.
        key: Digest of receipt, case and evaluator: equal key, reusable grade.
        evaluator: Digest of an identity, as are `metric`, `observation` and `policy`.
        verdict: Empty where nothing was decided.
        report: JSON text, or None where there is no report.
        reply: What a judge said, raw.
        reused_from: The grading that this grade was carried over from.
        attempt: From 1; the highest one of a trial's assessment counts.
    """

    case_id: str
    repeat: int
    assessment_id: str
    key: str
    status: str
    evaluator: str
    receipt_digest: str
    error_class: str | None = None
    error: str | None = None
    metric: str | None = None
    observation: str | None = None
    policy: str | None = None
    verdict: Verdict = ""
    score: float | None = None
    measurement: float | None = None
    label: str | None = None
    report: str | None = None
    reply: str | None = None
    reused_from: str | None = None
    attempt: int = 1
    duration_seconds: float | None = None


def table_of(rows: Sequence[object], schema: pa.Schema) -> pa.Table:
    """The rows as columns, those that the store stamps left out.

    Raises:
        ValueError: a value does not fit its column, or is missing; the column is named, the value
            is not.
    """
    fields = [schema.field(name) for name in given_columns(schema)]
    columns = [_column(rows, field) for field in fields]
    table = pa.Table.from_arrays(columns, schema=pa.schema(fields))
    require_values(table)
    return table


def _column(rows: Sequence[object], field: pa.Field) -> pa.Array:
    try:
        return pa.array([getattr(row, field.name) for row in rows], type=field.type)
    except (pa.ArrowException, UnicodeError, OverflowError, TypeError) as error:
        message = f"column {field.name} cannot hold what it was given ({type(error).__name__})"
        raise ValueError(message) from error


def case_table(rows: Iterable[CaseRow]) -> pa.Table:
    """The cases as the table that `Store.create_run` takes."""
    return table_of(list(rows), CASES)
