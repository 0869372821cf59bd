"""The predictions file reaches the harness whole or not at all."""

from pathlib import Path

import fsspec
import pytest

from assay.evaluators.errors import InputError
from assay.evaluators.swebench import (
    InvalidSubmission,
    Prediction,
    Selection,
    Submission,
    Task,
    predictions_text,
)
from assay.tasks.write_predictions import write_predictions

SUBMISSION = Submission(
    selection=Selection(
        dataset="data",
        revision="0" * 40,
        split="test",
        tasks=[Task(instance_id="a", digest="sha256:" + "0" * 64)],
    ),
    model="vendor/agent",
    attempt_id="1",
    predictions=[Prediction(instance_id="a", patch="--- a\r\n+++ é\r\n")],
)


def test_the_file_holds_exactly_the_text(tmp_path: Path) -> None:
    """Kernel 13.2: UTF-8, LF at the ends of lines on every system."""
    write_predictions(SUBMISSION, str(tmp_path / "p.jsonl"))
    write_predictions(SUBMISSION, "memory://swebench/p.jsonl")
    remote = fsspec.filesystem("memory").cat_file("/swebench/p.jsonl")
    assert (tmp_path / "p.jsonl").read_bytes() == remote == predictions_text(SUBMISSION).encode()


def test_a_failed_write_keeps_its_cause_and_what_was_there(tmp_path: Path) -> None:
    """Kernel 13.2: all rows are encoded before any byte is written."""
    (tmp_path / "p.jsonl").mkdir()
    with pytest.raises(InputError, match=r"p\.jsonl") as raised:
        write_predictions(SUBMISSION, str(tmp_path / "p.jsonl"))
    assert isinstance(raised.value.__cause__, OSError)
    assert [path.name for path in tmp_path.iterdir()] == ["p.jsonl"]


@pytest.mark.parametrize("url", ["", "p.jsonl "])
def test_no_place_is_an_invalid_submission(url: str) -> None:
    """Kernel 13.2, a missing writer: ours is a path, and a blank one is none."""
    with pytest.raises(InvalidSubmission, match="predictions file"):
        write_predictions(SUBMISSION, url)
