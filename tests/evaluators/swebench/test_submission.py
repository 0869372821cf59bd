"""What is handed in, its identity, and how the harness gets it."""

import hashlib
import json
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.evaluators.errors import is_a
from assay.evaluators.swebench import (
    HARNESS_REVISION,
    InvalidSelection,
    InvalidSubmission,
    Prediction,
    Submission,
    harness_arguments,
    predictions_text,
)


def again(submission: Submission, **members: object) -> Submission:
    """The submission with other members."""
    given = {name: getattr(submission, name) for name in Submission.model_fields}
    return Submission.model_validate({**given, **members})


def test_the_run_id_is_the_bare_digest_of_compact_json(submission: Submission) -> None:
    """Kernel 13.2: named members in this order, an empty list where nothing was handed in."""
    bare = again(submission, predictions=())
    text = (
        f'{{"selection":"{submission.selection.digest}","harness_revision":"{HARNESS_REVISION}",'
        '"model":"vendor/agent","attempt_id":"attempt-1","predictions":[]}'
    )
    assert bare.run_id == hashlib.sha256(text.encode()).hexdigest()
    one = again(submission, predictions=[Prediction(instance_id="case-empty", patch='"')])
    text = text.replace("[]", r'[{"instance_id":"case-empty","model_patch":"\""}]')
    assert one.run_id == hashlib.sha256(text.encode()).hexdigest()


CHANGES: dict[str, Callable[[Submission], dict[str, object]]] = {
    "the attempt": lambda _: {"attempt_id": "attempt-2"},
    "the model's spelling": lambda _: {"model": "vendor__agent"},
    "a prediction fewer": lambda one: {"predictions": one.predictions[1:]},
    "another patch": lambda one: {
        "predictions": [
            Prediction(instance_id="case-empty", patch="\n"),
            *one.predictions[1:],
        ]
    },
}


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_is_handed_in_is_part_of_the_run_id(submission: Submission, change: str) -> None:
    """Kernel 13.2: also the model's name before its slashes are replaced."""
    other = again(submission, **CHANGES[change](submission))
    assert other.run_id != submission.run_id
    assert other.folder == "vendor__agent"


@settings(max_examples=40)
@given(data=st.data(), submission=st.from_type(Submission))
def test_the_order_of_predictions_is_irrelevant(
    data: st.DataObject, submission: Submission
) -> None:
    """Kernel 13.2: they are sorted by task."""
    shuffled = data.draw(st.permutations(submission.predictions))
    other = again(submission, predictions=shuffled)
    assert (other, other.run_id) == (submission, submission.run_id)


@settings(max_examples=40)
@given(one=st.from_type(Submission), other=st.from_type(Submission))
def test_run_ids_are_equal_exactly_when_the_content_is(one: Submission, other: Submission) -> None:
    """Two submissions never share the harness's folder."""
    assert (one.run_id == other.run_id) == (one == other)


BROKEN: dict[str, Callable[[], dict[str, object]]] = {
    "duplicate": lambda: {"predictions": [Prediction(instance_id="case-empty", patch="")] * 2},
    "foreign id": lambda: {"predictions": [Prediction(instance_id="other", patch="")]},
    "invalid UTF-8": lambda: {"predictions": [Prediction(instance_id="a", patch="\ud800")]},
    "no component": lambda: {"predictions": [Prediction(instance_id="../a", patch="")]},
    "empty attempt": lambda: {"attempt_id": ""},
    "untrimmed attempt": lambda: {"attempt_id": "1 "},
    "model of dots": lambda: {"model": ".."},
    "no model": lambda: {"model": ""},
    "model with a space": lambda: {"model": "vendor agent"},
    "unconstructed selection": lambda: {"selection": None},
}


@pytest.mark.parametrize("broken", BROKEN)
def test_a_broken_rule_is_an_invalid_submission(submission: Submission, broken: str) -> None:
    """Kernel 13 example 7, the part on submissions."""
    with pytest.raises(InvalidSubmission):
        again(submission, **BROKEN[broken]())


def test_a_missing_selection_is_an_invalid_one_too(submission: Submission) -> None:
    """Kernel 1.1: an error can belong to two categories."""
    with pytest.raises(InvalidSubmission) as raised:
        again(submission, selection=None)
    assert is_a(raised.value, InvalidSelection)


def test_the_file_has_one_line_for_each_prediction(submission: Submission) -> None:
    """Kernel 13 example 2: six lines, the first one to the letter, CRLF unharmed."""
    text = predictions_text(submission)
    lines = text.splitlines()
    assert len(lines) == 6
    assert text == "\n".join(lines) + "\n"
    assert lines[0] == (
        '{"instance_id":"case-empty","model_name_or_path":"vendor/agent","model_patch":""}'
    )
    assert json.loads(lines[4])["model_patch"] == "--- a\r\n+++ b\r\n"


@settings(max_examples=40)
@given(submission=st.from_type(Submission))
def test_the_harness_reads_back_every_patch(submission: Submission) -> None:
    """Kernel 13.2: the text is untouched, and a line end in it starts no line of the file."""
    lines = predictions_text(submission).split("\n")
    assert lines.pop() == ""
    read = {row["instance_id"]: row["model_patch"] for row in map(json.loads, lines)}
    assert read == {name: one.patch for name, one in submission.by_id.items()}


def test_the_arguments_name_every_selected_task(submission: Submission) -> None:
    """Kernel 13.2: a list, and the task without a prediction is in it."""
    arguments = harness_arguments(
        submission, dataset_path="data dir/test.json", predictions_path="p.jsonl"
    )
    assert arguments == (
        *("-m", "swebench.harness.run_evaluation"),
        *("--dataset_name", "data dir/test.json"),
        *("--split", "test"),
        *("--predictions_path", "p.jsonl"),
        *("--run_id", submission.run_id),
        *("--instance_ids", "case-empty", "case-error", "case-infra", "case-invalid"),
        *("case-missing", "case-resolved", "case-unresolved"),
    )


@pytest.mark.parametrize("path", ["", " ", "a ", "\ta"])
def test_a_blank_path_is_refused(submission: Submission, path: str) -> None:
    """Kernel 13.2: the harness would take it for something else."""
    with pytest.raises(InvalidSubmission, match="dataset_path"):
        harness_arguments(submission, dataset_path=path, predictions_path="p.jsonl")
    with pytest.raises(InvalidSubmission, match="predictions_path"):
        harness_arguments(submission, dataset_path="d", predictions_path=path)
