"""The quickstart's own files: real data with its source, an honest caller, graders that hold."""

import hashlib
import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from ruamel.yaml import YAML

from assay.evaluators.case import Case
from assay.evaluators.errors import Skip
from assay.evaluators.execution import Execution
from assay.evaluators.sample import Sample

FOLDER = Path(__file__).parents[2] / "examples" / "quickstart"
CASES = (FOLDER / "cases.jsonl").read_text(encoding="utf-8")
ROWS: list[dict[str, Any]] = [json.loads(line) for line in CASES.split("\n") if line]


def load(name: str) -> ModuleType:
    """Return a module of the example, under a name of its own."""
    spec = importlib.util.spec_from_file_location(f"quickstart_{name}", FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


bot, graders, make_cases = load("bot"), load("graders"), load("make_cases")


def sample(row: dict[str, Any], output: object) -> Sample:
    """Return the sample of a case of the quickstart with this answer."""
    case = Case(id=row["id"], input=row["input"], expected=row["expected"])
    return Sample(case, Execution(output=output))


def call(row: dict[str, Any], arguments: dict[str, object]) -> dict[str, object]:
    """Return a call of the function of the case."""
    return {"name": row["metadata"]["function"], "arguments": arguments}


def concrete(value: object) -> object:
    """Return a value for one in which each member of an object lists what is accepted."""
    if isinstance(value, dict):
        return {name: concrete(options[0]) for name, options in value.items() if options[0] != ""}
    if isinstance(value, list):
        return [concrete(each) if isinstance(each, dict) else each for each in value]
    return value


def accepted_arguments(row: dict[str, Any], place: int) -> dict[str, object]:
    """Return arguments made of the first (0) or last (-1) accepted value of each parameter."""
    (accepted,) = row["expected"].values()
    real = {name: [value for value in values if value != ""] for name, values in accepted.items()}
    return {name: concrete(values[place]) for name, values in real.items() if values}


def grade_one(
    schema: dict[str, Any], accepted: list[object], arguments: dict[str, object]
) -> Sample:
    """Return a sample whose function has the one required parameter `x`."""
    function = {"name": "f", "parameters": {"properties": {"x": schema}, "required": ["x"]}}
    case = Case(id="one", input={"functions": [function]}, expected={"f": {"x": accepted}})
    return Sample(case, Execution(output={"name": "f", "arguments": arguments}))


def test_the_source_note_has_the_digest_of_the_cases() -> None:
    """Whoever doubts the data can make it again and compare."""
    digest = hashlib.sha256((FOLDER / "cases.jsonl").read_bytes()).hexdigest()
    assert digest in (FOLDER / "SOURCE.md").read_text(encoding="utf-8")


def test_every_line_is_what_the_script_makes_of_its_source() -> None:
    """The conversion changes the form alone, so it can be undone and done again."""
    lines = []
    for row in ROWS:
        turn = {"role": "user", "content": row["input"]["question"]}
        question = {
            "id": row["id"],
            "question": [[turn]],
            "function": row["input"]["functions"],
        }
        answer = {"id": row["id"], "ground_truth": [row["expected"]]}
        lines.append(json.dumps(make_cases.case(question, answer), ensure_ascii=False) + "\n")
    assert "".join(lines) == CASES


def test_a_question_beside_another_answer_is_refused() -> None:
    """Two files that went out of step would give every case a wrong expectation."""
    with pytest.raises(ValueError, match="a stands beside the answer of b"):
        make_cases.case({"id": "a"}, {"id": "b"})


def test_there_are_four_hundred_cases_with_ids_of_their_own() -> None:
    """The example is real input in a size that says something."""
    assert len({row["id"] for row in ROWS}) == len(ROWS) == 400


@pytest.mark.parametrize("place", [0, -1], ids=["first", "last"])
def test_a_call_made_of_accepted_values_is_accepted(place: int) -> None:
    """A grader that refuses the reference answer would measure itself, not the target."""
    refused = [
        row["id"]
        for row in ROWS
        if not graders.accepted.function(sample(row, call(row, accepted_arguments(row, place))))
    ]
    assert refused == []


def test_a_call_without_one_of_its_arguments_is_not_accepted() -> None:
    """Leaving out a required argument is the caller's commonest mistake: it must show."""
    for row in ROWS:
        arguments = accepted_arguments(row, 0)
        del arguments[row["input"]["functions"][0]["parameters"]["required"][0]]
        graded = sample(row, call(row, arguments))
        assert not graders.accepted.function(graded)
        assert graders.mistake.function(graded) == "missing_argument"
        assert graders.argument_share.function(graded) < 1


NUMBERS = {"type": "array", "items": {"type": "float"}}
WORDS = {"type": "array", "items": {"type": "string"}}


@pytest.mark.parametrize(
    ("schema", "accepted", "value", "mistake"),
    [
        ({"type": "integer"}, [5], 5, "none"),
        ({"type": "integer"}, [5], 6, "wrong_value"),
        ({"type": "integer"}, [5], 5.5, "wrong_type"),
        ({"type": "integer"}, [1], True, "wrong_type"),
        ({"type": "float"}, [5.0], 5, "none"),
        ({"type": "float"}, [0.5], "0.5", "wrong_type"),
        ({"type": "boolean"}, [True], True, "none"),
        ({"type": "string"}, ["New York, NY"], "new york ny.", "none"),
        ({"type": "string"}, ["New York"], "New Jersey", "wrong_value"),
        ({"type": "string"}, ["it's"], 'it"s', "none"),
        ({"type": "integer"}, ["n"], "n", "none"),
        ({"type": "integer"}, ["n"], "N", "wrong_value"),
        (NUMBERS, [[1.5, 2.0]], [1.5, 2], "none"),
        (NUMBERS, [[1.5, 2.0]], [2, 1.5], "wrong_value"),
        (NUMBERS, [[1.5, 2.0]], ["1.5", "2"], "wrong_type"),
        (WORDS, [["A", "b"]], ["a", "B."], "none"),
        (WORDS, [["a"], ""], [], "none"),
        ({"type": "dict"}, [{"k": ["v", "w"], "o": ["x", ""]}], {"k": "W"}, "none"),
        ({"type": "dict"}, [{"k": ["v"], "o": ["x"]}], {"k": "v"}, "wrong_value"),
        ({"type": "dict"}, [{"k": ["v"]}], {"k": "v", "more": 1}, "wrong_value"),
    ],
)
def test_an_argument_is_judged_by_the_leaderboards_rules(
    schema: dict[str, Any], accepted: list[object], value: object, mistake: str
) -> None:
    """The known values of each rule: type, number, text, list, object, left out."""
    graded = grade_one(schema, accepted, {"x": value})
    assert graders.mistake.function(graded) == mistake
    assert graders.accepted.function(graded) == (mistake == "none")


def test_the_gravest_mistake_gives_the_label() -> None:
    """One label a case, whatever else is wrong with it."""
    schema = {"type": "integer"}
    assert graders.mistake.function(grade_one(schema, [1], {"y": 1})) == "missing_argument"
    assert graders.mistake.function(grade_one(schema, [1], {"x": 2, "y": 1})) == "extra_argument"


@pytest.mark.parametrize(
    "output", [None, "f(1)", [], {"name": "g", "arguments": {}}, {"name": "f"}]
)
def test_an_answer_that_is_no_call_is_a_wrong_answer(output: object) -> None:
    """What a target says badly is its own failure, never the grader's."""
    graded = sample(ROWS[0], output)
    assert not graders.accepted.function(graded)
    assert graders.mistake.function(graded) == "wrong_function"
    assert graders.argument_share.function(graded) == 0


def test_a_call_that_needs_no_argument_has_no_share() -> None:
    """Nothing of nothing is no number: the check does not apply."""
    function = {"name": "f", "parameters": {"properties": {}, "required": []}}
    case = Case(id="none", input={"functions": [function]}, expected={"f": {}})
    graded = Sample(case, Execution(output={"name": "f", "arguments": {}}))
    assert graders.accepted.function(graded)
    with pytest.raises(Skip, match="needs no argument"):
        graders.argument_share.function(graded)


def test_stricter_settings_never_pass_more() -> None:
    """What exact text or a higher minimum accepts, the looser setting accepts too."""
    for row in ROWS:
        graded = sample(row, bot.answer(row["input"]))
        exact = graders.accepted.function(graded, exact_text=True)
        assert exact <= graders.accepted.function(graded)
        high = graders.close_enough.function(graded, minimum=0.9)
        assert high <= graders.close_enough.function(graded)


def test_the_bot_answers_without_assay_and_without_packages() -> None:
    """A target knows nothing of what measures it."""
    program = (
        f"import json, sys; sys.path.insert(0, {str(FOLDER)!r}); import bot;"
        f" print(json.dumps(bot.answer(json.load(sys.stdin)))); assert 'assay' not in sys.modules"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-B", "-c", program],
        input=json.dumps(ROWS[0]["input"]),
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == {
        "name": "calculate_triangle_area",
        "arguments": {"base": 10, "height": 5, "unit": "units"},
    }


def test_the_bot_depends_on_nothing_but_the_question() -> None:
    """The same answer every time, a JSON value, and the input is left as it was."""
    for row in ROWS:
        before = json.dumps(row["input"])
        answer = bot.answer(row["input"])
        assert json.dumps(row["input"]) == before
        assert bot.answer(json.loads(before)) == answer == json.loads(json.dumps(answer))


def test_the_readme_tells_the_measured_numbers() -> None:
    """A stranger compares the first run with this table."""
    graded = [sample(row, bot.answer(row["input"])) for row in ROWS]
    passed = [graders.accepted.function(each) for each in graded]
    shares = [graders.argument_share.function(each) for each in graded]
    lengths = [graders.length.function(each).value for each in graded]
    labels = [graders.mistake.function(each) for each in graded]
    close = sum(graders.close_enough.function(each) for each in graded)
    exact = sum(graders.accepted.function(each, exact_text=True) for each in graded)
    closer = sum(graders.close_enough.function(each, minimum=0.9) for each in graded)
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    for claim in (
        f"{sum(passed)} of {len(ROWS)} calls are accepted ({sum(passed) / len(ROWS):.1%})".replace(
            "%", " %"
        ),
        f"{close} of {len(ROWS)} have at least half",
        f"{sum(shares) / len(shares):.3f} of the arguments",
        f"{sum(lengths) / len(lengths):.1f} characters",
        ", ".join(
            f"{label} {labels.count(label)}"
            for label in ("none", "missing_argument", "wrong_value", "wrong_type")
        ),
        f"It gets {sum(passed[:100])} of those 100 right and {sum(passed[100:])} of the",
        f"({exact} instead of {sum(passed)} pass)",
        f"({closer} instead of {close})",
    ):
        assert claim in readme


def test_both_suites_have_the_same_assessments_and_name_real_graders() -> None:
    """A regrade with the stricter file pairs with the first grading, one to one."""
    yaml = YAML(typ="safe", pure=True)
    first = yaml.load(FOLDER / "experiment.yaml")["suite"]
    second = yaml.load(FOLDER / "stricter.yaml")
    assert [each["id"] for each in first] == [each["id"] for each in second]
    for each in [*first, *second]:
        module, _, name = each["use"].partition(":")
        assert module == "graders"
        getattr(graders, name).configured(each.get("with", {}))
