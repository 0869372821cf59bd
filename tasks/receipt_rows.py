"""Receipts in a batch of columns: a value leaves its column when an evaluator asks for it."""

from collections.abc import Mapping
from dataclasses import fields
from datetime import UTC
from typing import Any, Final

import pyarrow as pa
from typing_extensions import override

from assay.evaluators.execution import Execution
from assay.evaluators.retained import ExecutionTexts

_TEXTS: Final = tuple(field.name for field in fields(ExecutionTexts))

RECEIPT_COLUMNS: Final = ("case_id", "repeat", "receipt_digest", *_TEXTS)
"""What grading reads of an execution."""


class ReceiptRows:
    """The receipts of one batch.

    Args:
        batch: Rows of executions with at least `RECEIPT_COLUMNS`.
    """

    def __init__(self, batch: pa.RecordBatch) -> None:
        self._batch = batch
        # Nearly every evaluator asks for the output, and a whole column is cheaper than its cells.
        self._outputs: list[str | None] = batch.column("output").to_pylist()

    def at(self, index: int) -> "ReceiptRow":
        """The receipt of a row."""
        return ReceiptRow(self, index)

    def output(self, index: int) -> str | None:
        """The output of a row."""
        return self._outputs[index]

    def texts(self, index: int) -> ExecutionTexts:
        """All members of a row."""
        return execution_texts({name: self._batch.column(name)[index].as_py() for name in _TEXTS})


class ReceiptRow:
    """One receipt of a batch."""

    __slots__ = ("_index", "_rows")

    def __init__(self, rows: ReceiptRows, index: int) -> None:
        self._rows = rows
        self._index = index

    @property
    def output(self) -> str | None:
        """JSON text, or None where there is no candidate."""
        return self._rows.output(self._index)

    def receipt(self) -> Execution:
        """The whole receipt, decoded."""
        return self._rows.texts(self._index).receipt()

    def provides(self) -> frozenset[str]:
        """The kinds of evidence that are present."""
        return self._rows.texts(self._index).provides()

    @override
    def __reduce__(self) -> tuple[object, ...]:
        """Another process gets the row's own texts, not the batch."""
        texts = self._rows.texts(self._index)
        return ExecutionTexts, tuple(getattr(texts, name) for name in _TEXTS)


def execution_texts(row: Mapping[str, Any]) -> ExecutionTexts:
    """The members of a receipt, from a row of executions."""
    members = {name: row[name] for name in _TEXTS}
    if members["started_at"] is not None:
        # Arrow names UTC by another object, which an evaluator could tell from the one of the run.
        members["started_at"] = members["started_at"].astimezone(UTC)
    return ExecutionTexts(**members)
