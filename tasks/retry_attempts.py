"""How Prefect repeats what is worth another attempt, and nothing else."""

import logging
from collections.abc import Sequence
from typing import ParamSpec, TypeVar

from prefect import Task
from prefect.client.schemas.objects import State, TaskRun
from prefect.context import TaskRunContext
from prefect.utilities.annotations import NotSet

from assay.tasks.attempt_failed import AttemptFailed
from assay.tasks.backoff import backoff_seconds
from assay.tasks.experiment_settings import RetrySettings

P = ParamSpec("P")
R = TypeVar("R")

_MOST_DELAYS = 50
"""As many as Prefect takes; it repeats the last one."""


async def is_worth_a_retry(
    _task: Task[..., object], _task_run: TaskRun, state: State[object]
) -> bool:
    """True if the task run ended with an attempt that wants another one."""
    try:
        await state.aresult()
    except AttemptFailed as error:
        return error.retryable
    except BaseException:  # noqa: BLE001 - whatever else happened is not worth another attempt
        return False
    return False


def retried(task: Task[P, R], retries: RetrySettings, tags: Sequence[str] = ()) -> Task[P, R]:
    """The task with the experiment's retries, and tags on each task run.

    Args:
        task: With `is_worth_a_retry` as its condition.
        retries: The experiment's settings.
        tags: Shown to everybody.
    """
    attempts = range(1, min(retries.attempts, _MOST_DELAYS + 1))
    return task.with_options(
        retries=retries.attempts - 1,
        retry_delay_seconds=[backoff_seconds(retries, attempt) for attempt in attempts] or 0,
        retry_jitter_factor=retries.jitter or NotSet,
        tags=list(tags),
    )


def attempt_number() -> int:
    """Which attempt of the current task run this is, from 1."""
    context = TaskRunContext.get()
    return context.task_run.run_count if context is not None else 1


def _without_traceback(record: logging.LogRecord) -> bool:
    """Let the record pass, without the way through our own code that an attempt's failure took."""
    if record.exc_info and isinstance(record.exc_info[1], AttemptFailed):
        record.exc_info = None
    return True


logging.getLogger("prefect.task_runs").addFilter(_without_traceback)
