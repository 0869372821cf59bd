"""Cases as a run or a grading keeps them on disk."""

from collections.abc import Iterable

import polars as pl
import pyarrow as pa

from assay.tasks.planned_case import PlannedCase
from assay.tasks.store import CaseRow, GradingStore, RunStore, case_table


def case_snapshot(cases: Iterable[PlannedCase]) -> pa.Table:
    """The rows of the cases, in this order."""
    return case_table(
        CaseRow(
            case_id=case.texts.id,
            input=case.texts.input,
            expected=case.texts.expected,
            metadata=case.texts.metadata,
            suite=case.suite,
            case_digest=case.digest,
            input_digest=case.input_digest,
            position=position,
        )
        for position, case in enumerate(cases)
    )


def graded_cases(run: RunStore, grading: GradingStore, columns: list[str]) -> pl.DataFrame:
    """The cases that a grading was made with: its own, where it has some, or those of its run.

    Raises:
        StoreError: when their file is missing, or another one.
    """
    own = grading.cases(columns)
    return run.cases(columns) if own is None else own
