"""A table made fit for the disk: pinned types, the moment of its commit, a digest a row."""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from hashlib import sha256
from itertools import groupby

import pyarrow as pa
import pyarrow.compute as pc

from assay.evaluators.schema import SCHEMA_VERSION, given_columns

_ROWS_AT_ONCE = 1024  # bounds the joined texts, whose offsets have 32 bits
_FEW_ROWS = 100  # below, the fixed cost of some hundred kernel calls exceeds that of a loop


def conform(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """The table with exactly the columns of the schema that a row brings, in its types.

    Columns that the schema does not know are refused, as is a missing one, a null where one must
    not stand, and a float that is not finite.

    Raises:
        ValueError: naming the column; also pyarrow's own errors, which are of that class.
    """
    names = given_columns(schema)
    if strange := sorted(set(table.column_names) ^ set(names)):
        message = f"columns missing or unknown: {', '.join(strange)[:200]}"
        raise ValueError(message)
    wanted = pa.schema([schema.field(name) for name in names])
    conformed = table.select(list(names)).cast(wanted)
    require_values(conformed)
    return conformed


def require_values(table: pa.Table) -> None:
    """Refuse a null in a column that its schema requires, and a float that is not finite.

    Raises:
        ValueError: naming the column.
    """
    for field, column in zip(table.schema, table.columns, strict=True):
        _require_values(field, column)


def _require_values(field: pa.Field, column: pa.ChunkedArray) -> None:
    if not field.nullable and column.null_count:
        message = f"column {field.name} holds a null"
        raise ValueError(message)
    if pa.types.is_floating(field.type) and pc.all(pc.is_finite(column)).as_py() is False:
        message = f"column {field.name} holds a number that is not finite"
        raise ValueError(message)


def stamp(
    table: pa.Table, schema: pa.Schema, *, now: Callable[[], datetime] = lambda: datetime.now(UTC)
) -> pa.Table:
    """A conformed table with the columns that the store fills in, as the schema orders them."""
    stamps = {"committed_at": now(), "schema_version": SCHEMA_VERSION}
    for name, value in stamps.items():
        if name in schema.names:
            field = schema.field(name)
            table = table.append_column(field, pa.repeat(pa.scalar(value, field.type), len(table)))
    if "row_digest" in schema.names:
        table = table.append_column(schema.field("row_digest"), row_digests(table))
    return table.select(schema.names)


def row_digests(table: pa.Table) -> pa.ChunkedArray:
    """The SHA-256 of each row's canonical content, as `sha256:<hex>`.

    The canonical content is, for every column but `row_digest` in alphabetical order of names, the
    text `<name>=<bytes>:<value>` and for a null `<name>=`, joined by commas. A value is UTF-8 text;
    integers are decimal, booleans 0 or 1, times microseconds since 1970 UTC, and floats the decimal
    integer of their IEEE 754 bits, so that no library's spelling of numbers enters.
    """
    names = sorted(name for name in table.column_names if name != "row_digest")
    content = _content_of_few if len(table) <= _FEW_ROWS else _content_of_many
    chunks = [
        pa.array(map(_digest, content(batch)), type=pa.string(), size=len(batch))
        for batch in table.select(names).combine_chunks().to_batches(max_chunksize=_ROWS_AT_ONCE)
    ]
    return pa.chunked_array(chunks, type=pa.string())


def _digest(content: bytes) -> str:
    return f"sha256:{sha256(content).hexdigest()}"


def _content_of_few(batch: pa.RecordBatch) -> Iterable[bytes]:
    columns = zip(batch.schema.names, batch.columns, strict=True)
    cells = [[_cell(name, value) for value in _values(column)] for name, column in columns]
    return map(b",".join, zip(*cells, strict=True))


def _cell(name: str, value: str | int | None) -> bytes:
    if value is None:
        return f"{name}=".encode()
    text = value.encode() if isinstance(value, str) else str(int(value)).encode()
    return f"{name}={len(text)}:".encode() + text


def _values(column: pa.Array) -> list[str | int | None]:
    bits = pa.types.is_floating(column.type) or pa.types.is_timestamp(column.type)
    values: list[str | int | None] = (column.view(pa.int64()) if bits else column).to_pylist()
    return values


def _content_of_many(batch: pa.RecordBatch) -> list[bytes]:
    columns = zip(batch.schema.names, batch.columns, strict=True)
    # A column with one value costs next to nothing, and neighbours are joined once for all rows.
    pieces = [_constant(name, column) or _cells(name, column) for name, column in columns]
    rows: list[bytes] = pc.binary_join_element_wise(*_merged(pieces), b",").to_pylist()
    return rows


def _constant(name: str, column: pa.Array) -> bytes | None:
    """The cell that all rows have in common, or None."""
    if column.null_count == len(column):
        return _cell(name, None)
    if column.null_count or pa.types.is_string(column.type):
        return None
    places = column.indices if pa.types.is_dictionary(column.type) else column
    ends = pc.min_max(places)
    if pa.types.is_floating(column.type) or ends["min"] != ends["max"]:
        return None
    return _cell(name, _values(column.slice(0, 1))[0])


def _merged(pieces: Iterable[bytes | pa.Array]) -> list[pa.Scalar | pa.Array]:
    """The pieces, those that are the same for all rows joined with their neighbours."""
    merged: list[pa.Scalar | pa.Array] = []
    for is_same, group in groupby(pieces, key=lambda piece: isinstance(piece, bytes)):
        neighbours = list(group)
        merged += [pa.scalar(b",".join(neighbours))] if is_same else neighbours
    return merged


def _cells(name: str, column: pa.Array) -> pa.Array:
    text = _texts(column)
    length = pc.binary_length(text).cast(pa.string()).cast(pa.binary())
    label = pa.scalar(f"{name}=".encode())
    cells = pc.binary_join_element_wise(label, length, b":", text, b"")
    return pc.coalesce(cells, label) if column.null_count else cells


def _texts(column: pa.Array) -> pa.Array:
    kind = column.type
    if pa.types.is_dictionary(kind):
        column = column.dictionary_decode()
    elif pa.types.is_floating(kind) or pa.types.is_timestamp(kind):
        column = column.view(pa.int64()).cast(pa.string())
    elif not pa.types.is_string(kind):
        column = column.cast(pa.int64()).cast(pa.string())
    return column.cast(pa.binary())
