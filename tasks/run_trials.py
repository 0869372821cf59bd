"""All trials of a run that are not done: from the first slot to the report."""

from uuid import UUID

from assay.evaluators.limits import Limits
from assay.tasks.await_recording import BackPressure, await_recording
from assay.tasks.dispatch_trials import dispatch_trials
from assay.tasks.evaluator_process import EvaluatorProcesses
from assay.tasks.prepared_run import PreparedRun
from assay.tasks.result_listener import ResultListener
from assay.tasks.run_report import RunReport, report_run
from assay.tasks.run_trial import HostTrial, run_hosted, trial_task
from assay.tasks.store.lease import Lease
from assay.tasks.tally import Tally
from assay.tasks.trial_note import OnResult
from assay.tasks.trial_session import RunWriters, TrialSession

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
        BaseException: what `on_result` raised first, once the summary is in the store.
    """
    retries = prepared.planned.settings.retries
    trial = trial_task(retries, [prepared.run.run_id, _target_tag(prepared)])
    listener = ResultListener(on_result)
    tally = await execute_trials(prepared, trial, listener, BackPressure(flow_run_id))
    if flow_run_id is not None:
        tally.recorded = await await_recording(
            flow_run_id, sent=tally.ended, allowed_behind=0, limit_seconds=_RECORD_SECONDS
        )
    report = report_run(prepared.run, prepared.grading, tally)
    if listener.error is not None:
        raise listener.error
    return report


async def execute_trials(
    prepared: PreparedRun, trial: HostTrial, listener: ResultListener, pressure: BackPressure
) -> Tally:
    """What was done, once every trial that was missing has ended.

    Nobody else writes the run meanwhile; what others have done of it before is not done again.

    Args:
        prepared: The run.
        trial: Starts one trial on its host.
        listener: Is told of each trial that has ended.
        pressure: Holds starts back while the host is behind.

    Raises:
        InputError: when another process writes the run.
        StoreError: when rows cannot be stored.
    """
    async with prepared.run.lease(prepared.purpose) as lease:
        return await _execute(prepared.up_to_date(), trial, listener, pressure, lease)


async def _execute(
    prepared: PreparedRun,
    trial: HostTrial,
    listener: ResultListener,
    pressure: BackPressure,
    lease: Lease,
) -> Tally:
    settings = prepared.planned.settings
    session: TrialSession | None = None

    # A trial waits for one writer at a time, so the other need not wait for it.
    def executing() -> int:
        return session.in_flight() - grades.waiting if session else 1

    def grading() -> int:
        return session.in_flight() - executions.waiting if session else 1

    async with (
        EvaluatorProcesses() as processes,
        prepared.run.execution_writer(in_flight=executing, lease=lease) as executions,
        prepared.grading.writer(in_flight=grading, lease=lease) as grades,
    ):
        limits = Limits(settings.evaluator_timeout_seconds, processes)
        session = TrialSession(prepared, RunWriters(executions, grades), limits)
        await dispatch_trials(
            session,
            prepared.keys_left(),
            lambda key: run_hosted(trial, key, session),
            listener=listener,
            before_each=pressure.let_catch_up,
        )
    return session.tally


def _target_tag(prepared: PreparedRun) -> str:
    planned = prepared.planned
    # An argument or an address may hold a secret, and tags are shown to everybody.
    return f"target:{planned.secrets.mask(str(planned.target.identity))[:100]}"
