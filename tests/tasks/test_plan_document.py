"""What a plan says on disk."""

from collections.abc import Callable
from pathlib import Path

from assay.evaluators.assessment import Assessment
from assay.evaluators.case import Case
from assay.evaluators.function import evaluator
from assay.evaluators.registry import find
from assay.evaluators.sample import Sample
from assay.tasks.plan import Plan
from assay.tasks.plan_document import assessment_document, grading_document, plan_document
from assay.tasks.plan_run import plan_run
from assay.tasks.read_suite import read_suite

MakePlan = Callable[..., Plan]


def test_a_plan_names_its_parts_and_the_versions_that_decide(make_plan: MakePlan) -> None:
    """A run must be readable when nothing but its folder is left."""
    document = plan_document(plan_run(make_plan(repeats=2)))
    assert document["name"] == "plan"
    assert document["counts"] == {"cases": 3, "repeats": 2, "trials": 6, "assessments": 1}
    assert {"python", "prefect", "polars", "pyarrow"} <= set(document["versions"])  # type: ignore[call-overload]
    assert document["experiment"]["concurrency"] == 8  # type: ignore[index]


def test_numbers_of_a_configuration_are_numbers() -> None:
    """Also those whose spelling the evaluator's identity keeps."""

    @evaluator(revision="1")
    def near(_sample: Sample, *, minimum: float = 0.5) -> bool:
        return minimum > 0

    document = assessment_document(Assessment("near", near))
    assert document["evaluator"]["configuration"] == {"minimum": 0.5}  # type: ignore[index]
    assert document["evaluator"]["identity"] == near.descriptor.identity  # type: ignore[index]
    assert document["entry"] is None


def test_an_entry_is_kept_as_it_was_written(tmp_path: Path) -> None:
    """Without the defaults, which a later version may change."""
    entry = {"id": "exact", "use": "text.equals_expected", "with": {"ignore_case": True}}
    (assessment,) = read_suite([entry], tmp_path)
    assert assessment_document(assessment)["entry"] == entry


def test_a_case_declares_its_own_assessments_only(make_plan: MakePlan) -> None:
    """The suite's stand beside them once, not once for each case."""
    own = Assessment("own", find("text.equals_expected"))
    cases = [Case(id="a", input=1, suite=[own]), Case(id="b", input=2)]
    planned = plan_run(make_plan(cases=cases))
    head = grading_document(planned.suite, planned.cases, "f", origin="run")
    assert head["assessment_ids"] == ["exact"]
    assert head["case_assessment_ids"] == {"a": ["own"]}
    assert list(plan_document(planned)["case_assessments"]) == ["a"]  # type: ignore[call-overload]
