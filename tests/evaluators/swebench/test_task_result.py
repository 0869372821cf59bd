"""A report is what the harness said, or there is none."""

import asyncio
import hashlib
from typing import Protocol

import pytest

from assay.evaluators.assessment import Assessment
from assay.evaluators.errors import InvalidReport
from assay.evaluators.experiment import Experiment
from assay.evaluators.projection import Projection
from assay.evaluators.sample import Sample
from assay.evaluators.suite import Suite
from assay.evaluators.swebench import (
    HARNESS_REVISION,
    Collection,
    InvalidArtifacts,
    NoGrade,
    Resolved,
    Submission,
    TaskResult,
)


class Folder(Protocol):
    """The harness's folder of the fixture."""

    submission: Submission
    files: dict[str, bytes]

    def path(self, instance_id: str, name: str) -> str:
        """The path of a task's file."""
        ...

    def collect(self) -> Collection:
        """Collect what is there."""
        ...


def result(folder: Folder, instance_id: str) -> TaskResult:
    """The result of one task."""
    [one] = [one for one in folder.collect().results if one.task.instance_id == instance_id]
    return one


def changed(one: TaskResult, **members: object) -> TaskResult:
    """The result with other members."""
    given = {name: getattr(one, name) for name in TaskResult.model_fields}
    return TaskResult.model_validate({**given, **members})


def test_an_official_report_scores_one_or_zero(folder: Folder) -> None:
    """Kernel 13.6: metric, score, policy; the same parameter in both identities."""
    revision = {"harness_revision": HARNESS_REVISION}
    for name, score, verdict in (("case-resolved", 1, "pass"), ("case-unresolved", 0, "fail")):
        report = result(folder, name).report()
        assert (str(report.metric), report.score, report.verdict) == (
            "swebench/resolved",
            score,
            verdict,
        )
        assert report.metric.parameters.decoded() == revision
        assert report.decision is not None
        assert report.decision.policy == "swebench/resolved"
        assert report.decision.parameters.decoded() == revision


def test_the_grade_says_what_it_rests_on(folder: Folder) -> None:
    """Kernel 13.6: the members of the metadata, those of the failure in capitals."""
    one = result(folder, "case-infra")
    content = folder.files[folder.path("case-infra", "report.json")]
    assert one.report().metadata.decoded() == {
        "grade": {
            "id": one.grade_id,
            "run_id": folder.submission.run_id,
            "selection_digest": folder.submission.selection.digest,
            "task": {"instance_id": "case-infra", "digest": one.task.digest},
            "candidate_digest": "sha256:" + hashlib.sha256(b"infra\n").hexdigest(),
            "report_digest": "sha256:" + hashlib.sha256(content).hexdigest(),
            "failure": {"Kind": "infrastructure", "Reason": "out_of_memory"},
        }
    }
    resolved = result(folder, "case-resolved").report().metadata.decoded()["grade"]
    assert isinstance(resolved, dict)
    assert "failure" not in resolved


def test_the_grade_id_is_the_digest_of_its_parts(folder: Folder) -> None:
    """Kernel 13.6: in this order, and empty without an official report."""
    one = result(folder, "case-resolved")
    text = (
        f"{one.run_id}{one.selection_digest}{one.task.digest}{HARNESS_REVISION}"
        f"{one.candidate_digest}{one.report_digest}"
    )
    assert one.grade_id == "sha256:" + hashlib.sha256(text.encode()).hexdigest()
    assert result(folder, "case-invalid").grade_id == ""


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("case-empty", "empty_patch"),
        ("case-missing", "missing_prediction"),
        ("case-error", "the harness wrote no report"),
        ("case-invalid", "Expecting value"),
    ],
)
def test_without_an_official_report_there_is_no_grade(folder: Folder, name: str, why: str) -> None:
    """Kernel 13.6: with the recorded cause or the status, never a fabricated zero."""
    one = result(folder, name)
    with pytest.raises(NoGrade, match=why) as raised:
        one.report()
    assert raised.value.__cause__ is one.error


def test_an_infrastructure_failure_does_not_excuse(folder: Folder) -> None:
    """Kernel 13.6: an unresolved report with advice still scores 0."""
    report = result(folder, "case-infra").report()
    assert (report.score, report.verdict) == (0, "fail")


def test_a_byte_more_in_the_report_is_another_grade(folder: Folder) -> None:
    """Kernel 13 example 4: the digest is of the exact bytes; the candidate is the same."""
    before = result(folder, "case-resolved")
    folder.files[folder.path("case-resolved", "report.json")] += b"\n"
    after = result(folder, "case-resolved")
    assert after.report_digest != before.report_digest
    assert after.grade_id != before.grade_id
    assert after.candidate_digest == before.candidate_digest
    assert after.status == before.status


def test_another_attempt_changes_run_and_grade_alone(folder: Folder) -> None:
    """Kernel 13 example 4: grading again needs a new attempt, and shows as one."""
    before = result(folder, "case-resolved")
    old = folder.submission
    members = {name: getattr(old, name) for name in Submission.model_fields}
    folder.submission = Submission.model_validate({**members, "attempt_id": "attempt-2"})
    folder.files = {
        path.replace(old.run_id, folder.submission.run_id): content
        for path, content in folder.files.items()
    }
    after = result(folder, "case-resolved")
    assert after.run_id != before.run_id
    assert after.grade_id != before.grade_id
    assert changed(after, run_id=before.run_id) == before


def test_a_result_cannot_contradict_itself(folder: Folder) -> None:
    """Its status is derived, so the parts have to fit."""
    one = result(folder, "case-resolved")
    other = result(folder, "case-unresolved")
    for members in (
        {"official": other.official},
        {"report_digest": None},
        {"candidate_digest": None},
        {"official": None},
        {"error": NoGrade("none")},
    ):
        with pytest.raises(InvalidArtifacts):
            changed(one, **members)


def output_of(sample: Sample) -> TaskResult:
    """The subject of a sample."""
    if not isinstance(sample.output, TaskResult):
        message = "expected a result"
        raise InvalidReport(message)
    return sample.output


def test_an_experiment_takes_the_results_as_subjects(folder: Folder) -> None:
    """Kernel 13.6: fixture and case ids are official, a task without a grade is unverified."""
    collection = folder.collect()
    dataset = collection.dataset()
    assert dataset.fixture_id == folder.submission.selection.digest
    assert tuple(case.id for case in dataset) == folder.submission.selection.ids
    official = Assessment("official", Projection(Resolved(), output_of, name="output"))
    experiment = Experiment(dataset, Suite((official,)))
    report = asyncio.run(experiment.run()).report
    statuses = [case.suite.results[0].status for case in report.cases]
    assert statuses == ["completed" if one.official else "unverified" for one in collection.results]
    scores = [
        one.report.score
        for case in report.cases
        for one in case.suite.results
        if one.report is not None
    ]
    assert sum(score or 0 for score in scores) / len(scores) == 1 / 3
    assert collection.summary.resolved_rate == 1 / 7
