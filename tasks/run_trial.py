"""One trial as one Prefect task run: named `<case id>#<repeat>`, retried by Prefect."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import TypeAlias

from prefect import task
from prefect.cache_policies import NO_CACHE

from assay.tasks.experiment_settings import RetrySettings
from assay.tasks.retry_attempts import attempt_number, is_worth_a_retry, retried
from assay.tasks.trial_key import TrialKey
from assay.tasks.trial_session import TrialSession

HostTrial: TypeAlias = Callable[[TrialKey, TrialSession], Awaitable[object]]
"""Starts a trial on a host, which calls `TrialSession.attempt` as often as it deems right."""


# It returns nothing: Prefect keeps a note of every result, as long as the flow runs.
@task(
    name="trial",
    task_run_name="{key.name}",
    cache_policy=NO_CACHE,
    persist_result=False,
    log_prints=False,
    retry_condition_fn=is_worth_a_retry,
)
async def run_trial(key: TrialKey, session: TrialSession) -> None:
    """One attempt of a trial: a durable receipt, then durable grades.

    It returns after the commit that holds its rows, so that killing anything afterwards loses
    nothing of it.

    Raises:
        AttemptFailed: when the attempt left no receipt or left grades that are worth another.
    """
    await session.attempt(key, attempt_number())


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
    return retried(run_trial, retries, tags)
