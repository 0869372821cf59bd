"""A regrade from its first step to its report, each step one Prefect task."""

import gc
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from typing import TypeAlias

import polars as pl
from prefect import task
from prefect.cache_policies import NO_CACHE

from assay.evaluators.limits import Limits
from assay.tasks.carry_over import CarryOver
from assay.tasks.evaluator_process import EvaluatorProcesses
from assay.tasks.leave_out import LeaveOut
from assay.tasks.prepare_regrade import PreparedRegrade
from assay.tasks.regrade_chunk import chunks
from assay.tasks.regrade_report import RegradeReport, report_regrade
from assay.tasks.regrade_session import RegradeSession
from assay.tasks.regrade_step import RegradeStep
from assay.tasks.regrade_tally import RegradeTally
from assay.tasks.retry_attempts import attempt_number, is_worth_a_retry, retried
from assay.tasks.split_wanted import split_wanted
from assay.tasks.wanted_grades import RECEIPTS, wanted_grades

HostStep: TypeAlias = Callable[[RegradeStep], Awaitable[object]]
"""Starts a step on a host, which calls `RegradeStep.attempt` as often as it deems right."""


@task(
    name="regrade step",
    task_run_name="{step.name}",
    cache_policy=NO_CACHE,
    persist_result=False,
    log_prints=False,
    retry_condition_fn=is_worth_a_retry,
)
async def run_step(step: RegradeStep) -> None:
    """One attempt of a step of a regrade; the grades that it made are durable.

    Raises:
        AttemptFailed: when evaluators failed in a way that is worth another attempt.
    """
    await step.attempt(attempt_number())


async def regrade_chunks(prepared: PreparedRegrade) -> RegradeReport:
    """The report, once every receipt of the run has a grade of each assessment.

    Raises:
        StoreError: when a part cannot be read or written.
    """
    host = retried(run_step, prepared.plan.settings.retries, [prepared.run.run_id])
    tally = await grade_all(prepared, host)
    return report_regrade(prepared, tally)


async def grade_all(prepared: PreparedRegrade, host: HostStep) -> RegradeTally:
    """What was carried over and computed, once every receipt has been graded.

    Args:
        prepared: The regrade.
        host: Starts one step: the task, or nothing at all where there is no host.

    Raises:
        StoreError: when a part cannot be read or written.
    """
    # The plan and its cases live to the end: looking at them again and again for garbage costs a
    # fifth of the whole regrade.
    gc.freeze()
    try:
        return await _grade_all(prepared, host)
    finally:
        gc.unfreeze()


async def _grade_all(prepared: PreparedRegrade, host: HostStep) -> RegradeTally:
    seconds = prepared.plan.settings.evaluator_timeout_seconds
    grading = prepared.grading
    async with (
        EvaluatorProcesses() as processes,
        grading.lease("regrade") as lease,
        grading.writer(lease=lease) as writer,
    ):
        session = RegradeSession(prepared, writer, Limits(seconds, processes))
        for step in _steps(prepared, session):
            with suppress(Exception):  # a host that fails changes no number
                await host(step)
            await step.finish()
    return session.tally


def _steps(prepared: PreparedRegrade, session: RegradeSession) -> Iterator[RegradeStep]:
    plan, known = prepared.plan, prepared.old.known
    wanted = wanted_grades(_receipts(prepared), plan.suite, plan.cases.own, known=known)
    session.tally.receipts = wanted.receipts.height
    split = split_wanted(wanted, prepared.demand, prepared.old)
    for (source,), rows in split.carried.group_by("source", maintain_order=True):
        yield CarryOver(rows, prepared.old.gradings[int(str(source))], session)
    if split.absent.height:
        yield LeaveOut(split.absent, wanted, session)
    yield from chunks(prepared, wanted, split.computed, session)


def _receipts(prepared: PreparedRegrade) -> pl.DataFrame:
    """The receipts that there are to grade: those of the cases that are graded."""
    rows = prepared.run.executions(["case_id", "repeat", "receipt_digest", "kind"])
    receipts = rows.filter(pl.col("kind").cast(pl.String) == "receipt")
    digests = prepared.plan.cases.digests()
    return receipts.join(digests, on="case_id", how="inner", maintain_order="left").select(
        RECEIPTS.names()
    )
