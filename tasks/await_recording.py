"""How far Prefect's record of a flow run is behind, and waiting for it with a time limit.

Task runs reach the server as events, over a queue that drops what it cannot hold. Nothing is
concluded from the record; it is only given the time to become complete.
"""

import asyncio
from contextlib import suppress
from uuid import UUID

from prefect.client.orchestration import PrefectClient, get_client

_POLL_SECONDS = 0.5
_ANSWER_SECONDS = 10.0
_ENDED = ["COMPLETED", "FAILED", "CRASHED", "CANCELLED"]


async def count_recorded(client: PrefectClient, flow_run_id: UUID) -> int:
    """How many task runs of the flow run the API shows as ended."""
    response = await client.request(
        "POST",
        "/task_runs/count",
        json={
            "flow_runs": {"id": {"any_": [str(flow_run_id)]}},
            "task_runs": {"state": {"type": {"any_": _ENDED}}},
        },
    )
    return int(response.json())


async def await_recording(
    flow_run_id: UUID, *, sent: int, allowed_behind: int, limit_seconds: float
) -> int:
    """Wait until at most `allowed_behind` of the `sent` task runs are missing from the record.

    Args:
        flow_run_id: Whose task runs.
        sent: How many have ended in this process.
        allowed_behind: How many may be missing.
        limit_seconds: When to go on regardless.

    Returns:
        How many were recorded at the last look; a server that does not answer has recorded none.
    """
    recorded = 0
    # A server that is late, or has died, changes no number and no exit code.
    with suppress(Exception):
        # A client of its own: the flow's would try for a minute to reach a server that has died.
        one = get_client(httpx_settings={"timeout": _ANSWER_SECONDS})
        async with asyncio.timeout(limit_seconds), one as client:
            recorded = await count_recorded(client, flow_run_id)
            while sent - recorded > allowed_behind:
                await asyncio.sleep(_POLL_SECONDS)
                recorded = await count_recorded(client, flow_run_id)
    return recorded


class BackPressure:
    """Lets the server catch up now and then, since it drops what it cannot queue.

    A trial is a few events, and the server queues 10,000 of them.

    Args:
        flow_run_id: Whose task runs; None where there is no host, and nothing to wait for.
    """

    check_every = 500
    """Trials between two looks at the record."""
    allowed_behind = 500
    """Trials that may be missing from it."""
    limit_seconds = 30.0
    """How long to wait, lest a dropped event hold up the run for ever."""

    def __init__(self, flow_run_id: UUID | None) -> None:
        self._flow_run_id = flow_run_id
        self._looked_at = 0

    async def let_catch_up(self, ended: int) -> None:
        """Return at once, or when the record is not too far behind so many ended trials."""
        if self._flow_run_id is None or ended - self._looked_at < self.check_every:
            return
        self._looked_at = ended
        await await_recording(
            self._flow_run_id,
            sent=ended,
            allowed_behind=self.allowed_behind,
            limit_seconds=self.limit_seconds,
        )
