"""How far Prefect's record of a flow run is behind, and waiting for it with a time limit.

Task runs reach the server as events, over a queue that drops what it cannot hold. Nothing is
concluded from the record; it is only given the time to become complete.
"""

import asyncio
import time
from uuid import UUID

from prefect.client.orchestration import PrefectClient, get_client

_POLL_SECONDS = 0.5
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
        How many are recorded; a server that does not answer has recorded none.
    """
    ends_at = time.monotonic() + limit_seconds
    recorded = 0
    try:
        async with get_client() as client:
            while True:
                recorded = await count_recorded(client, flow_run_id)
                if sent - recorded <= allowed_behind or time.monotonic() > ends_at:
                    return recorded
                await asyncio.sleep(_POLL_SECONDS)
    except Exception:  # noqa: BLE001 - a server that died changes no number and no exit code
        return recorded
