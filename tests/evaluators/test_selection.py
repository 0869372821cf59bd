"""What `select:` names."""

import pytest

from assay.evaluators.case import Case
from assay.evaluators.errors import IncompleteRecording, InvalidEvaluatorConfig, Skip
from assay.evaluators.execution import Execution
from assay.evaluators.open_map import OpenMap
from assay.evaluators.sample import Sample
from assay.evaluators.selection import Selection

OUTPUT = {"a": [10, {"x/y": 1, "m~n": 2, "": 3}], "null": None, "0": "zero"}
CASE = Case(id="c", input="in", expected="ex", metadata=OpenMap.of({"k": 1, "a.b": 2, "n": None}))
SAMPLE = Sample(CASE, Execution(output=OUTPUT))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("input", "in"),
        ("output", OUTPUT),
        ("expected", "ex"),
        ("metadata.k", 1),
        ("metadata.a.b", 2),
        ("metadata.n", None),
        ("/a/0", 10),
        ("/a/1/x~1y", 1),
        ("/a/1/m~0n", 2),
        ("/a/1/", 3),
        ("/null", None),
        ("/0", "zero"),
    ],
)
def test_the_selected_part_takes_the_place_of_the_output(path: str, value: object) -> None:
    """RFC 6901 within the output, names everywhere else; the case stays as it is."""
    selected = Selection.parse(path)(SAMPLE)
    assert selected.output == value
    assert selected.case is CASE


@pytest.mark.parametrize("path", ["", "outputs", "metadata", "metadata.", "a/b", "$.a", "Input"])
def test_any_other_text_is_refused(path: str) -> None:
    """When the suite is read."""
    with pytest.raises(InvalidEvaluatorConfig, match="select: expected"):
        Selection.parse(path)


@pytest.mark.parametrize(
    "path",
    [
        "/b",
        "/a/2",
        "/a/-1",
        "/a/-",
        "/a/0/0",
        "/a/1/x",
        "/a/00",
        "/a/²",
        "/a/\u0660",
        "/a/" + "1" * 5000,
    ],
)
def test_a_part_that_the_output_lacks_is_missing_evidence(path: str) -> None:
    """Neither a failing verdict nor a null."""
    with pytest.raises(IncompleteRecording, match="nothing at"):
        Selection.parse(path)(SAMPLE)


def test_what_the_case_lacks_does_not_apply() -> None:
    """No reference answer, no such metadata."""
    bare = Sample(Case(id="c", input=1), Execution(output=1))
    for path in ("expected", "metadata.k"):
        with pytest.raises(Skip):
            Selection.parse(path)(bare)


def test_a_missing_output_has_no_parts() -> None:
    """But the input can be selected all the same."""
    silent = Sample(CASE, Execution(status="failed", reason="why"))
    for path in ("output", "/a"):
        with pytest.raises(IncompleteRecording):
            Selection.parse(path)(silent)
    selected = Selection.parse("input")(silent)
    assert (selected.output, selected.execution.status) == ("in", "failed")
