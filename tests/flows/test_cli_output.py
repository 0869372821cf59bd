"""What commands print: for people on any terminal, and for machines with the promised members."""

import json
import re
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Assay = Callable[..., Any]
Finish = Callable[..., Any]

NASTY = "\x1b[2J[bold]\n\u202e=\u200b1 日本"
"""An id or label that a terminal, a printer of markup or a table would obey (B54)."""

TRIALS = [
    "planned",
    "graded",
    "partly_graded",
    "ungraded",
    "not_applicable",
    "target_failed",
    "not_run",
    "late",
    "abandoned",
]
RUN = {
    "run_id": "",
    "grading_id": "",
    "experiment": "",
    "trials": dict.fromkeys(TRIALS, 0),
    "target_calls": 0,
    "grades": {"computed": 0, "reused": 0},
    "pass_rate": {"over_planned": 0, "over_graded": 0, "low": 0, "high": 0},
    "cases": dict.fromkeys(
        ("total", "evaluated", "passed", "failed", "unjudged", "errors", "partial"), 0
    ),
    "usage": None,
    "cost": None,
    "duration_seconds": dict.fromkeys(
        ("count", "mean", "minimum", "p10", "p50", "p90", "maximum", "p95"), 0
    ),
    "flaky": [],
    "assessments": [],
    "gates": [],
    "exit_code": 0,
}
"""The members of DESIGN 8.2 for a run, a regrade and a look at one."""

RUN_EXTRAS = {"target_errors", "failures", "gradings"}
"""Members beside them: failures by class, an example of each kind, and the run's gradings."""

RATE_EXTRAS = {"passes", "planned", "judged", "unknown", "target_failures"}
"""The counts that the rates rest on, and what a failed target counts as."""

ASSESSMENT = [
    "id",
    "metric",
    "completed",
    "failed",
    "canceled",
    "not_evaluated",
    "unverified",
    "skipped",
    "passed",
    "not_passed",
    "unjudged",
    "score",
    "measurement",
    "labels",
]
DISTRIBUTION = ("count", "mean", "minimum", "p10", "p50", "p90", "maximum")

COMPARISON = [
    "baseline",
    "candidate",
    "evaluated_delta",
    "error_delta",
    "matched_cases",
    "assessments",
    "usage_delta",
    "cost_delta",
    "duration_delta",
    "cases",
    "exit_code",
]
DELTA = ["present", "mean", "matched", "baseline_only", "candidate_only", "low", "high", "p_value"]
DECISION_DELTA = [
    "matched",
    "baseline_only",
    "candidate_only",
    "incompatible",
    "passed_delta",
    "failed_delta",
]


@pytest.fixture
def graded(folder: Path, finish: Finish) -> str:
    """The id of a run with a decision, a score and a label, of two cases."""
    (folder / "graders.py").write_text(
        """
from assay import evaluator

@evaluator(name="same", revision="1")
def same(sample) -> bool:
    return sample.output == sample.expected

@evaluator(name="share", revision="1")
def share(sample) -> float:
    return 0.5

@evaluator(name="kind", revision="1")
def kind(sample) -> str:
    return sample.output

@evaluator(name="broken", revision="1")
def broken(sample) -> bool:
    raise ValueError(sample.output)
"""
    )
    names = ("same", "share", "kind", "broken")
    suite = ", ".join(f'{{id: {name}, use: "graders:{name}"}}' for name in names)
    (folder / "experiment.yaml").write_text(
        f"name: demo\ndataset: cases.jsonl\ntarget: bot:answer\nsuite: [{suite}]\n"
        'gates: ["pass_rate >= 0.1", "mean(share) >= 0.5"]\n'
    )
    return str(finish("monday-1").run_id)


def test_a_run_has_the_members_of_the_design(graded: str, assay: Assay) -> None:
    """Scripts read these names; one that is renamed breaks them without a word."""
    answer = assay("show", graded, "--json").json()
    assert answer.keys() == RUN.keys() | RUN_EXTRAS
    for name in ("trials", "grades", "cases", "duration_seconds"):
        assert answer[name].keys() == RUN[name].keys(), name
    assert answer["pass_rate"].keys() == RUN["pass_rate"].keys() | RATE_EXTRAS
    for one in answer["assessments"]:
        assert one.keys() == {*ASSESSMENT, "metrics"}
    scores = {one["id"]: one["score"] for one in answer["assessments"]}
    assert scores["share"].keys() == set(DISTRIBUTION)
    assert scores["same"] is None
    for gate in answer["gates"]:
        assert gate.keys() == {"rule", "outcome", "value", "n"}
    assert answer["failures"][0].keys() == {
        "assessment",
        "error_class",
        "count",
        "trial",
        "example",
    }


def test_a_comparison_has_the_members_of_the_design(graded: str, assay: Assay) -> None:
    """The same for whoever watches a difference."""
    answer = assay("compare", graded, graded, "--json").json()
    assert answer.keys() == set(COMPARISON)
    for one in answer["assessments"]:
        assert one.keys() >= {
            "id",
            "metric",
            "score_delta",
            "measurement_delta",
            "decision_delta",
            "verdict",
        }
        assert one["score_delta"].keys() >= set(DELTA)
        assert one["measurement_delta"].keys() == one["score_delta"].keys()
        assert one["decision_delta"].keys() == set(DECISION_DELTA)
    assert answer["cases"] == [
        {"id": "a", "change": "errored"},
        {"id": "b", "change": "errored"},
    ]
    assert answer["exit_code"] == 0


def test_the_exit_code_is_in_the_answer_and_of_the_process(graded: str, assay: Assay) -> None:
    """Some hosts keep one of the two alone."""
    said = assay("show", graded, "--json")
    assert said.json()["exit_code"] == said.code == 3


def test_numbers_are_numbers_and_absence_is_null(graded: str, assay: Assay) -> None:
    """NaN is no JSON, and many parsers take it for an error or a string."""
    text = assay("show", graded, "--json").out
    json.loads(text, parse_constant=pytest.fail)
    assert text.isascii()


@pytest.mark.parametrize("columns", ["40", "80", "200"])
def test_every_line_fits_the_terminal(
    graded: str, assay: Assay, monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    """A table that is broken by the terminal is no table."""
    monkeypatch.setenv("COLUMNS", columns)
    for command in (["show", graded], ["compare", graded, graded], ["list"]):
        said = assay(*command)
        lines = [line for line in said.out.splitlines() if not line.startswith(("run", "grading"))]
        assert max(map(len, lines)) <= int(columns)


def test_people_are_told_counts_calls_and_reasons(graded: str, assay: Assay) -> None:
    """The numbers with what is missing, what was paid, and why something failed."""
    lines = assay("show", graded).out.splitlines()
    assert "pass rate over planned trials: 0.0 % (0/2)" in lines
    assert "  between 0.0 % and 50.0 %, whichever way 1 unknown trial went" in lines
    assert "2 trials planned, 2 partly graded" in lines
    assert "broken: 2 failed, internal; a#0: ValueError: one" in lines
    assert any(line.startswith("gradings of the run: g") for line in lines)
    assert "result: undecided, 1 unknown trial" in lines
    assert any(re.fullmatch(r"broken +0 +2 failed", line) for line in lines)


@pytest.fixture
def nasty(folder: Path, finish: Finish) -> str:
    """The id of a run whose ids, labels and errors are all hostile."""
    (folder / "graders.py").write_text(
        f"""
from assay import evaluator

@evaluator(name="kind", revision="1")
def kind(sample) -> str:
    return {NASTY!r}.replace("\\n", " ")

@evaluator(name="broken", revision="1")
def broken(sample) -> bool:
    raise ValueError({NASTY!r})
"""
    )
    cases = [{"id": f"{n}{NASTY}", "input": NASTY, "expected": NASTY} for n in range(2)]
    (folder / "cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))
    uses = {f"kind {NASTY}": "graders:kind", "broken": "graders:broken"}
    suite = [{"id": one, "use": use} for one, use in uses.items()]
    (folder / "experiment.json").write_text(
        json.dumps(
            {"name": NASTY, "dataset": "cases.jsonl", "target": "bot:answer", "suite": suite}
        )
    )
    return str(finish("monday-1", "experiment.json").run_id)


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
@pytest.mark.parametrize("columns", ["40", "100"])
def test_what_a_model_wrote_is_inert(
    nasty: str, assay: Assay, monkeypatch: pytest.MonkeyPatch, columns: str, encoding: str
) -> None:
    """A label must not clear the screen of whoever looks at the report."""
    monkeypatch.setenv("COLUMNS", columns)
    for command in (["show", nasty], ["compare", nasty, nasty], ["list"]):
        said = assay(*command, encoding=encoding)
        assert said.code in (0, 3), said.err
        assert said.err == ""
        kinds = {unicodedata.category(char) for char in said.out.replace("\n", "")}
        assert not kinds & {"Cc", "Cf", "Cs", "Zl", "Zp"}
    assert "[bold]" in assay("show", nasty).out.replace("\n", "")


def test_a_machine_gets_the_text_as_it_was(nasty: str, assay: Assay) -> None:
    """What is inert for people is intact for programs."""
    answer = assay("compare", nasty, nasty, "--json").json()
    assert [case["id"] for case in answer["cases"]] == [f"{n}{NASTY}" for n in range(2)]


def test_an_empty_store_is_said_to_be_empty(folder: Path, assay: Assay) -> None:
    """Nothing printed would leave open whether the right store was looked at."""
    said = assay("list")
    assert said.out == f"no runs in {folder / '.assay'}\n" or "no runs in" in said.out
    assert assay("list", "--json").json() == {"runs": [], "exit_code": 0}
