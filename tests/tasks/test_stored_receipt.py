"""A receipt that was frozen, stored and read again is the same receipt."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from assay.evaluators.execution import Execution, ToolCall, Usage
from assay.tasks.mask_secrets import NO_SECRETS
from assay.tasks.prepared_run import PreparedRun
from assay.tasks.stored_receipt import stored_receipt
from assay.tasks.tally import Tally
from assay.tasks.targets import freeze

Prepare = Callable[..., PreparedRun]
Execute = Callable[..., Tally]

AT = datetime(2030, 1, 1, 12, 30, 15, 123456, tzinfo=UTC)


@pytest.mark.parametrize(
    "execution",
    [
        Execution(output=None, started_at=AT, duration_seconds=1.0),
        Execution(output="", started_at=AT, duration_seconds=1.0),
        Execution(status="failed", reason="broke", started_at=AT, duration_seconds=0.0),
        Execution(
            output={"b": 3.0, "a": [1, {"é": "\U0001f600"}]},
            usage=Usage(input_tokens=3),
            cost=0.1,
            messages=[{"role": "user", "content": "x"}],
            tool_calls=[ToolCall(name="look", arguments={"z": 1.0})],
            metadata={"n": 1},
            started_at=AT,
            duration_seconds=0.25,
        ),
    ],
)
def test_a_receipt_comes_back_as_it_was_frozen(
    execution: Execution, prepare: Prepare, execute: Execute
) -> None:
    """Every member and its digest; absent, null and empty stay three things."""
    prepared = prepare(lambda _: execution, cases=1)
    execute(prepared)
    row = prepared.run.receipt("c0", 0)
    assert row is not None
    again = stored_receipt(row)
    assert again == freeze(execution, NO_SECRETS)
    assert repr(again.texts.started_at) == repr(AT)
