"""The kinds of part files: their columns, their names, and the order of rows once merged."""

from dataclasses import dataclass

import pyarrow as pa

from assay.evaluators.schema import EXECUTIONS, GRADES, IDENTITIES
from assay.tasks.store.precedence import ASSESSED, TRIAL
from assay.tasks.store.sorted_rows import RowOrder


@dataclass(frozen=True, slots=True)
class PartKind:
    """A kind of parts.

    Attributes:
        schema: Their columns.
        prefix: How their names begin.
        order: The order of their rows once they are merged.
    """

    schema: pa.Schema
    prefix: str
    order: RowOrder


EXECUTION_PARTS = PartKind(
    EXECUTIONS, prefix="part", order=RowOrder((*TRIAL, "committed_at"), "row_digest")
)
GRADE_PARTS = PartKind(
    GRADES, prefix="part", order=RowOrder((*ASSESSED, "attempt", "committed_at"), "row_digest")
)
IDENTITY_PARTS = PartKind(IDENTITIES, prefix="identities", order=RowOrder(("digest",), "digest"))
