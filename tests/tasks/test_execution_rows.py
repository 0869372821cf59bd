"""What an attempt leaves, as rows of executions."""

import json
from datetime import UTC, datetime

from assay.evaluators.execution import Execution, Usage
from assay.tasks.call_target import Failed
from assay.tasks.execution_rows import failure_row, late_row, receipt_row
from assay.tasks.mask_secrets import NO_SECRETS
from assay.tasks.targets import freeze
from assay.tasks.trial_key import TrialKey

KEY = TrialKey("case", 1)
AT = datetime(2030, 1, 1, tzinfo=UTC)
BUSY = Failed("rate_limited", "TargetError: busy", 2.5, AT, 0.25)
DOWN = Failed("unavailable", "TargetError: down", None, AT, 0.5)
RECEIPT = freeze(
    Execution(output={"b": 1.0}, cost=0.5, usage=Usage(input_tokens=3), started_at=AT), NO_SECRETS
)


def test_a_receipt_is_kept_as_it_was_frozen() -> None:
    """The order of its members and the spelling of its numbers too."""
    row = receipt_row(KEY, "sha256:case", RECEIPT, [])
    assert (row.kind, row.attempts, row.case_id, row.repeat) == ("receipt", 1, "case", 1)
    assert (row.output, row.output_present, row.cost) == ('{"b":1.0}', True, 0.5)
    assert (row.error, row.error_class, row.waits) == (None, None, None)
    assert (row.case_digest, row.receipt_digest) == ("sha256:case", RECEIPT.digest)


def test_a_receipt_tells_of_the_attempts_before_it() -> None:
    """What went wrong first, and what each attempt was told to wait."""
    row = receipt_row(KEY, "", RECEIPT, [BUSY, DOWN])
    assert (row.attempts, row.error, row.error_class) == (3, "TargetError: busy", None)
    assert json.loads(row.waits or "") == [
        {
            "attempt": 1,
            "error": "TargetError: busy",
            "error_class": "rate_limited",
            "retry_after_seconds": 2.5,
        },
        {
            "attempt": 2,
            "error": "TargetError: down",
            "error_class": "unavailable",
            "retry_after_seconds": None,
        },
    ]


def test_the_last_failure_stands_for_all() -> None:
    """It decides what the trial counts as."""
    row = failure_row(KEY, "sha256:case", [BUSY, DOWN])
    assert (row.kind, row.attempts, row.error_class) == ("failure", 2, "unavailable")
    assert (row.error, row.started_at, row.duration_seconds) == ("TargetError: down", AT, 0.5)
    assert (row.output_present, row.output, row.receipt_digest) == (False, None, None)
    assert len(json.loads(row.waits or "")) == 2


def test_a_late_receipt_says_so() -> None:
    """And which attempt it had been."""
    row = late_row(KEY, "", RECEIPT, [BUSY])
    assert (row.kind, row.attempts, row.output) == ("late", 2, '{"b":1.0}')
