"""A plan as grading needs it, from the store alone."""

from collections.abc import Callable
from pathlib import Path

import pytest

from assay.evaluators.assessment import Assessment
from assay.evaluators.case import Case
from assay.evaluators.errors import InputError
from assay.evaluators.registry import find
from assay.tasks.plan import Plan
from assay.tasks.prepare_run import prepare_run
from assay.tasks.prepared_run import PreparedRun
from assay.tasks.recall_plan import recall_plan

Prepare = Callable[..., PreparedRun]


def test_cases_and_suite_are_those_of_the_run(graded_folder: Path, address: str) -> None:
    """In order, with digests and texts."""
    prepared = prepare_run(graded_folder / "experiment.yaml", store=address)
    plan = recall_plan(prepared.run)
    assert list(plan.cases) == ["c0", "c1", "c2", "c3"]
    for case_id, case in prepared.planned.cases.items():
        assert plan.cases[case_id].texts == case.texts
        assert plan.cases[case_id].digest == case.digest
    assert plan.suite.ids == prepared.planned.suite.ids
    identities = [
        [one.evaluator.descriptor.identity for one in suite.assessments]
        for suite in (plan.suite, prepared.planned.suite)
    ]
    assert identities[0] == identities[1]
    assert plan.fixture_id == prepared.planned.fixture_id


def test_a_regrade_collects_whatever_the_run_did(graded_folder: Path, address: str) -> None:
    """Failing fast saves target calls, and grading has none."""
    experiment = graded_folder / "experiment.yaml"
    experiment.write_text(experiment.read_text() + "error_policy: fail_fast\n")
    plan = recall_plan(prepare_run(experiment, store=address).run)
    assert plan.suite.error_policy == "collect"


def test_a_cases_assessment_made_in_python_cannot_be_recalled(prepare: Prepare) -> None:
    """And the sentence says which, and of which case."""
    own = Assessment("own", find("text.equals_expected"))
    prepared = prepare(cases=[Case(id="a", input="x", expected="X", suite=[own])])
    suite = Path(__file__).parent / "no-matter.yaml"
    with pytest.raises(InputError, match="'exact' was made in Python"):
        recall_plan(prepared.run)
    with pytest.raises(InputError, match=r"no-matter\.yaml"):
        recall_plan(prepared.run, suite=suite)


def test_a_plan_whose_graders_have_gone_is_refused(graded_folder: Path, address: str) -> None:
    """Naming the run and what is missing."""
    prepared = prepare_run(graded_folder / "experiment.yaml", store=address)
    (graded_folder / "graders.py").unlink()
    with pytest.raises(InputError, match=rf"run {prepared.run.run_id}.*graders"):
        recall_plan(prepared.run)


def test_an_own_assessment_of_a_case_is_refused_by_name(
    make_plan: Callable[..., Plan], address: str, tmp_path: Path
) -> None:
    """Even where the suite itself comes from a file."""
    own = Assessment("own", find("text.equals_expected"))
    cases = [Case(id="a", input="x", expected="X", suite=[own])]
    prepared = prepare_run(make_plan(cases=cases), store=address)
    suite = tmp_path / "suite.yaml"
    suite.write_text("- {id: exact, use: text.equals_expected}\n")
    with pytest.raises(InputError, match=r"case 'a'.*'own' was made in Python"):
        recall_plan(prepared.run, suite=suite)
