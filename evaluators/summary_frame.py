"""A summary as a table, one row a number, for whoever reads it with a data frame."""

from collections.abc import Iterator, Mapping

import polars as pl

from assay.evaluators.assessment_summary import MetricSummary
from assay.evaluators.summary import Summary

SUMMARY = pl.Schema(
    {
        "assessment_id": pl.String(),
        "metric": pl.String(),
        "observation": pl.String(),
        "statistic": pl.String(),
        "value": pl.Float64(),
    }
)
"""Columns of a summary's table. The numbers of the whole run have no assessment; statistics are
dotted paths in the names of the machine output; what is absent has no row."""

_SECTIONS = ("trials", "pass_rate", "cases", "usage", "cost", "duration_seconds", "target_errors")


def summary_frame(summary: Summary) -> pl.DataFrame:
    """The table of a summary, in a fixed order."""
    payload = summary.payload()
    rows: list[tuple[str | None, str | None, str | None, str, float]] = [
        (None, None, None, name, value)
        for section in _SECTIONS
        for name, value in _numbers(payload[section], section)
    ]
    for one in summary.assessments:
        rows += [(one.id, None, None, status, float(count)) for status, count in one.counts.items()]
        for metric in one.metrics:
            place = (one.id, str(metric.metric), metric.digest)
            rows += [(*place, name, value) for name, value in _metric_numbers(metric)]
    return pl.DataFrame(rows, schema=SUMMARY, orient="row")


def _metric_numbers(metric: MetricSummary) -> Iterator[tuple[str, float]]:
    for name, value in metric.payload().items():
        yield from _numbers(value, name)


def _numbers(value: object, path: str) -> Iterator[tuple[str, float]]:
    """Every number below a place in the machine output, with its dotted path."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _numbers(inner, f"{path}.{name}")
    elif isinstance(value, int | float):
        yield path, float(value)
