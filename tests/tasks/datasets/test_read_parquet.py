"""Parquet: JSON kinds come over as they are, the rest is refused."""

import datetime as dt
import io
from decimal import Decimal

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from assay.evaluators.errors import InputError
from assay.tasks.datasets.build_cases import build_cases
from assay.tasks.datasets.read_parquet import read_parquet


def parquet(columns: dict[str, object] | pa.Table) -> bytes:
    """The columns as a Parquet file."""
    table = columns if isinstance(columns, pa.Table) else pa.table(columns)
    buffer = io.BytesIO()
    pq.write_table(table, buffer)
    return buffer.getvalue()


def refused(content: bytes) -> str:
    """The sentence with which the content is refused."""
    with pytest.raises(InputError) as caught:
        build_cases(read_parquet(content, "c.parquet").rows)
    return str(caught.value)


def test_text_stays_text_and_nested_values_become_json_values() -> None:
    """A column of JSON texts is a column of texts: nothing is parsed behind the author's back."""
    content = parquet(
        {
            "id": ["a"],
            "input": [{"q": '{"x": 1}', "n": [1, 2], "f": 0.5, "b": True}],
            "expected": ["007"],
            "metadata": [{"k": "v"}],
        }
    )
    (case,) = build_cases(read_parquet(content, "c.parquet").rows)
    assert case.input == {"q": '{"x": 1}', "n": [1, 2], "f": 0.5, "b": True}
    assert case.expected == "007"
    assert dict(case.metadata) == {"k": '"v"'}


def test_a_null_cell_is_absent_and_a_null_inside_is_null() -> None:
    """Nothing is dropped silently: a list of three has three items."""
    content = parquet({"input": [[1, None, 3], [None]], "expected": pa.array([None, "x"])})
    first, second = build_cases(read_parquet(content, "c.parquet").rows)
    assert first.input == [1, None, 3]
    assert not first.has_expected
    assert second.input == [None]


def test_a_map_column_is_a_mapping() -> None:
    """Metadata whose keys differ by row has this type in Arrow."""
    kind = pa.map_(pa.string(), pa.string())
    table = pa.table(
        {"input": ["x", "y"], "metadata": pa.array([[("a", "1")], [("b", "2")]], type=kind)}
    )
    first, second = build_cases(read_parquet(parquet(table), "c.parquet").rows)
    assert (first.metadata.decoded(), second.metadata.decoded()) == ({"a": "1"}, {"b": "2"})


def test_flat_metadata_columns_are_gathered_as_in_csv() -> None:
    """A table that went through CSV keeps its columns."""
    content = parquet({"input": ["x"], "metadata.k": [3]})
    assert build_cases(read_parquet(content, "c.parquet").rows)[0].metadata.decoded() == {"k": 3}


def test_large_and_exact_numbers_are_kept() -> None:
    """Fault B38: 2^63 and 2^53 + 1 come over intact, and so does a decimal."""
    kind = pa.list_(pa.uint64())
    table = pa.table(
        {
            "input": pa.array([[2**63, 2**53 + 1]], type=kind),
            "metadata.price": pa.array([Decimal("1.10")]),
        }
    )
    (case,) = build_cases(read_parquet(parquet(table), "c.parquet").rows)
    assert case.input == [2**63, 2**53 + 1]
    assert case.metadata["price"] == "1.10"


def test_text_of_a_dictionary_column_is_text() -> None:
    """Frames store repeated texts this way."""
    content = parquet({"input": pa.array(["x", "x"]).dictionary_encode()})
    assert [case.input for case in build_cases(read_parquet(content, "c").rows)] == ["x", "x"]


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ({"id": [1], "input": ["x"]}, "row 1: expected text as id, got 1"),
        ({"input": [b"x"]}, "row 1: column 'input': expected a value of a JSON kind, got bytes"),
        (
            {"input": [dt.date(2026, 1, 1)]},
            "expected a value of a JSON kind, got date; store it as text",
        ),
        ({"input": ["x", "y"], "expected": [1.0, float("nan")]}, "row 2: column 'expected'"),
        ({"input": pa.array([None], type=pa.string())}, "row 1: expected a case with an 'input'"),
        ({"id": ["a"]}, "c.parquet: expected a column 'input', got none"),
        ({"input": ["x"], "expcted": ["y"]}, "did you mean 'expected'?"),
        ({"input": ["x"], "metadata": ["{}"]}, "expected metadata as a mapping, got '{}'"),
        ({"input": ["x"], "metadata": [{"a": 1}], "metadata.k": ["v"]}, "got both"),
        ({"id": ["a", "a"], "input": ["x", "y"]}, "c.parquet, row 2: expected unique ids"),
    ],
)
def test_what_has_no_json_kind_is_refused_with_its_row(
    columns: dict[str, object], expected: str
) -> None:
    """Fault B38: types are never coerced across kinds, and ids stay text."""
    assert expected in refused(parquet(columns))


@pytest.mark.parametrize(
    "content", [b"", b"PAR1", b"id,input\na,b\n", parquet({"input": ["x"]})[:-9]]
)
def test_bytes_that_are_no_parquet_are_refused(content: bytes) -> None:
    """A file that broke off in a copy is told from an empty one by its size, not by a traceback."""
    assert refused(content).startswith("c.parquet: expected a Parquet file, got ")


def test_a_table_without_rows_is_a_dataset() -> None:
    """Kernel 6.1."""
    content = parquet({"input": pa.array([], type=pa.string())})
    assert read_parquet(content, "c.parquet").rows == ()
