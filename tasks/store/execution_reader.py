"""The executions of a run, as readers see them: each trial once."""

from collections.abc import Iterator, Sequence
from contextlib import suppress

import polars as pl
import pyarrow as pa

from assay.evaluators.schema import EXECUTIONS
from assay.tasks.store.frame import frame_of
from assay.tasks.store.parts import Parts
from assay.tasks.store.precedence import (
    EXECUTION_ORDER,
    TRIAL,
    counted_executions,
    has_duplicates,
    has_uncounted,
)
from assay.tasks.store.receipts import ReceiptIndex, receipt_batches
from assay.tasks.store.run_folder import RunFolder

_BATCH_ROWS = 1024


class ExecutionReader:
    """Reads the executions of a run.

    Args:
        places: The folder of the run.
    """

    def __init__(self, places: RunFolder) -> None:
        self._places = places
        self._index: ReceiptIndex | None = None

    def executions(
        self, columns: Sequence[str] | None = None, *, skip_damaged: bool = False
    ) -> pl.DataFrame:
        """One row a trial that has ended, in no particular order; late results are not among them.

        Of several rows the earliest durable receipt counts, else the newest failure.

        Args:
            columns: Columns of `EXECUTIONS`, by default all of them; few are read much faster.
            skip_damaged: Go on without parts that cannot be read.

        Raises:
            StoreError: a part cannot be read.
        """
        wanted = list(EXECUTIONS.names if columns is None else columns)
        rows = self._rows([*wanted, *TRIAL, "kind"], skip_damaged=skip_damaged)
        if has_duplicates(rows, TRIAL) or has_uncounted(rows):
            # What decides between rows is dear to read, and most runs have one row a trial.
            rows = self._rows([*wanted, *EXECUTION_ORDER], skip_damaged=skip_damaged)
            rows = counted_executions(rows)
        return rows.select(wanted)

    def late(
        self, columns: Sequence[str] | None = None, *, skip_damaged: bool = False
    ) -> pl.DataFrame:
        """The results that came after their trial was given up; arguments as for `executions`."""
        wanted = list(EXECUTIONS.names if columns is None else columns)
        if not has_uncounted(self._rows(["kind"], skip_damaged=skip_damaged)):
            return frame_of(pa.schema([EXECUTIONS.field(one) for one in wanted]).empty_table())
        rows = self._rows([*wanted, *EXECUTION_ORDER], skip_damaged=skip_damaged)
        late = rows.filter(pl.col("kind").cast(pl.String) == "late")
        return late.unique("row_digest", keep="first").sort("committed_at").select(wanted)

    def receipt(self, case_id: str, repeat: int) -> dict[str, object] | None:
        """The durable receipt of one trial, column by column, or None.

        The parts are looked through once; again only for a trial that was not among them then.

        Raises:
            StoreError: a part cannot be read.
        """
        with suppress(FileNotFoundError):  # its part has been merged since the last look
            if self._index and (found := self._index.read(case_id, repeat)):
                return found
        self._index = ReceiptIndex(self.execution_parts())
        return self._index.read(case_id, repeat)

    def iter_receipts(
        self,
        *,
        batch_size: int = _BATCH_ROWS,
        columns: Sequence[str] | None = None,
        trials: pl.DataFrame | None = None,
        skip_damaged: bool = False,
    ) -> Iterator[pa.RecordBatch]:
        """The counted receipts in batches of about `batch_size` rows; memory stays bounded.

        Args:
            batch_size: Rows held at once.
            columns: Columns of `EXECUTIONS`, by default all of them.
            trials: `case_id` and `repeat` of those that are wanted, by default all of them.
            skip_damaged: Go on without parts that cannot be read.

        Raises:
            StoreError: a part cannot be read.
        """
        wanted = EXECUTIONS.names if columns is None else columns
        parts = self.execution_parts(skip_damaged=skip_damaged)
        return receipt_batches(parts, wanted, size=batch_size, trials=trials)

    def damaged(self) -> tuple[str, ...]:
        """One sentence for each part of the executions that cannot be read."""
        return self.execution_parts().damaged()

    def execution_parts(self, *, skip_damaged: bool = False) -> Parts:
        """The parts of executions, rows that do not count included."""
        return self._places.execution_parts(skip_damaged=skip_damaged)

    def _rows(self, columns: Sequence[str], *, skip_damaged: bool) -> pl.DataFrame:
        parts = self.execution_parts(skip_damaged=skip_damaged)
        return frame_of(parts.table(list(dict.fromkeys(columns))))
