"""The receipts of a run in chunks, each with what is to be computed of it."""

from collections.abc import Iterator, Mapping

import polars as pl
import pyarrow as pa
from typing_extensions import override

from assay.tasks.attempt_failed import AttemptFailed
from assay.tasks.grade_job import GradeJob
from assay.tasks.grade_key import Graded
from assay.tasks.prepare_regrade import PreparedRegrade
from assay.tasks.receipt_rows import RECEIPT_COLUMNS, ReceiptRows
from assay.tasks.regrade_session import RegradeSession
from assay.tasks.regrade_step import RegradeStep
from assay.tasks.wanted_grades import WantedGrades

CHUNK_ROWS = 2000
"""About how many receipts are graded, and held, at a time."""

Checks = Mapping[tuple[str, int], tuple[int, ...]]
"""The numbers of the checks to run, by case and repeat."""


class RegradeChunk(RegradeStep):
    """Some receipts of a run, and the assessments that look at them.

    Args:
        first: How many receipts of those that are graded come before.
        jobs: What is to be graded.
        session: What it is graded with.
    """

    def __init__(self, first: int, jobs: list[GradeJob], session: RegradeSession) -> None:
        super().__init__(f"receipts from {first}", session.retries)
        self._jobs = jobs
        self._session = session

    @override
    async def _attempt(self) -> None:
        self._jobs = await self._session.grade(
            self._jobs, attempt=self.attempts, is_last=self._is_last
        )
        if self._jobs:
            message = f"{len(self._jobs)} assessments failed in a way that is worth another attempt"
            raise AttemptFailed(message, retryable=True)


def chunks(
    prepared: PreparedRegrade, wanted: WantedGrades, computed: pl.DataFrame, session: RegradeSession
) -> Iterator[RegradeChunk]:
    """The receipts of which something is to be computed; one chunk is held at a time.

    Args:
        prepared: The regrade.
        wanted: Its receipts and checks.
        computed: `receipt` and `check` of what is to be computed.
        session: What it is computed with.

    Raises:
        StoreError: when a part cannot be read.
    """
    if not computed.height:
        return
    trials = wanted.receipts.select("case_id", "repeat")[computed["receipt"].unique()]
    by_trial = _by_trial(wanted, computed)
    first = 0
    for rows in prepared.run.iter_receipts(
        batch_size=CHUNK_ROWS, columns=RECEIPT_COLUMNS, trials=trials
    ):
        yield RegradeChunk(first, _jobs(rows, by_trial, wanted, prepared), session)
        first += rows.num_rows


def _by_trial(wanted: WantedGrades, computed: pl.DataFrame) -> Checks:
    grouped = computed.group_by("receipt", maintain_order=True).agg("check")
    trials = wanted.receipts.select("case_id", "repeat")[grouped["receipt"]]
    return {
        trial: tuple(sorted(checks))
        for trial, checks in zip(trials.iter_rows(), grouped["check"].to_list(), strict=True)
    }


def _jobs(
    batch: pa.RecordBatch, by_trial: Checks, wanted: WantedGrades, prepared: PreparedRegrade
) -> list[GradeJob]:
    rows = ReceiptRows(batch)
    ids = batch.column("case_id").cast(pa.string()).to_pylist()  # words one by one cost much more
    repeats = batch.column("repeat").to_pylist()
    digests = batch.column("receipt_digest").to_pylist()
    cases = prepared.plan.cases.texts(ids)
    jobs = []
    for place, (texts, case_digest) in enumerate(cases):
        graded = Graded(texts.id, repeats[place], case_digest, digests[place])
        receipt = rows.at(place)
        jobs += [
            GradeJob(graded, texts, receipt, wanted.checks[number])
            for number in by_trial[texts.id, repeats[place]]
        ]
    return jobs
