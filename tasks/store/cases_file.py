"""The snapshot of the cases: a file that is known by its digest."""

from collections.abc import Callable, Collection, Sequence
from hashlib import sha256
from io import BytesIO

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from assay.evaluators.schema import CASES
from assay.tasks.store.folder import Folder
from assay.tasks.store.frame import frame_of
from assay.tasks.store.layout import CASES_FILE
from assay.tasks.store.part_file import align, encode
from assay.tasks.store.stamp import conform
from assay.tasks.store.store_error import StoreError


def encode_cases(cases: pa.Table) -> bytes:
    """The file of the cases.

    Raises:
        ValueError: the columns are not those of `CASES` without the stamped one.
    """
    return encode(conform(cases, CASES), CASES)


def file_digest(content: bytes) -> str:
    """The digest of a file: a plan or a grading knows its cases by it, and a grading its plan."""
    return f"sha256:{sha256(content).hexdigest()}"


def read_cases(
    folder: Folder,
    digest: str,
    columns: Sequence[str] | None = None,
    *,
    later: Callable[[], Collection[str]] = tuple,
) -> pl.DataFrame:
    """The cases in the file of the folder, in the order of the dataset.

    Args:
        folder: Where the file is.
        digest: That of the file that should be there.
        columns: Columns of `CASES`, by default all of them.
        later: The digests of what the file has become since by rights; asked only if it is another.

    Raises:
        StoreError: the file is missing, or another one.
    """
    place = f"{folder.place}/{CASES_FILE}"
    try:
        content = folder.read(CASES_FILE)
    except FileNotFoundError as error:
        message = f"{place}: the snapshot of the cases is missing; restore it"
        raise StoreError(message) from error
    found = file_digest(content)
    if found != digest and found not in later():
        message = f"{place}: is not the file that the plan was made with; restore it"
        raise StoreError(message)
    wanted = list(CASES.names if columns is None else columns)
    read = list(dict.fromkeys([*wanted, "position"]))
    table = align(pq.read_table(BytesIO(content), columns=read), CASES, read)
    return frame_of(table).sort("position").select(wanted)
