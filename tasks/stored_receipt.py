"""A receipt as it was frozen, from its row in the store."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Final

from assay.evaluators.retained import ExecutionTexts
from assay.tasks.targets import FrozenReceipt

_TEXTS: Final = tuple(field.name for field in fields(ExecutionTexts))


def stored_receipt(row: Mapping[str, object]) -> FrozenReceipt:
    """The receipt in a row of executions."""
    texts = {name: row[name] for name in _TEXTS}
    return FrozenReceipt(ExecutionTexts(**texts), str(row["receipt_digest"]))
