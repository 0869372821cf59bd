"""One trial as one Prefect task run: named `<case id>#<repeat>`, retried by Prefect."""

from contextlib import suppress

from prefect import Task, task
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State, TaskRun
from prefect.context import TaskRunContext

from assay.tasks.experiment_settings import RetrySettings
from assay.tasks.trial_key import TrialKey
from assay.tasks.trial_session import AttemptFailed, TrialNote, TrialSession

_LONGEST_DELAY_SECONDS = 300.0


async def _is_worth_a_retry(
    _task: Task[..., object], _task_run: TaskRun, state: State[object]
) -> bool:
    try:
        await state.aresult()
    except AttemptFailed as error:
        return error.retryable
    except BaseException:  # noqa: BLE001 - whatever else happened is not worth another attempt
        return False
    return False


@task(
    name="trial",
    task_run_name="{key.name}",
    cache_policy=NO_CACHE,
    persist_result=False,
    log_prints=False,
    retry_condition_fn=_is_worth_a_retry,
)
async def run_trial(key: TrialKey, session: TrialSession) -> TrialNote:
    """One attempt of a trial: a durable receipt, then durable grades.

    It returns after the commit that holds its rows, so that killing anything afterwards loses
    nothing of it.

    Raises:
        AttemptFailed: when the attempt left no receipt or left grades that are worth another.
    """
    return await session.attempt(key, _attempt_number())


def _attempt_number() -> int:
    context = TaskRunContext.get()
    return context.task_run.run_count if context is not None else 1


async def run_hosted(
    trial: "Task[[TrialKey, TrialSession], TrialNote]", key: TrialKey, session: TrialSession
) -> None:
    """Run a trial as a task run; where Prefect itself fails, end the trial without it.

    Raises:
        AttemptFailed: when the trial left no receipt; its failure is in the store.
        AssayError: when the store failed.
    """
    with suppress(Exception):  # a host that fails changes no number
        await trial(key, session, return_state=True)
    await session.finish_unhosted(key)


def trial_task(
    retries: RetrySettings, tags: list[str]
) -> "Task[[TrialKey, TrialSession], TrialNote]":
    """`run_trial` with the experiment's retries and the run's tags.

    The delay before attempt n + 1 is the backoff doubled n - 1 times, spread by the jitter.
    """
    delays = [
        min(retries.backoff_seconds * 2**earlier, _LONGEST_DELAY_SECONDS)
        for earlier in range(retries.attempts - 1)
    ]
    return run_trial.with_options(
        retries=retries.attempts - 1,
        retry_delay_seconds=delays or 0,
        retry_jitter_factor=retries.jitter or None,
        tags=tags,
    )
