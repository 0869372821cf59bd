"""Many runs graded by one suite, as a series over time."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, TypeAlias

from assay.evaluators.errors import AssayError, InputError, describe
from assay.tasks.prepare_regrade import PreparedRegrade, prepare_regrade
from assay.tasks.read_suite import read_suite
from assay.tasks.regrade_demand import RegradeDemand
from assay.tasks.regrade_report import RegradeReport
from assay.tasks.store import RunEntry, Store

Outcome = Literal["graded", "skipped", "failed"]
"""What became of a run: `skipped` cannot be graded by the suite, `failed` broke while it was."""

Regrade: TypeAlias = Callable[[PreparedRegrade], Awaitable[RegradeReport]]
"""Grades one run on a host, or without one."""


@dataclass(frozen=True, slots=True)
class PreparedSeries:
    """Runs that can be graded by one suite.

    Attributes:
        store: Where they are.
        suite: The suite file; it can be read.
        demand: What is computed of each.
        since: The moment before which runs are left out, or None.
        entries: The runs, the oldest first.
    """

    store: Store
    suite: Path
    demand: RegradeDemand
    since: datetime | None
    entries: tuple[RunEntry, ...]


@dataclass(frozen=True, slots=True)
class SeriesRow:
    """One run of a series.

    Attributes:
        entry: The run.
        outcome: What became of it.
        reason: Why it was skipped or failed; empty where it was graded.
        report: Its numbers under the suite, where it was graded.
    """

    entry: RunEntry
    outcome: Outcome
    reason: str = ""
    report: RegradeReport | None = None

    @property
    def scores(self) -> dict[str, float]:
        """The mean of each assessment that has scores, of its first metric."""
        assessments = self.report.report.summary.assessments if self.report else ()
        scored = ((one.id, one.metrics[0].scores) for one in assessments if one.metrics)
        return {identity: scores.mean for identity, scores in scored if scores.count}

    def payload(self) -> dict[str, object]:
        """The machine form; what is absent is null."""
        created, report = self.entry.created_at, self.report
        numbers = report.report.payload() if report else {}
        return {
            "run_id": self.entry.run_id,
            "created_at": None if created is None else created.isoformat(),
            "experiment": self.entry.name,
            "outcome": self.outcome,
            "reason": self.reason or None,
            **{name: numbers.get(name) for name in ("grading_id", "trials", "pass_rate", "grades")},
            "scores": self.scores,
        }


@dataclass(frozen=True, slots=True)
class RegradeSeries:
    """How the runs of a store look under one suite.

    Attributes:
        suite: The suite file.
        since: The moment before which runs were left out, or None.
        rows: One a run, the oldest first.
    """

    suite: Path
    since: datetime | None
    rows: tuple[SeriesRow, ...]

    @property
    def exit_code(self) -> int:
        """0, or 2 where a run failed or none could be graded."""
        outcomes = {row.outcome for row in self.rows}
        return 2 if "failed" in outcomes or "graded" not in outcomes else 0

    def verdict_line(self) -> str:
        """One line for the host."""
        outcomes = [row.outcome for row in self.rows]
        counts = (f"{outcomes.count(one)} {one}" for one in ("graded", "skipped", "failed"))
        return f"{len(outcomes)} runs: {', '.join(counts)}"

    def payload(self) -> dict[str, object]:
        """The object that `--json` prints."""
        return {
            "suite": str(self.suite),
            "since": None if self.since is None else self.since.isoformat(),
            "target_calls": 0,
            "runs": [row.payload() for row in self.rows],
            "exit_code": self.exit_code,
        }


def prepare_series(
    store: Store,
    suite: Path | None,
    *,
    since: str | None = None,
    demand: RegradeDemand | None = None,
    before_writing: Callable[[], object] = lambda: None,
) -> PreparedSeries:
    """The runs of a store that are to be graded by one suite.

    Args:
        store: Where they are.
        suite: The suite file.
        since: A date or moment in ISO form, UTC unless it says otherwise; earlier runs are left
            out, and those whose date cannot be read are not.
        demand: What is computed of each; by default what changed.
        before_writing: Called once all is checked.

    Raises:
        InputError: when there is no suite file or none that can be read, the date is none, or no
            run is left.
    """
    if suite is None:
        message = "expected --suite FILE: one suite grades all the runs"
        raise InputError(message, place="--all", kind="flag")
    read_suite(str(suite), Path.cwd())
    moment = None if since is None else _moment(since)
    entries = [one for one in store.runs() if not _is_before(one, moment)]
    if not entries:
        message = "expected a store with runs" + (f" since {since[:80]}" if since else "")
        raise InputError(message, place=store.url, kind="store")
    store.require_writable()
    before_writing()
    return PreparedSeries(store, suite, demand or RegradeDemand(), moment, tuple(entries))


def _is_before(entry: RunEntry, moment: datetime | None) -> bool:
    return moment is not None and entry.created_at is not None and entry.created_at < moment


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        message = f"expected a date such as 2026-11-30, got {text[:80]!r}"
        raise InputError(message, place="--since", kind="flag") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


async def regrade_series(prepared: PreparedSeries, regrade: Regrade) -> RegradeSeries:
    """Every run graded by the suite, one after the other; one that fails does not stop the others.

    Args:
        prepared: The runs.
        regrade: Grades one of them.
    """
    rows = [await _row(prepared, entry, regrade) for entry in prepared.entries]
    return RegradeSeries(prepared.suite, prepared.since, tuple(rows))


async def _row(prepared: PreparedSeries, entry: RunEntry, regrade: Regrade) -> SeriesRow:
    try:
        ready = _ready(prepared, entry)
    except AssayError as error:
        return SeriesRow(entry, "skipped", reason=str(error))
    try:
        return SeriesRow(entry, "graded", report=await regrade(ready))
    except Exception as error:  # noqa: BLE001 - whatever it is, the other runs are still to be graded
        reason = str(error) if isinstance(error, AssayError) else describe(error)
        return SeriesRow(entry, "failed", reason=reason)


def _ready(prepared: PreparedSeries, entry: RunEntry) -> PreparedRegrade:
    """The regrade of a run.

    Raises:
        AssayError: when the run cannot be graded by the suite, saying why.
    """
    if entry.problem:
        raise InputError(entry.problem)
    run = prepared.store.run(entry.run_id)
    if "receipt" not in run.executions(["kind"])["kind"]:
        raise InputError("it has no receipts")
    return prepare_regrade(prepared.store, run.run_id, suite=prepared.suite, demand=prepared.demand)
