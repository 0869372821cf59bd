"""Cases from CSV: every cell is text, an empty cell is absent."""

import csv
import io
from collections.abc import Iterator

from assay.evaluators.errors import InputError
from assay.tasks.datasets.case_row import DATASET, CaseRow, CaseRows
from assay.tasks.datasets.columns import case_members, check_columns
from assay.tasks.documents.places import place_in

_COLUMNS = ("id", "name", "input", "expected")
# The reader refuses longer cells; its default of 128 KiB is shorter than many a prompt.
_LONGEST_CELL = 2**31 - 1


def read_csv(text: str, url: str) -> CaseRows:
    """The cases of a CSV text with a header, comma-separated, quoted as RFC 4180 says.

    Args:
        text: The content, without a byte order mark.
        url: Where it was read, for errors.

    Raises:
        InputError: there is no header, a column is unknown, missing or named twice, a row has
            another number of cells than the header, or quotes are wrong; the line is named.
    """
    records = _records(text, url)
    line, header = next(records, (1, None))
    if header is None:
        msg = "expected a header line with a column 'input', got an empty file"
        raise InputError(msg, place=place_in(url, line), kind=DATASET)
    _check_separator(header, url, line)
    check_columns(header, _COLUMNS, place_in(url, line))
    return CaseRows(tuple(_row(header, cells, url, at) for at, cells in records))


def _records(text: str, url: str) -> Iterator[tuple[int, list[str]]]:
    """Each record that is not a blank line, with the line on which it begins."""
    csv.field_size_limit(_LONGEST_CELL)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            msg = f"expected comma-separated cells, got wrong quotes: {error}"
            raise InputError(msg, place=place_in(url, line), kind=DATASET) from error
        if cells:
            yield line, cells


def _check_separator(header: list[str], url: str, line: int) -> None:
    for separator, name in ((";", "semicolons"), ("\t", "tabs")):
        if len(header) == 1 and separator in header[0]:
            msg = f"expected cells separated by commas, got {name}"
            raise InputError(msg, place=place_in(url, line), kind=DATASET)


def _row(header: list[str], cells: list[str], url: str, line: int) -> CaseRow:
    place = place_in(url, line)
    if len(cells) != len(header):
        msg = f"expected {len(header)} cells as in the header, got {len(cells)}"
        raise InputError(msg, place=place, kind=DATASET)
    present = {column: cell for column, cell in zip(header, cells, strict=True) if cell}
    return CaseRow(case_members(present), lambda _: place)
