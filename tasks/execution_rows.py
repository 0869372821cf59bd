"""Rows of executions: what an attempt of a trial left, as the store takes it."""

from collections.abc import Sequence

from assay.evaluators.canonical import write
from assay.tasks.call_target import Failed
from assay.tasks.store import ExecutionRow
from assay.tasks.store.rows import ExecutionKind
from assay.tasks.targets import FrozenReceipt
from assay.tasks.trial_key import TrialKey


def receipt_row(
    key: TrialKey, case_digest: str, receipt: FrozenReceipt, failures: Sequence[Failed]
) -> ExecutionRow:
    """The row of a receipt that counts.

    Args:
        key: The trial.
        case_digest: Of its case.
        receipt: What the target left.
        failures: The attempts before, the first one first.
    """
    return _received("receipt", key, case_digest, receipt, failures)


def late_row(
    key: TrialKey, case_digest: str, receipt: FrozenReceipt, failures: Sequence[Failed]
) -> ExecutionRow:
    """The row of a receipt that came after its attempt was given up; as `receipt_row`."""
    return _received("late", key, case_digest, receipt, failures)


def _received(
    kind: ExecutionKind,
    key: TrialKey,
    case_digest: str,
    receipt: FrozenReceipt,
    failures: Sequence[Failed],
) -> ExecutionRow:
    texts = receipt.texts
    return ExecutionRow(
        case_id=key.case_id,
        repeat=key.repeat,
        kind=kind,
        attempts=len(failures) + 1,
        status=texts.status,
        error=failures[0].error if failures else None,
        output_present=receipt.output_present,
        output=texts.output,
        reason=texts.reason,
        messages=texts.messages,
        tool_calls=texts.tool_calls,
        usage=texts.usage,
        cost=texts.cost,
        spans=texts.spans,
        metadata=texts.metadata,
        started_at=texts.started_at,
        duration_seconds=texts.duration_seconds,
        waits=_waits(failures),
        case_digest=case_digest,
        receipt_digest=receipt.digest,
    )


def failure_row(key: TrialKey, case_digest: str, failures: Sequence[Failed]) -> ExecutionRow:
    """The row of a trial whose attempts are used up; the last of the failures stands for all."""
    last = failures[-1]
    return ExecutionRow(
        case_id=key.case_id,
        repeat=key.repeat,
        kind="failure",
        attempts=len(failures),
        error_class=last.error_class,
        error=last.error,
        started_at=last.started_at,
        duration_seconds=last.duration_seconds,
        waits=_waits(failures),
        case_digest=case_digest,
    )


def _waits(failures: Sequence[Failed]) -> str | None:
    """JSON text of an array with what went wrong in each attempt, and what the provider asked."""
    waits = [
        {
            "attempt": number,
            "error_class": one.error_class,
            "error": one.error,
            "retry_after_seconds": one.retry_after,
        }
        for number, one in enumerate(failures, start=1)
    ]
    return write(waits) if waits else None
