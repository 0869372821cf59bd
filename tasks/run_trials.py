"""All trials of a run that are not done: from the first slot to the report."""

from collections.abc import Awaitable, Callable
from functools import partial
from uuid import UUID

from assay.evaluators.limits import Limits
from assay.tasks.await_recording import await_recording
from assay.tasks.dispatch_trials import dispatch_trials
from assay.tasks.evaluator_process import EvaluatorProcesses
from assay.tasks.prepare_run import PreparedRun
from assay.tasks.run_report import RunReport, report_run
from assay.tasks.run_trial import run_hosted, trial_task
from assay.tasks.trial_session import TrialNote, TrialSession

OnResult = Callable[[TrialNote], Awaitable[None] | None]
"""Called with each trial that has ended."""

_CHECK_EVERY = 500
_ALLOWED_BEHIND = 1000
_CATCH_UP_SECONDS = 30.0
_RECORD_SECONDS = 60.0


async def run_trials(
    prepared: PreparedRun, flow_run_id: UUID | None, on_result: OnResult | None = None
) -> RunReport:
    """The report of the run, once every trial that was missing has ended.

    Args:
        prepared: The run.
        flow_run_id: The flow run in which the trials are task runs.
        on_result: Called with each trial that has ended.

    Raises:
        StoreError: when rows cannot be stored.
        Exception: what `on_result` raised first, once everything is stored.
    """
    session = await _run(prepared, flow_run_id, on_result)
    report = report_run(
        prepared.run,
        prepared.grading,
        target_calls=session.tally.target_calls,
        computed=session.tally.computed,
        reused=sum(map(len, prepared.graded.values())),
        abandoned=session.tally.abandoned,
        recorded=session.tally.recorded,
    )
    if session.callback_error is not None:
        raise session.callback_error
    return report


async def _run(
    prepared: PreparedRun, flow_run_id: UUID | None, on_result: OnResult | None
) -> TrialSession:
    settings = prepared.planned.settings
    trial = trial_task(settings.retries, [prepared.run.run_id, _target_tag(prepared)])
    session: TrialSession | None = None

    # A trial waits for one writer at a time, so the other need not wait for it.
    def executing() -> int:
        return session.in_flight() - grades.waiting if session else 1

    def grading() -> int:
        return session.in_flight() - executions.waiting if session else 1

    async with (
        EvaluatorProcesses() as processes,
        prepared.run.execution_writer(in_flight=executing) as executions,
        prepared.grading.writer(in_flight=grading) as grades,
    ):
        session = TrialSession(
            prepared,
            executions=executions,
            grades=grades,
            limits=Limits(settings.evaluator_timeout_seconds, processes),
            on_result=on_result,
        )
        await dispatch_trials(
            session,
            prepared.keys_left(),
            lambda key: run_hosted(trial, key, session),
            after_each=partial(_hold_back, flow_run_id),
        )
    if flow_run_id is not None:
        session.tally.recorded = await await_recording(
            flow_run_id,
            sent=session.tally.ended,
            allowed_behind=0,
            limit_seconds=_RECORD_SECONDS,
        )
    return session


async def _hold_back(flow_run_id: UUID | None, ended: int) -> None:
    """Let the server catch up now and then: it drops what it cannot queue."""
    if flow_run_id is None or not ended or ended % _CHECK_EVERY:
        return
    await await_recording(
        flow_run_id, sent=ended, allowed_behind=_ALLOWED_BEHIND, limit_seconds=_CATCH_UP_SECONDS
    )


def _target_tag(prepared: PreparedRun) -> str:
    reference = prepared.planned.target.identity.reference
    text = reference if isinstance(reference, str) else " ".join(reference)
    return f"target:{text[:100]}"
