"""One trial as one Prefect task run: named `<case id>#<repeat>`, retried by Prefect."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import TypeAlias

from prefect import Task, task
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State, TaskRun
from prefect.context import TaskRunContext
from prefect.utilities.annotations import NotSet

from assay.tasks.attempt_failed import AttemptFailed
from assay.tasks.backoff import backoff_seconds
from assay.tasks.experiment_settings import RetrySettings
from assay.tasks.trial_key import TrialKey
from assay.tasks.trial_session import TrialSession

_MOST_DELAYS = 50
"""As many as Prefect takes; it repeats the last one."""

HostTrial: TypeAlias = Callable[[TrialKey, TrialSession], Awaitable[object]]
"""Starts a trial on a host, which calls `TrialSession.attempt` as often as it deems right."""


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


def _without_traceback(record: logging.LogRecord) -> bool:
    """Let the record pass, without the way through our own code that an attempt's failure took."""
    if record.exc_info and isinstance(record.exc_info[1], AttemptFailed):
        record.exc_info = None
    return True


logging.getLogger("prefect.task_runs").addFilter(_without_traceback)


# It returns nothing: Prefect keeps a note of every result, as long as the flow runs.
@task(
    name="trial",
    task_run_name="{key.name}",
    cache_policy=NO_CACHE,
    persist_result=False,
    log_prints=False,
    retry_condition_fn=_is_worth_a_retry,
)
async def run_trial(key: TrialKey, session: TrialSession) -> None:
    """One attempt of a trial: a durable receipt, then durable grades.

    It returns after the commit that holds its rows, so that killing anything afterwards loses
    nothing of it.

    Raises:
        AttemptFailed: when the attempt left no receipt or left grades that are worth another.
    """
    await session.attempt(key, _attempt_number())


def _attempt_number() -> int:
    context = TaskRunContext.get()
    return context.task_run.run_count if context is not None else 1


async def run_hosted(trial: HostTrial, key: TrialKey, session: TrialSession) -> None:
    """Run a trial on a host; where the host itself fails, end the trial without it.

    Raises:
        Exception: what went wrong beside the target and its assessments, such as the store.
    """
    with suppress(Exception):  # a host that fails changes no number
        await trial(key, session)
    await session.finish(key)


def trial_task(retries: RetrySettings, tags: Sequence[str]) -> HostTrial:
    """`run_trial` with the experiment's retries, and tags on each task run."""
    attempts = range(1, min(retries.attempts, _MOST_DELAYS + 1))
    return run_trial.with_options(
        retries=retries.attempts - 1,
        retry_delay_seconds=[backoff_seconds(retries, attempt) for attempt in attempts] or 0,
        retry_jitter_factor=retries.jitter or NotSet,
        tags=list(tags),
    )
