"""Whether the answer is of a type, or decodes into one."""

import importlib
import sys
from collections import OrderedDict
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.evaluators.errors import InputError, InvalidEvaluatorConfig
from assay.evaluators.ready_made import ReadyMade
from assay.evaluators.report import Report
from assay.evaluators.structure import decodes_as, is_type
from assay.tasks.read_suite import read_suite

Ask = Callable[..., Report]
HERE = Path(__file__).parent


@pytest.fixture(autouse=True)
def _shapes_can_be_imported(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.syspath_prepend(str(HERE))
    yield
    sys.modules.pop("shapes", None)


@pytest.mark.parametrize(
    ("number", "output", "types", "verdict"),
    [
        ("T1", True, "int", "fail"),
        ("T1", True, ["float", "number"], "fail"),
        ("T1", True, "numbers:Number", "fail"),
        ("T1 asked for", True, ["int", "bool"], "pass"),
        ("T1 no number", True, "builtins:object", "pass"),
        ("T2 subclass", OrderedDict(), "dict", "pass"),
        ("T3 by import", [], "collections.abc:Sequence", "pass"),
        ("protocol", [], "shapes:Sized", "pass"),
        ("null", None, "None", "pass"),
        ("not null", 0, "None", "fail"),
        ("number", 1, "number", "pass"),
        ("no float", 1, "float", "fail"),
        ("text", "a", "str", "pass"),
        ("generic", [1], "shapes:list", "fail"),
    ],
)
def test_what_is_an_instance(
    ask: Ask, number: str, output: object, types: object, verdict: str
) -> None:
    """Library 17.1, T1 to T3; booleans are no numbers unless asked for."""
    if number == "generic":
        with pytest.raises(InvalidEvaluatorConfig, match="to name a type, got AttributeError"):
            is_type.configured({"types": types})
        return
    report = ask(is_type, output, settings={"types": types})
    assert report.verdict == verdict
    assert bool(report.feedback) == (verdict == "fail")


def test_a_bare_name_of_an_abstract_class_is_refused_with_the_valid_ones() -> None:
    """Library 17.1 T3: by name it never matched; here it says so at once."""
    with pytest.raises(
        InvalidEvaluatorConfig, match=r"expected bool, bytes, dict, .* or an import"
    ):
        is_type.configured({"types": "Sequence"})


@pytest.mark.parametrize(
    "types", [[], 3, "", "shapes:Loose", "shapes:NUMBER", "no_such_module:A", "shapes:Nothing"]
)
def test_what_is_no_type_is_refused_at_once(types: object) -> None:
    """Before any target is called."""
    with pytest.raises(InvalidEvaluatorConfig, match="types: expected"):
        is_type.configured({"types": types})


@pytest.mark.parametrize(
    ("output", "into", "verdict"),
    [
        ('{"city": "Paris"}', "shapes:Answer", "pass"),
        ('```json\n{"city": "Paris", "parts": [{"n": 1}]}\n```', "shapes:Answer", "pass"),
        ({"city": "Paris"}, "shapes:Answer", "pass"),
        ('{"city": "Paris", "parts": [{"n": "1"}]}', "shapes:Answer", "fail"),
        ('{"city": "Paris", "parts": [{"n": 1, "m": 2}]}', "shapes:Answer", "fail"),
        ('{"city": "Paris", "more": 1}', "shapes:Answer", "fail"),
        ('{"city": "Paris"} ', "shapes:Answer", "pass"),
        ('{"city": "Paris"} {}', "shapes:Answer", "fail"),
        ('{"city": "Paris", "city": "Rome"}', "shapes:Answer", "fail"),
        ('Sure: {"city": "Paris"}', "shapes:Answer", "fail"),
        ("{}", "shapes:Answer", "fail"),
        ('{"x": 1}', "shapes:Point", "pass"),
        ('{"x": 1, "y": 2}', "shapes:Point", "fail"),
        ('{"x": 1}', "shapes:Row", "pass"),
        ('{"x": 1, "y": 2}', "shapes:Row", "fail"),
        ('"1"', "int", "fail"),
        ("1", "int", "pass"),
        ("true", "int", "fail"),
        ("null", "None", "pass"),
    ],
)
def test_what_decodes(ask: Ask, output: object, into: str, verdict: str) -> None:
    """Library 4, DecodesAs: strict, nothing extra at any depth, nothing behind, no key twice."""
    report = ask(decodes_as, output, settings={"into": into})
    assert report.verdict == verdict
    assert bool(report.feedback) == (verdict == "fail")


def test_the_reason_names_the_place(ask: Ask) -> None:
    """As the schema's does."""
    output = '{"city": "Paris", "parts": [{"n": "1"}]}'
    report = ask(decodes_as, output, settings={"into": "shapes:Answer"})
    assert report.feedback == "$.parts[0].n: Input should be a valid integer"


def test_the_json_may_be_found_among_words(ask: Ask) -> None:
    """On demand only."""
    settings = {"into": "shapes:Answer", "lenient": True}
    assert ask(decodes_as, 'Sure: {"city": "Paris"}!', settings=settings).verdict == "pass"


@pytest.mark.parametrize("into", ["shapes:Loose", "shapes:NUMBER", "no", 3])
def test_a_type_that_nothing_decodes_into_is_refused_at_once(into: object) -> None:
    """Before any target is called."""
    with pytest.raises(InvalidEvaluatorConfig, match="into: expected"):
        decodes_as.configured({"into": into})


@pytest.mark.parametrize(("evaluator", "setting"), [(is_type, "types"), (decodes_as, "into")])
def test_a_type_that_was_edited_is_another_identity(
    evaluator: ReadyMade, setting: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or a grade of the old type would be carried over."""
    monkeypatch.syspath_prepend(str(tmp_path))
    identities = []
    for field in ("n: int", "n: int", "n: int | str"):
        sys.modules.pop("edited_type", None)
        source = f"from pydantic import BaseModel\n\n\nclass T(BaseModel):\n    {field}\n"
        (tmp_path / "edited_type.py").write_text(source)
        importlib.invalidate_caches()
        made = evaluator.configured({setting: "edited_type:T"})
        identities.append(made.descriptor.identity)
    sys.modules.pop("edited_type")
    assert identities[0] == identities[1] != identities[2]


def test_a_suite_finds_the_types_of_its_own_folder(tmp_path: Path) -> None:
    """As it finds its graders; and a misspelt one is answered with a place."""
    (tmp_path / "own_shapes.py").write_text("class Answer(dict):\n    pass\n")
    entry = {"id": "a", "use": "structure.is_type", "with": {"types": ["own_shapes:Answer"]}}
    (assessment,) = read_suite([entry], tmp_path)
    assert assessment.evaluator.descriptor.code
    wrong = {"id": "a", "use": "structure.decodes_as", "with": {"into": "own_shapes:Anwser"}}
    with pytest.raises(InputError, match="did you mean 'Answer'"):
        read_suite([wrong], tmp_path)


@given(st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.binary()))
def test_every_scalar_is_of_exactly_one_built_in_type(ask: Ask, value: object) -> None:
    """True is no int here, so that the types do not overlap."""
    names = ["None", "bool", "int", "float", "str", "bytes"]
    found = [name for name in names if ask(is_type, value, settings={"types": name}).score]
    assert len(found) == 1
