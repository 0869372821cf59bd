"""What is left of erased rows, so that a later change of it is found."""

from collections.abc import Collection

import pyarrow as pa
import pyarrow.compute as pc

from assay.tasks.store.erase import rows_where
from assay.tasks.store.seal import Seal, seal_tables
from assay.tasks.store.stamp import row_digests


class ErasedRows:
    """The rows of some cases that no longer say what their own digest was made of.

    Args:
        cases: Ids of the cases; None for all.

    Attributes:
        rows: How many rows of the cases there are, erased or with nothing to erase.
    """

    def __init__(self, cases: Collection[str] | None) -> None:
        self._cases = cases
        self._left: list[pa.Table] = []
        self.rows = 0

    def note(self, table: pa.Table) -> None:
        """Note the rows of a part, with all columns of its version."""
        mine = table.filter(rows_where(table, "case_id", self._cases))
        self.rows += len(mine)
        digests = row_digests(mine)
        left = mine.set_column(mine.schema.names.index("row_digest"), "row_digest", digests)
        self._left.append(
            left.select(["row_digest", "committed_at"]).filter(
                pc.not_equal(digests, mine["row_digest"])
            )
        )

    def seal(self) -> Seal:
        """The seal of what is left of those that were erased."""
        return seal_tables(self._left)
