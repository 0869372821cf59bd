"""Let the official package read a predictions file and write its reports of given test logs.

A script for an interpreter that has `swebench`; what Docker would run is given as logs. It works in
the current folder and takes the predictions file, the run id, and the tasks' logs as JSON: the text
of the log, or null where the harness broke before the tests.
"""

import json
import sys
from pathlib import Path

from swebench.harness.grading import get_eval_report
from swebench.harness.reporting import make_run_report
from swebench.harness.utils import get_predictions_from_file
from swebench.types import TestSpec


def main(predictions_path: str, run_id: str, logs: dict[str, str | None]) -> None:
    """Write what the harness would have written."""
    rows = get_predictions_from_file(predictions_path, "data", "test")
    predictions = {row["instance_id"]: row for row in rows}
    for instance_id, row in predictions.items():
        if row["model_patch"]:
            model = row["model_name_or_path"].replace("/", "__")
            folder = Path("logs/run_evaluation") / run_id / model / instance_id
            folder.mkdir(parents=True)
            (folder / "patch.diff").write_bytes(row["model_patch"].encode())
            report(row, folder, logs[instance_id])
    make_run_report(predictions, [{"instance_id": name} for name in logs], run_id)


def report(row: dict[str, str], folder: Path, log: str | None) -> None:
    """Write the official report on one task, if there is a log of its tests."""
    if log is None:
        return
    path = folder / "test_output.txt"
    path.write_text(log)
    spec = TestSpec(
        instance_id=row["instance_id"],
        image="",
        eval_script_list=[],
        repo="",
        version="",
        FAIL_TO_PASS=["test_new"],
        PASS_TO_PASS=["test_old"],
        log_parser="parse_log_pytest",
        eval_type="pass_and_fail",
    )
    written = get_eval_report(spec, row, str(path), include_tests_status=True)
    (folder / "report.json").write_text(json.dumps(written, indent=4))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], json.loads(sys.argv[3]))
