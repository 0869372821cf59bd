"""Rows as columns."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from assay.evaluators.schema import CASES, EXECUTIONS, GRADES, given_columns
from assay.tasks.store import CaseRow, ExecutionRow, GradeRow
from assay.tasks.store.rows import table_of


@pytest.mark.parametrize(
    ("row", "schema"), [(CaseRow, CASES), (ExecutionRow, EXECUTIONS), (GradeRow, GRADES)]
)
def test_a_row_has_a_field_for_every_column_that_it_brings(row: type, schema: object) -> None:
    """Otherwise a forgotten field would be noticed at the first commit."""
    assert sorted(row.__slots__) == sorted(given_columns(schema))


def test_moments_are_kept_in_universal_time() -> None:
    """A row from another time zone sorts with the others."""
    east = datetime(2026, 1, 1, 9, tzinfo=timezone(timedelta(hours=9)))
    table = table_of([ExecutionRow("c", 0, "receipt", 1, started_at=east)], EXECUTIONS)
    assert table["started_at"].to_pylist() == [datetime(2026, 1, 1, tzinfo=UTC)]


@pytest.mark.parametrize(
    "payload", ["{}", "[]", "[null]", '"x"', "3", '{"a":{}}', '"\\u0000"', "\x00", "null", ""]
)
def test_payloads_are_text_whatever_they_hold(payload: str) -> None:
    """Fault B30: no type is inferred from what a model wrote, so none can clash at the end."""
    rows = [
        ExecutionRow("c", at, "receipt", 1, output=one) for at, one in enumerate((payload, "1"))
    ]
    assert table_of(rows, EXECUTIONS)["output"].to_pylist() == [payload, "1"]


@pytest.mark.parametrize(
    ("row", "column"),
    [
        (ExecutionRow("c", 0, "receipt", 1, output="\ud800"), "output"),
        (ExecutionRow("c", 2**40, "receipt", 1), "repeat"),
        (ExecutionRow("c", 0, "receipt", 1, cost=float("nan")), "cost"),
        (ExecutionRow(None, 0, "receipt", 1), "case_id"),  # type: ignore[arg-type]
    ],
)
def test_a_value_that_does_not_fit_names_its_column(row: ExecutionRow, column: str) -> None:
    """The value itself may be a secret or a model's text, so it is not shown."""
    with pytest.raises(ValueError, match=f"column {column} "):
        table_of([row], EXECUTIONS)
