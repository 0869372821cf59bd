"""An experiment is read and checked as a whole before anything is written or paid."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from assay.evaluators.assessment import Assessment
from assay.evaluators.case import Case
from assay.evaluators.errors import InputError
from assay.evaluators.function import evaluator
from assay.evaluators.registry import find
from assay.evaluators.sample import Sample
from assay.tasks.plan import Plan
from assay.tasks.plan_run import plan_run
from assay.tasks.trial_key import TrialKey

MakePlan = Callable[..., Plan]

EXPERIMENT = """\
name: demo
dataset: cases.jsonl
target: bot:answer
suite:
  - {id: exact, use: text.equals_expected}
"""


def _write(folder: Path, experiment: str = EXPERIMENT) -> Path:
    cases = [{"id": f"c{n}", "input": f"q{n}", "expected": f"Q{n}"} for n in range(3)]
    (folder / "cases.jsonl").write_text("\n".join(map(json.dumps, cases)), encoding="utf-8")
    (folder / "bot.py").write_text("def answer(given):\n    return given.upper()\n", "utf-8")
    path = folder / "experiment.yaml"
    path.write_text(experiment, encoding="utf-8")
    return path


def test_a_file_and_objects_make_the_same_plan(tmp_path: Path, make_plan: MakePlan) -> None:
    """Whoever moves from one to the other keeps cases, ids and digests."""
    read = plan_run(_write(tmp_path))
    made = plan_run(make_plan())
    assert made.fixture_id == read.fixture_id
    assert list(made.cases) == list(read.cases)
    assert [case.digest for case in made.cases.values()] == [
        case.digest for case in read.cases.values()
    ]
    assert [case.texts for case in made.cases.values()] == [
        case.texts for case in read.cases.values()
    ]
    assert made.suite.ids == read.suite.ids


def test_trials_are_planned_case_by_case(make_plan: MakePlan) -> None:
    """Repeats of a case are neighbours, so that a part of a run tells about whole cases."""
    planned = plan_run(make_plan(cases=2, repeats=2))
    assert list(planned.trials()) == [
        TrialKey("c0", 0),
        TrialKey("c0", 1),
        TrialKey("c1", 0),
        TrialKey("c1", 1),
    ]
    assert planned.counts() == {"cases": 2, "repeats": 2, "trials": 4, "assessments": 1}


def test_overrides_take_the_place_of_what_the_file_says(tmp_path: Path) -> None:
    """A flag is for this run, the file for all."""
    path = _write(tmp_path, EXPERIMENT + "repeats: 5\ngates: ['pass_rate >= 0.9']\n")
    planned = plan_run(path, {"limit": 2, "repeats": 1, "gates": ["mean(exact) >= 0.5"]})
    assert planned.counts()["trials"] == 2
    assert planned.settings.gates == ("mean(exact) >= 0.5",)


@pytest.mark.parametrize(
    ("target", "kind"),
    [
        ("{command: [python, bot.py]}", "command"),
        ('{http: "http://127.0.0.1:9/"}', "http"),
        ("bot:answer", "function"),
    ],
)
def test_each_form_of_a_target_can_be_planned(target: str, kind: str, tmp_path: Path) -> None:
    """Without being called."""
    path = _write(tmp_path, EXPERIMENT.replace("bot:answer", target))
    assert plan_run(path).target.identity.kind == kind


@pytest.mark.parametrize(
    ("lines", "name"),
    [
        ("adaptive_concurrency: true", "adaptive_concurrency"),
        ("trial_shape: batch", "trial_shape"),
        ("runner: dask", "runner"),
        ("baseline: some-run", "baseline"),
        ("budget: {cost: 1.0}", "budget"),
        ("budget: {tokens: 5}", "budget"),
        ("margin: {exact: 0.1}", "margin"),
    ],
)
def test_a_setting_that_would_do_nothing_is_refused(lines: str, name: str, tmp_path: Path) -> None:
    """Somebody counts on what he writes."""
    path = _write(tmp_path, EXPERIMENT + lines + "\n")
    with pytest.raises(InputError, match=rf"experiment\.yaml.*line 6.*expected no {name}"):
        plan_run(path)


@pytest.mark.parametrize(
    ("rule", "words"),
    [("mean(exakt) >= 0.5", "expected the id of an assessment out of exact, got 'exakt'")],
)
def test_a_gate_on_nothing_is_refused_where_it_stands(
    rule: str, words: str, tmp_path: Path
) -> None:
    """A misspelt id would fail the gate after the money is spent."""
    path = _write(tmp_path, EXPERIMENT + f"gates: ['{rule}']\n")
    with pytest.raises(InputError, match=words) as caught:
        plan_run(path)
    assert "experiment.yaml" in caught.value.place
    with pytest.raises(InputError, match=words) as caught:
        plan_run(_write(tmp_path), {"gates": [rule]})
    assert caught.value.place == "--gate"


def test_a_gate_without_form_is_refused_where_it_stands(tmp_path: Path) -> None:
    """Also when a flag brings it."""
    with pytest.raises(InputError, match="expected a form like") as caught:
        plan_run(_write(tmp_path), {"gates": ["good enough"]})
    assert caught.value.place == "--gate"


def test_a_gate_may_speak_of_a_cases_own_assessment(make_plan: MakePlan) -> None:
    """Those are declared like all others."""
    own = Assessment("own", find("text.equals_expected"))
    cases = [Case(id="a", input=1, expected=1, suite=[own])]
    planned = plan_run(make_plan(cases=cases, gates=["mean(own) >= 0.5"]))
    assert planned.suite_of("a").ids == ("exact", "own")
    with pytest.raises(InputError, match="out of exact, own"):
        plan_run(make_plan(cases=cases, gates=["mean(other) >= 0.5"]))


def test_an_id_of_a_case_may_not_clash_with_the_suite(make_plan: MakePlan) -> None:
    """One id is one column of the report."""
    cases = [Case(id="a", input=1, suite=[Assessment("exact", find("text.equals_expected"))])]
    with pytest.raises(InputError, match=r"case 'a'.*expected each id once, got 'exact' again"):
        plan_run(make_plan(cases=cases))


def test_an_id_that_stands_twice_in_the_suite_is_refused(make_plan: MakePlan) -> None:
    """Whoever makes a suite in Python is told as well."""
    twice = [Assessment("exact", find("text.equals_expected"))] * 2
    with pytest.raises(InputError, match="expected unique ids, got 'exact' twice"):
        plan_run(make_plan(suite=twice))


@pytest.mark.parametrize("part", ["name", "dataset", "target", "suite"])
def test_the_parts_of_a_plan_are_no_settings(part: str, make_plan: MakePlan) -> None:
    """One of two would win silently."""
    plan = make_plan()
    settings = {**plan.settings, part: "x"}
    with pytest.raises(InputError, match=f"expected {part} as a part of the plan"):
        plan_run(Plan(plan.name, plan.dataset, plan.target, plan.suite, settings))


def test_a_wrong_setting_of_a_plan_is_named(make_plan: MakePlan) -> None:
    """As one of a file is."""
    with pytest.raises(InputError, match=r"repeats: expected at least 1, got 0") as caught:
        plan_run(make_plan(repeats=0))
    assert caught.value.place == "plan"
    with pytest.raises(InputError, match="repeets"):
        plan_run(make_plan(repeets=1))
    with pytest.raises(InputError) as caught:
        plan_run(make_plan(select={"c0"}))
    assert caught.value.place == "plan.settings"


def test_settings_select_among_the_objects_too(make_plan: MakePlan) -> None:
    """And the selection has an identity of its own."""
    whole = plan_run(make_plan())
    part = plan_run(make_plan(select=["c2", "c0"]))
    assert list(part.cases) == ["c0", "c2"]
    assert part.fixture_id != whole.fixture_id
    with pytest.raises(InputError, match=r"plan\.dataset.*found no 'c9'"):
        plan_run(make_plan(select=["c9"]))


def test_an_input_that_json_cannot_hold_is_refused_before_the_run(make_plan: MakePlan) -> None:
    """It could be neither kept nor given to the target."""
    with pytest.raises(InputError, match=r"plan\.dataset, case 'a'"):
        plan_run(make_plan(cases=[Case(id="a", input={1, 2})]))


def test_what_cannot_be_called_is_refused(make_plan: MakePlan) -> None:
    """Before a run stands in the store."""
    with pytest.raises(InputError, match="target"):
        plan_run(make_plan(target=3))


def test_an_assessment_made_in_python_is_known_by_its_id_alone(make_plan: MakePlan) -> None:
    """No text can say what a function of a running program is."""

    @evaluator(revision="1")
    def own(_sample: Sample) -> bool:
        return True

    planned = plan_run(make_plan(cases=[Case(id="a", input=1, suite=[Assessment("own", own)])]))
    assert planned.cases["a"].suite == '[{"id":"own"}]'
