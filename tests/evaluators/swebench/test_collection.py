"""What the harness left is taken as a whole or not at all."""

import json
from collections.abc import Callable
from typing import Protocol

import pytest

from assay.evaluators.swebench import (
    ArtifactMismatch,
    Collection,
    Failure,
    InvalidArtifacts,
    NoGrade,
    RunSummary,
    Submission,
    TaskResult,
)


class Folder(Protocol):
    """The harness's folder of the fixture."""

    submission: Submission
    files: dict[str, bytes]

    @property
    def results(self) -> str:
        """The path of the totals."""
        ...

    def path(self, instance_id: str, name: str) -> str:
        """The path of a task's file."""
        ...

    def edit(self, path: str, change: Callable[[dict[str, object]], object]) -> None:
        """Change the JSON object in a file."""
        ...

    def collect(self) -> Collection:
        """Collect what is there."""
        ...


Break = Callable[[Folder], object]


def result(collection: Collection, instance_id: str) -> TaskResult:
    """The result of one task."""
    [one] = [one for one in collection.results if one.task.instance_id == instance_id]
    return one


def test_every_selected_task_has_a_status(folder: Folder) -> None:
    """Kernel 13 example 1: seven tasks of seven kinds, and their totals."""
    collection = folder.collect()
    assert [one.status for one in collection.results] == [
        "empty_patch",
        "error",
        "unresolved",
        "error",
        "missing_prediction",
        "resolved",
        "unresolved",
    ]
    assert collection.summary == RunSummary(
        total=7,
        submitted=6,
        completed=4,
        resolved=1,
        unresolved=2,
        missing_predictions=1,
        empty_patches=1,
        errors=2,
        infrastructure_failures=2,
        ambiguous_failures=1,
    )
    assert collection.summary.resolved_rate == 1 / 7


def test_an_unusable_report_is_complete_and_an_absent_one_is_not(folder: Folder) -> None:
    """Kernel 13 example 1: `case-invalid` completed with an error, `case-error` did not."""
    collection = folder.collect()
    invalid, error = result(collection, "case-invalid"), result(collection, "case-error")
    assert (invalid.completed, error.completed) == (True, False)
    assert isinstance(invalid.error, InvalidArtifacts)
    assert isinstance(error.error, NoGrade)


def test_failures_are_advice(folder: Folder) -> None:
    """Kernel 13.5: they classify, and change neither a status nor a total."""
    collection = folder.collect()
    infra = Failure(kind="infrastructure", reason="out_of_memory")
    assert result(collection, "case-infra").failure == infra
    assert result(collection, "case-unresolved").failure == Failure(
        kind="ambiguous", reason="tests_timed_out"
    )
    assert result(collection, "case-resolved").failure is None


def test_files_of_tasks_without_a_patch_are_not_looked_at(folder: Folder) -> None:
    """Kernel 13.3: a left-over of another run says nothing of an empty patch."""
    looked: list[str] = []

    def read(path: str) -> bytes | None:
        looked.append(path)
        return folder.files.get(path)

    Collection.gather(folder.submission, read)
    assert not [path for path in looked if "case-empty" in path or "case-missing" in path]


def drop(folder: Folder, instance_id: str, name: str) -> None:
    """Remove a task's file."""
    del folder.files[folder.path(instance_id, name)]


def put(folder: Folder, instance_id: str, name: str, content: bytes) -> None:
    """Write a task's file."""
    folder.files[folder.path(instance_id, name)] = content


def entry(instance_id: str, **members: object) -> Break:
    """A change of a task's report."""

    def change(tree: dict[str, object]) -> None:
        inner = tree[instance_id]
        if isinstance(inner, dict):
            inner.update(members)

    return lambda folder: folder.edit(folder.path(instance_id, "report.json"), change)


MISMATCHES: dict[str, Break] = {
    "wrong patch bytes": lambda it: put(it, "case-resolved", "patch.diff", b"--- a\n+++ b\n"),
    "wrong patch without a report": lambda it: put(it, "case-error", "patch.diff", b"other"),
    "missing patch.diff": lambda it: drop(it, "case-resolved", "patch.diff"),
    "missing patch.diff beside an unusable report": lambda it: drop(
        it, "case-invalid", "patch.diff"
    ),
    "another instance": lambda it: put(
        it, "case-resolved", "report.json", it.files[it.path("case-unresolved", "report.json")]
    ),
    "patch_is_None": entry("case-resolved", patch_is_None=True),
}


@pytest.mark.parametrize("name", MISMATCHES)
def test_files_of_something_else_abort_the_collection(folder: Folder, name: str) -> None:
    """Kernel 13 example 3: no case of it is kept."""
    MISMATCHES[name](folder)
    with pytest.raises(ArtifactMismatch):
        folder.collect()


def test_no_patch_is_needed_where_there_is_no_report(folder: Folder) -> None:
    """Kernel 13.3: an error that the harness met before it wrote the patch."""
    drop(folder, "case-error", "patch.diff")
    assert result(folder.collect(), "case-error").status == "error"


def totals(**members: object) -> Break:
    """A change of the totals."""
    return lambda folder: folder.edit(folder.results, lambda tree: tree.update(members))


BAD_TOTALS: dict[str, Break] = {
    "total 1": totals(total_instances=1),
    "submitted 7": totals(submitted_instances=7),
    "duplicated id": totals(resolved_ids=["case-resolved"] * 2, resolved_instances=2),
    "infra id of a resolved case": totals(
        infra_failure_ids=["case-resolved"],
        infra_failure_instances=1,
        failure_reasons={"case-resolved": "r", "case-unresolved": "r"},
    ),
    "schema 3": totals(schema_version=3),
    "extra member": totals(more=1),
    "absent": lambda it: it.files.pop(it.results),
    "empty": lambda it: it.files.update({it.results: b""}),
}


@pytest.mark.parametrize("name", BAD_TOTALS)
def test_totals_that_do_not_reconcile_abort_the_collection(folder: Folder, name: str) -> None:
    """Kernel 13 example 5."""
    BAD_TOTALS[name](folder)
    with pytest.raises(InvalidArtifacts, match=r"results\.json: "):
        folder.collect()


BAD_REPORTS: dict[str, Break] = {
    "missing field": lambda it: it.edit(
        it.path("case-resolved", "report.json"),
        lambda tree: tree.update({"case-resolved": {"resolved": True}}),
    ),
    "null field": entry("case-resolved", resolved=None),
    "duplicate field": lambda it: put(
        it,
        "case-resolved",
        "report.json",
        it.files[it.path("case-resolved", "report.json")].replace(
            b'"resolved": true', b'"resolved": true, "resolved": true'
        ),
    ),
    "unknown field": entry("case-resolved", more=1),
    "contradiction": entry("case-resolved", infra_failure=True, infra_failure_reason="r"),
}


@pytest.mark.parametrize("name", BAD_REPORTS)
def test_a_bad_report_is_an_error_which_the_totals_deny(folder: Folder, name: str) -> None:
    """Kernel 13 example 6: and where they confirm it, the rest is collected."""
    BAD_REPORTS[name](folder)
    with pytest.raises(InvalidArtifacts, match="'case-resolved' is unusable"):
        folder.collect()
    totals(
        resolved_ids=[],
        resolved_instances=0,
        error_ids=["case-resolved", "case-error", "case-invalid"],
        error_instances=3,
    )(folder)
    one = result(folder.collect(), "case-resolved")
    assert (one.status, one.completed, one.official) == ("error", True, None)


def test_a_file_that_cannot_be_read_aborts_the_collection(folder: Folder) -> None:
    """Kernel 13.3: only absence is absence."""
    places = [folder.path("case-resolved", name) for name in ("patch.diff", "report.json")]
    for place in [*places, folder.results]:

        def read(path: str, place: str = place) -> bytes | None:
            if path == place:
                message = "no permission"
                raise InvalidArtifacts(message)
            return folder.files.get(path)

        with pytest.raises(InvalidArtifacts, match="no permission"):
            Collection.gather(folder.submission, read)


def test_what_a_candidate_prints_resolves_nothing(folder: Folder) -> None:
    """Fault B46: the grader's success marker in the output while the report says otherwise."""
    before = folder.collect()
    printed = b'PASSED test_it\n{"resolved": true}\n'
    put(folder, "case-unresolved", "test_output.txt", printed)
    put(folder, "case-error", "test_output.txt", printed)
    put(folder, "case-error", "run_instance.log", printed)
    after = folder.collect()
    assert [one.status for one in after.results] == [one.status for one in before.results]
    assert after.summary == before.summary


def test_results_are_in_the_order_of_the_tasks(folder: Folder) -> None:
    """Kernel 13.3: selection order, and a collection of other tasks cannot be built."""
    collection = folder.collect()
    assert tuple(one.task.instance_id for one in collection.results) == (
        folder.submission.selection.ids
    )
    with pytest.raises(InvalidArtifacts, match="in their order"):
        Collection(
            submission=collection.submission,
            results=collection.results[::-1],
            totals=collection.totals,
        )


@pytest.mark.parametrize(
    "members",
    [
        {"run_id": "0" * 64},
        {"selection_digest": "sha256:" + "0" * 64},
        {"candidate_digest": "sha256:" + "0" * 64},
        {"failure": Failure(kind="ambiguous", reason="r")},
    ],
    ids=lambda members: next(iter(members)),
)
def test_results_of_another_submission_make_no_collection(
    folder: Folder, members: dict[str, object]
) -> None:
    """A grade says what it rests on, so it cannot stand for anything else."""
    collection = folder.collect()
    one = result(collection, "case-resolved")
    given = {name: getattr(one, name) for name in TaskResult.model_fields}
    other = TaskResult.model_validate({**given, **members})
    with pytest.raises(InvalidArtifacts, match="those of the submission"):
        Collection(
            submission=collection.submission,
            results=tuple(other if each == one else each for each in collection.results),
            totals=collection.totals,
        )


def test_the_official_report_is_kept_whole(folder: Folder) -> None:
    """Kernel 13.6: a copy of what the harness said."""
    official = result(folder.collect(), "case-resolved").official
    assert official is not None
    content = folder.files[folder.path("case-resolved", "report.json")]
    assert json.loads(official.encode()) == json.loads(content)
