"""One immutable part file: how rows become Parquet bytes, and how those are read again."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.parquet as pq

from assay.evaluators.errors import describe
from assay.evaluators.schema import SCHEMA_VERSION, identity_columns
from assay.tasks.store.folder import Folder
from assay.tasks.store.stamp import stamp
from assay.tasks.store.store_error import StoreError
from assay.tasks.store.uuid7 import uuid7

_VERSION_KEY = b"assay.schema_version"
_MERGE_KEY = b"assay.merge_id"
_ROWS_A_GROUP = 8192
_SORTED_ROWS_A_GROUP = 2000  # looking up one case reads one group


def encode(table: pa.Table, schema: pa.Schema) -> bytes:
    """The Parquet file of a conformed table, stamped now."""
    return encode_stamped(stamp(table, schema))


def encode_stamped(
    stamped: pa.Table, *, merge_id: str = "", version: int = SCHEMA_VERSION
) -> bytes:
    """The Parquet file of rows that have their stamps already.

    Compression is zstd 1; only identities have dictionaries and statistics, because those of
    payloads would fill most of a small file; pages carry checksums.

    Args:
        stamped: Rows with all columns that the schema had in that version.
        merge_id: The merge that sorted them, or empty where they are not sorted.
        version: Of the schema.
    """
    marks = {_VERSION_KEY: str(version)}
    if merge_id:
        marks[_MERGE_KEY] = merge_id
    marked = stamped.replace_schema_metadata(marks)
    identities = list(identity_columns(stamped.schema))
    size = _SORTED_ROWS_A_GROUP if merge_id else _ROWS_A_GROUP
    sink = pa.BufferOutputStream()
    with pq.ParquetWriter(
        sink,
        marked.schema,
        compression="zstd",
        compression_level=1,
        use_dictionary=identities,
        write_statistics=identities,
        write_page_checksum=True,
    ) as writer:
        for group in row_groups(marked, size):
            writer.write_table(group, row_group_size=size)
    content: bytes = sink.getvalue().to_pybytes()
    return content


def row_groups(table: pa.Table, size: int = _ROWS_A_GROUP) -> Iterator[pa.Table]:
    """The table in pieces of a row group each; one without rows if it has none."""
    for start in range(0, max(1, len(table)), size):
        group = table.slice(start, size)
        for index, field in enumerate(group.schema):
            if pa.types.is_dictionary(field.type):
                group = group.set_column(index, field, _own_words(group.column(index), field))
        yield group


def _own_words(column: pa.ChunkedArray, field: pa.Field) -> pa.ChunkedArray:
    """The identities of a row group, in a dictionary that holds no others.

    A row group is written with its whole dictionary, so that a table of many ids would otherwise
    store, and every reader decode, all of them once a group.
    """
    rows = len(column)
    if all(len(chunk.dictionary) <= rows for chunk in column.chunks):
        return column
    words = column.cast(field.type.value_type).combine_chunks()
    return pa.chunked_array([words.dictionary_encode()], type=field.type)


def write_part(folder: Folder, table: pa.Table, schema: pa.Schema, *, prefix: str) -> None:
    """Make the rows durable as one new part of the folder."""
    # The name is new, so nothing is ever replaced; a plain rename is the cheapest way to appear.
    folder.replace(f"{prefix}-{uuid7()}.parquet", encode(table, schema))


@contextmanager
def open_part(folder: Folder, name: str) -> Iterator[pq.ParquetFile]:
    """A part to read from.

    Raises:
        StoreError: the part is torn, no part of ours, or of a newer version; so does reading on.
        FileNotFoundError: the part is gone.
    """
    place = f"{folder.place}/{name}"
    with folder.open(name) as source:
        try:
            part = pq.ParquetFile(source, page_checksum_verification=True)
            _require_version(part.schema_arrow, place)
            yield part
        except StoreError:
            raise
        except Exception as error:  # a reader of damaged bytes may raise anything
            message = (
                f"{place}: expected a whole part file, found a damaged one "
                f"({describe(error)[:200]}); restore it, or go on without damaged parts"
            )
            raise StoreError(message) from error


def read_part(folder: Folder, name: str, schema: pa.Schema, columns: Sequence[str]) -> pa.Table:
    """The columns of a part; one that its older version lacks is null.

    Raises: as for `open_part`.
    """
    with open_part(folder, name) as part:
        many = (
            part.metadata.num_rows > _ROWS_A_GROUP
        )  # threads cost a small part more than they save
        table = part.read(columns=present(part, columns), use_threads=many)
        return align(table, schema, columns)


@dataclass(frozen=True, slots=True)
class WholePart:
    """A part as it lies there, with the columns of its own version.

    Attributes:
        rows: Everything in it.
        version: Of its schema.
        merge_id: The merge that sorted it, or empty.
    """

    rows: pa.Table
    version: int
    merge_id: str

    def encode(self) -> bytes:
        """The file."""
        return encode_stamped(self.rows, merge_id=self.merge_id, version=self.version)


def read_whole(folder: Folder, name: str) -> WholePart:
    """A part as it lies there; raises as `open_part`."""
    with open_part(folder, name) as part:
        version, merge_id = _version(part.schema_arrow) or 0, merge_id_of(part)
        rows = part.read().replace_schema_metadata()
        for column in identity_columns(rows.schema):
            rows[column].validate(full=True)  # page checksums do not cover page headers
        return WholePart(rows, version, merge_id)


def present(part: pq.ParquetFile, columns: Sequence[str]) -> list[str]:
    """Those of the columns that the part has: all of them, unless it is of an older version.

    Raises:
        ValueError: a part of this version lacks a column.
    """
    names = set(part.schema_arrow.names)
    missing = [name for name in columns if name not in names]
    if missing and _version(part.schema_arrow) == SCHEMA_VERSION:
        message = f"column {missing[0]} is missing"
        raise ValueError(message)
    return [name for name in columns if name in names]


def align(table: pa.Table, schema: pa.Schema, columns: Sequence[str]) -> pa.Table:
    """The table with these columns in the types of the schema, nulls where there is none.

    Raises:
        pyarrow.ArrowInvalid: a column points outside its dictionary.
    """
    for name in identity_columns(table.schema):
        table[name].validate(full=True)  # page checksums do not cover page headers
    wanted = pa.schema([schema.field(name) for name in columns])
    if table.schema.equals(wanted):
        return table
    for field in wanted:
        if field.name not in table.column_names:
            table = table.append_column(field, pa.nulls(len(table), field.type))
    return table.select(wanted.names).cast(pa.schema([(one.name, one.type) for one in wanted]))


def is_current(part: pq.ParquetFile) -> bool:
    """True if the part is of this schema version, so that its rows can stand beside new ones."""
    return _version(part.schema_arrow) == SCHEMA_VERSION


def merge_id_of(part: pq.ParquetFile) -> str:
    """The merge that sorted the part; empty if its rows are in no order."""
    mark: bytes = (part.schema_arrow.metadata or {}).get(_MERGE_KEY, b"")
    return mark.decode()


def _version(schema: pa.Schema) -> int | None:
    marked = (schema.metadata or {}).get(_VERSION_KEY, b"")
    return int(marked) if marked.isdigit() else None


def _require_version(schema: pa.Schema, place: str) -> None:
    version = _version(schema)
    if version is None:
        message = f"{place}: expected a part file of this store, found another Parquet file"
        raise StoreError(message)
    if version > SCHEMA_VERSION:
        raise StoreError.newer(version, place=place)
