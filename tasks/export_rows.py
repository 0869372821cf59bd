"""A grading as one long table: a row for each grade of each trial, and for a trial without one."""

from collections.abc import Mapping

import polars as pl

from assay.evaluators.canonical import decode_stored
from assay.tasks.declared_results import DeclaredResults
from assay.tasks.store import GradingStore, RunStore

_CASE = ("case_id", "input", "expected", "metadata")
_EXECUTION = (
    *("case_id", "repeat", "kind", "status", "error_class", "error", "attempts"),
    *("output_present", "output", "reason", "messages", "tool_calls", "spans", "metadata"),
    *("usage", "cost", "started_at", "duration_seconds", "receipt_digest"),
)
_GRADE = (
    *("case_id", "repeat", "assessment_id", "status", "error_class", "error", "verdict"),
    *("score", "measurement", "label", "report", "reply", "evaluator", "metric", "policy"),
    *("attempt", "reused_from", "duration_seconds"),
)
_KEYS = ("case_id", "repeat")
_FEEDBACK = pl.Struct({"metric_name": pl.String(), "unit": pl.String(), "feedback": pl.String()})


def export_rows(run: RunStore, grading: GradingStore) -> pl.DataFrame:
    """The grading as a table, in planned order, every planned trial in it.

    Columns of the execution begin with `execution_`, those of a grade are named as in the store;
    payloads are JSON texts. A trial that was not executed has nulls there, and one that was not
    graded has nulls in the columns of grades.

    Args:
        run: The run.
        grading: One of its gradings.

    Raises:
        StoreError: a part cannot be read.
    """
    own = grading.cases(_CASE)
    cases = (run.cases(_CASE) if own is None else own).with_row_index("position")
    counts = run.plan.get("counts")
    repeats = counts.get("repeats") if isinstance(counts, dict) else 1
    numbers = pl.DataFrame({"repeat": range(int(repeats or 1))}, schema={"repeat": pl.Int32})
    executions = run.executions(_EXECUTION)
    names = {name: f"execution_{name}" for name in _EXECUTION if name not in _KEYS}
    texts = pl.col(pl.Categorical).cast(pl.String)
    planned = cases.with_columns(texts).join(numbers, how="cross")
    trials = planned.join(
        executions.with_columns(texts).rename(names), on=_KEYS, how="left", maintain_order="left"
    )
    grades = _ordered(grading.grades(_GRADE).with_columns(texts), grading)
    both = trials.join(grades, on=_KEYS, how="left", maintain_order="left_right")
    identity = [pl.lit(run.run_id).alias("run_id"), pl.lit(grading.grading_id).alias("grading_id")]
    said = pl.col("report").map_elements(_said, return_dtype=_FEEDBACK).alias("said")
    return both.with_columns(*identity, said).unnest("said").select(*_order(both))


def _order(both: pl.DataFrame) -> list[str]:
    added = ["metric_name", "unit", "feedback"]
    last = ["report", "reply"]
    columns = [name for name in both.columns if name not in {"position", "order", *last}]
    return ["run_id", "grading_id", *columns, *added, *last]


def _ordered(grades: pl.DataFrame, grading: GradingStore) -> pl.DataFrame:
    """The grades in the order in which their assessments are declared; others come last."""
    declared = DeclaredResults.read(grading)
    place = {result: index for index, result in enumerate(declared.outputs)}
    order = pl.col("assessment_id").replace_strict(place, default=len(place))
    return grades.with_columns(order.alias("order")).sort("order", "assessment_id").drop("order")


def _said(report: str) -> Mapping[str, object]:
    tree = decode_stored(report)
    members = tree if isinstance(tree, dict) else {}
    metric = members.get("metric")
    named = metric if isinstance(metric, dict) else {}
    name = "/".join(str(named[one]) for one in ("namespace", "name") if named.get(one))
    return {
        "metric_name": name,
        "unit": named.get("unit"),
        "feedback": members.get("feedback"),
    }
