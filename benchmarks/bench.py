"""What Assay costs: a trial, a regraded receipt, a summary; printed as one table with versions.

Run it as `make bench`. Every figure is CPU time of the process that does the work, because walls
depend on the machine's other work; peers run in the same call, so that their ratio means something.
"""

import json
import os
import platform
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

from rich.console import Console
from rich.table import Table

HERE = Path(__file__).parent
RUNS = 3
PACKAGES = ("assay-evals", "prefect", "polars", "pyarrow", "pydantic", "pydantic-evals")


def measure(script: str, *arguments: str) -> dict[str, float]:
    """What the script's last line says, run in a process and a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **os.environ,
            "PREFECT_HOME": f"{folder}/prefect",
            "DO_NOT_TRACK": "1",
            "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        }
        done = subprocess.run(
            [sys.executable, HERE / f"{script}.py", *arguments],
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
    return json.loads(done.stdout.splitlines()[-1])


def median(rows: list[dict[str, float]], figure: str) -> float:
    """The lower median of a figure over the runs."""
    values = sorted(row[figure] for row in rows)
    return values[(len(values) - 1) // 2]


def interleaved(*calls: tuple[str, ...]) -> list[list[dict[str, float]]]:
    """The rows of each call over `RUNS` rounds, in turn, so that drift meets all alike."""
    rounds = [[measure(*call) for call in calls] for _ in range(RUNS)]
    return [list(column) for column in zip(*rounds, strict=True)]


def main() -> None:
    """Measure and print."""
    table = Table(title="What Assay costs (CPU of the working process, median of 3 runs)")
    for heading in ("figure", "value", "unit", "beside it"):
        table.add_column(heading, overflow="fold")

    ours, peer = interleaved(("trials", "1000"), ("trials_pydantic_evals", "1000"))
    trial, peer_trial = median(ours, "cpu_ms"), median(peer, "cpu_ms")
    table.add_row("a trial, one Prefect task run each (N=1,000)", f"{trial:.2f}", "CPU ms", "")
    table.add_row(
        "  the same, Python start and imports included",
        f"{median(ours, 'total_ms'):.2f}",
        "CPU ms",
        "",
    )
    table.add_row(
        "  trials that the API shows as ended", f"{median(ours, 'recorded'):.0f}", "of 1,000", ""
    )
    table.add_row(
        "the same cases through pydantic-evals",
        f"{peer_trial:.2f}",
        "CPU ms",
        f"ratio {trial / peer_trial:.1f}",
    )

    regrade, floor = interleaved(("regrade", "10000"), ("regrade_floor", "10000"))
    receipt, bare = median(regrade, "cpu_us"), median(floor, "cpu_us")
    table.add_row("a receipt regraded (N=10,000 of 2 KB)", f"{receipt:.1f}", "CPU us", "")
    table.add_row(
        "floor: read, parse, call, write", f"{bare:.1f}", "CPU us", f"ratio {receipt / bare:.2f}"
    )
    table.add_row(
        "a receipt regraded with nothing changed",
        f"{median(regrade, 'unchanged_us'):.1f}",
        "CPU us",
        "",
    )

    (commits,) = interleaved(("commits",))
    raw = f"{median(commits, 'raw_p50_ms'):.2f} / {median(commits, 'raw_p99_ms'):.2f}"
    table.add_row("bare disk: write, sync, rename 2 KB", raw, "ms, p50 / p99", "wall")
    for producers in (1, 16, 128):
        p50, p99 = (median(commits, f"{name}_ms_{producers}") for name in ("p50", "p99"))
        rate = f"{median(commits, f'per_second_{producers}'):,.0f} receipts a second"
        label = f"a receipt acknowledged, {producers} producers"
        table.add_row(label, f"{p50:.2f} / {p99:.2f}", "ms, p50 / p99", rate)

    (summary,) = interleaved(("summary", "1000000"))
    table.add_row(
        "summary of 1,000,000 grade rows",
        f"{median(summary, 'cpu_s'):.2f}",
        "CPU s",
        f"wall {median(summary, 'wall_s'):.2f} s",
    )
    table.add_row("  peak memory", f"{median(summary, 'peak_mb'):.0f}", "MB", "")

    console = Console(width=100)
    console.print(table)
    versions = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    console.print(f"Python {platform.python_version()}, {os.cpu_count()} cores; {versions}")


if __name__ == "__main__":
    main()
