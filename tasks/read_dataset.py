"""Reading the cases of an experiment from a file, wherever it is."""

from collections.abc import Sequence
from pathlib import PurePosixPath

from assay.evaluators.dataset import Dataset
from assay.evaluators.errors import AssayError, InputError
from assay.tasks.datasets.build_cases import build_cases
from assay.tasks.datasets.case_row import DATASET, CaseRows
from assay.tasks.datasets.read_case_document import read_case_document
from assay.tasks.datasets.read_csv import read_csv
from assay.tasks.datasets.read_jsonl import read_jsonl
from assay.tasks.datasets.read_parquet import read_parquet
from assay.tasks.documents.places import bounded, place_in
from assay.tasks.documents.read_bytes import read_bytes, read_text
from assay.tasks.documents.read_document import extension, read_document
from assay.tasks.select_cases import select_cases

EXTENSIONS = (".jsonl", ".ndjson", ".json", ".yaml", ".yml", ".csv", ".parquet")
"""Formats that can be read; case does not matter."""


def read_dataset(
    url: str,
    *,
    limit: int | None = None,
    select: Sequence[str] | None = None,
    fixture_id: str | None = None,
) -> Dataset:
    """The cases in a file, in file order and with unique ids.

    The whole file is judged, also where a part of it is selected. A file without a name for the
    dataset gives its own, without the extension.

    Args:
        url: A path or fsspec URL that ends in one of `EXTENSIONS`.
        limit: Take the first so many cases.
        select: Take the cases of these ids, in file order; not together with `limit`.
        fixture_id: Identity of the selection; by default a digest of its content.

    Raises:
        InputError: the file cannot be read, breaks a rule of its format or of cases, or lacks a
            selected id; the message names file, line and what was expected.
    """
    rows = _read_rows(url)
    cases = build_cases(rows.rows)
    cases = select_cases(cases, limit=limit, select=select, place=place_in(url))
    try:
        return Dataset(cases=cases, fixture=fixture_id or "", name=rows.name or _stem(url))
    except AssayError as error:
        raise InputError(str(error), place=place_in(url), kind=DATASET) from error


def _read_rows(url: str) -> CaseRows:
    match extension(url):
        case ".jsonl" | ".ndjson":
            return read_jsonl(read_text(url, kind=DATASET), url)
        case ".json" | ".yaml" | ".yml":
            return read_case_document(read_document(url, kind=DATASET))
        case ".csv":
            return read_csv(read_text(url, kind=DATASET), url)
        case ".parquet":
            return read_parquet(read_bytes(url, kind=DATASET), url)
        case other:
            msg = f"expected a file ending in {', '.join(EXTENSIONS)}, got {bounded(other)}"
            raise InputError(msg, place=place_in(url), kind=DATASET)


def _stem(url: str) -> str:
    return PurePosixPath(url).stem
