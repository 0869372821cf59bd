"""The floor of regrading: read three columns, parse the JSON, call a function, write columns."""

import json
import resource
import sys

import pyarrow as pa
import pyarrow.parquet as pq


def cpu_seconds() -> float:
    """User and system CPU seconds of this process."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def payload(n: int) -> str:
    """An output of about 2 KB."""
    return json.dumps({"answer": f"answer {n}", "notes": [f"note {n} {k}" * 4 for k in range(40)]})


def grade(output: object, expected: object) -> bool:
    """The function under test."""
    return isinstance(output, dict) and output["answer"] == expected


def main(count: int) -> None:
    """Write the receipts, then measure reading, grading and writing them."""
    rows = {
        "case_id": [f"case-{n}" for n in range(count)],
        "output": [payload(n) for n in range(count)],
        "expected": [json.dumps(f"answer {n}") for n in range(count)],
    }
    pq.write_table(pa.table(rows), "receipts.parquet", compression="zstd", compression_level=1)
    started = cpu_seconds()
    table = pq.read_table("receipts.parquet", columns=["case_id", "output", "expected"])
    passed = [
        grade(json.loads(output), json.loads(expected))
        for output, expected in zip(
            table["output"].to_pylist(), table["expected"].to_pylist(), strict=True
        )
    ]
    grades = pa.table({"case_id": table["case_id"], "passed": pa.array(passed, type=pa.bool_())})
    pq.write_table(grades, "grades.parquet", compression="zstd", compression_level=1)
    print(json.dumps({"cpu_us": (cpu_seconds() - started) * 1e6 / count}))


main(int(sys.argv[1]))
