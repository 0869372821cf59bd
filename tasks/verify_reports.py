"""Verifying that a grade's columns say what its report says, and that its status fits."""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias, get_args

from assay.evaluators.assessment import Status
from assay.evaluators.errors import ERROR_CLASSES, InvalidReport
from assay.evaluators.report import Report
from assay.tasks.verify_rows import Row

Cells: TypeAlias = tuple[object, ...]

_STATUSES: Final = get_args(Status)
_COLUMNS: Final = (
    "metric",
    "observation",
    "policy",
    "verdict",
    "score",
    "measurement",
    "label",
)


class ReportCells:
    """What the columns beside a report must say; equal reports are decoded once."""

    def __init__(self) -> None:
        self._known: dict[str, Cells | None] = {}

    def contradiction(self, row: Row, *, erased: bool) -> str:
        """What is wrong with a grade, without its subject; empty if nothing is.

        Args:
            row: All columns of it.
            erased: Its payload was erased, the settings of its metric perhaps too.
        """
        broken = next((message for message, holds in _RULES.items() if not holds(row)), "")
        text = row["report"]
        if broken or not isinstance(text, str):
            return broken
        cells = self._cells(text)
        if cells is None:
            return "a report cannot be read"
        first = _COLUMNS.index("verdict") if erased else 0
        if cells[first:] != tuple(row[name] for name in _COLUMNS[first:]):
            return "the columns of a grade are not what its report says"
        return ""

    def _cells(self, text: str) -> Cells | None:
        if text not in self._known:
            self._known[text] = _decoded(text)
        return self._known[text]


def _decoded(text: str) -> Cells | None:
    try:
        report = Report.decode(text)
    except InvalidReport:
        return None
    return (
        report.metric.digest,
        report.observation_digest,
        report.rule_digest,
        report.verdict,
        None if report.score is None else float(report.score),
        report.measurement,
        report.label,
    )


_RULES: Final[Mapping[str, Callable[[Row], bool]]] = {
    f"expected a status out of {', '.join(_STATUSES)}": lambda row: row["status"] in _STATUSES,
    "a report belongs to completed grades alone, and to each of them": lambda row: (
        (row["status"] == "completed") == (row["report"] is not None)
    ),
    "an error class belongs to failed and canceled grades alone, and to each of them": lambda row: (
        (row["status"] in {"failed", "canceled"}) == (row["error_class"] is not None)
    ),
    f"expected an error class out of {', '.join(ERROR_CLASSES)}": lambda row: (
        row["error_class"] in {None, *ERROR_CLASSES}
    ),
    "a verdict or a number stands without a report": lambda row: (
        row["report"] is not None or all(row[name] in {None, ""} for name in _COLUMNS)
    ),
    "expected attempts from 1": lambda row: isinstance(row["attempt"], int) and row["attempt"] >= 1,
}
"""What holds for every grade, by what to say of one for which it does not."""
