"""A receipt as it was frozen, from its row in the store."""

from collections.abc import Mapping

from assay.tasks.receipt_rows import execution_texts
from assay.tasks.targets import FrozenReceipt


def stored_receipt(row: Mapping[str, object]) -> FrozenReceipt:
    """The receipt in a row of executions."""
    return FrozenReceipt(execution_texts(row), str(row["receipt_digest"]))
