"""Writing a grading to a file of another format."""

import os
from dataclasses import dataclass
from io import BytesIO
from typing import Literal, get_args

from assay.evaluators.errors import InputError, InvalidReport
from assay.tasks.export_csv import csv_text
from assay.tasks.export_jsonl import jsonl_lines
from assay.tasks.export_rows import export_rows
from assay.tasks.redact_report import redact_report
from assay.tasks.redacted_report import encode_report
from assay.tasks.store import GradingStore, RunStore
from assay.tasks.store.location import open_folder

ExportFormat = Literal["csv", "jsonl", "parquet", "report"]
"""`csv` for spreadsheets, `jsonl` and `parquet` with everything, `report` redacted."""

EXPORT_FORMATS: tuple[ExportFormat, ...] = get_args(ExportFormat)


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written.

    Attributes:
        path: Where it is.
        format: In which format.
        rows: Rows of a table, lines, or samples of a report.
        bytes: Its size.
    """

    path: str
    format: ExportFormat
    rows: int
    bytes: int

    def payload(self) -> dict[str, object]:
        """The object that `--json` prints."""
        members = {name: getattr(self, name) for name in self.__slots__}
        return {**members, "exit_code": 0}

    def lines(self) -> tuple[str, ...]:
        """One line for people."""
        unit = {"csv": "rows", "jsonl": "trials", "parquet": "rows", "report": "trials"}
        return (f"{self.path}: {self.rows} {unit[self.format]}, {self.bytes} bytes",)


def export_run(
    run: RunStore,
    grading: GradingStore,
    *,
    format: ExportFormat,  # noqa: A002 - the flag's name
    out: str | os.PathLike[str],
    overwrite: bool = False,
) -> Exported:
    """Write a grading to a file, which appears as a whole or not at all.

    Args:
        run: The run.
        grading: One of its gradings.
        format: What is written.
        out: Path or URL of the file.
        overwrite: A file that is there is replaced.

    Raises:
        InputError: the file is there, the place cannot be written, or the grading contradicts
            itself, so that no valid report can be made of it.
        StoreError: a part cannot be read, or the file cannot be written.
    """
    content, rows = _content(run, grading, format)
    path = os.fspath(out)
    parent, name = _split(path)
    folder = open_folder(parent)
    if overwrite:
        folder.replace(name, content)
    else:
        try:
            folder.add(name, content)
        except FileExistsError as error:
            message = "exists already; choose another file, or let it be overwritten"
            raise InputError(message, place=path, kind="file") from error
    return Exported(path, format, rows, len(content))


def _content(run: RunStore, grading: GradingStore, wanted: ExportFormat) -> tuple[bytes, int]:
    if wanted == "report":
        try:
            report = redact_report(run, grading)
            return encode_report(report).encode(), len(report.samples)
        except InvalidReport as error:
            message = f"cannot be exported as a report: {error}; assay verify tells more"
            raise InputError(message, place=f"grading {grading.grading_id}") from error
    table = export_rows(run, grading)
    if wanted == "jsonl":
        lines = [line.encode() for line in jsonl_lines(table)]
        return b"".join(lines), len(lines)
    if wanted == "csv":
        return csv_text(table).encode(), table.height
    sink = BytesIO()
    table.write_parquet(sink, compression="zstd", compression_level=1)
    return sink.getvalue(), table.height


def _split(path: str) -> tuple[str, str]:
    parent, slash, name = path.rpartition("/")
    if not name or name in {".", ".."}:
        message = "expected the path of a file to write"
        raise InputError(message, place=path, kind="file")
    return (parent or "/") if slash else ".", name
