"""One of several writers of a run: `writer.py STORE RUN TOKEN NAME`; prints what is durable."""

import asyncio
import os
import sys

from assay.tasks.store import ExecutionRow, open_store

CASES, REPEATS = 30, 2


async def main(url: str, run_id: str, token: str, name: str) -> None:
    """Commit a receipt of every trial, and print each trial when its receipt is durable."""
    run = open_store(url).run(run_id)
    async with (
        run.lease("run", token=token) as lease,
        run.execution_writer(in_flight=lambda: 4, lease=lease) as executions,
    ):

        async def commit(trials: list[tuple[str, int]]) -> None:
            for case_id, repeat in trials:
                await executions.commit(
                    ExecutionRow(
                        case_id,
                        repeat,
                        "receipt",
                        1,
                        status="completed",
                        output_present=True,
                        output=f'"{name}"',
                        receipt_digest=f"sha256:{name}",
                    )
                )
                os.write(1, f"{case_id} {repeat}\n".encode())

        every = [(f"c{n:02}", repeat) for n in range(CASES) for repeat in range(REPEATS)]
        await asyncio.gather(*(commit(every[lane::4]) for lane in range(4)))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
