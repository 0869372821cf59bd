"""Cases from Parquet: text stays text, nested values become JSON values, null is absent."""

from collections.abc import Iterator
from decimal import Decimal

import pyarrow as pa
import pyarrow.parquet as pq

from assay.evaluators.canonical import Json, Number, number_text
from assay.evaluators.errors import InputError, NotJson
from assay.tasks.datasets.case_row import DATASET, CaseRow, CaseRows
from assay.tasks.datasets.columns import case_members, check_columns
from assay.tasks.documents.places import bounded, place_in

_COLUMNS = ("id", "name", "input", "expected", "metadata", "suite")


def read_parquet(content: bytes, url: str) -> CaseRows:
    """The cases of a Parquet file.

    A null cell is absent; a null inside a list or struct is a JSON null.

    Args:
        content: The bytes of the file.
        url: Where it was read, for errors.

    Raises:
        InputError: it is no Parquet file, a column is unknown or missing, or a value has no JSON
            kind (bytes, times, NaN); the row is named.
    """
    try:
        file = pq.ParquetFile(pa.BufferReader(content))
        check_columns(file.schema_arrow.names, _COLUMNS, place_in(url))
        return CaseRows(tuple(_rows(file, url)))
    except (pa.ArrowException, OSError, KeyError) as error:
        msg = f"expected a Parquet file, got {bounded(str(error))}"
        raise InputError(msg, place=place_in(url), kind=DATASET) from error


def _rows(file: pq.ParquetFile, url: str) -> Iterator[CaseRow]:
    number = 0
    for batch in file.iter_batches():
        for values in batch.to_pylist(maps_as_pydicts="strict"):
            number += 1
            yield _row(values, f"{place_in(url)}, row {number}")


def _row(values: dict[str, object], place: str) -> CaseRow:
    cells: dict[str, Json] = {}
    for column, value in values.items():
        if value is None:
            continue
        try:
            cells[column] = _tree(value)
        except NotJson as error:
            msg = f"column {bounded(column)}: {error}"
            raise InputError(msg, place=place, kind=DATASET) from error
    return CaseRow(case_members(cells), lambda _: place)


def _tree(value: object) -> Json:
    match value:
        case None | bool() | str():
            return value
        case int() | float():
            return Number(number_text(value))
        case Decimal() if value.is_finite():
            return Number(str(value))
        case list():
            return [_tree(item) for item in value]
        case dict():
            return {str(key): _tree(item) for key, item in value.items()}
        case _:
            msg = f"expected a value of a JSON kind, got {type(value).__name__}; store it as text"
            raise NotJson(msg)
