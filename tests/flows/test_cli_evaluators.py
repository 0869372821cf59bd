"""`assay evaluators`: what there is, and how it is used."""

from collections.abc import Callable
from typing import Any

import pytest

from assay.evaluators.registry import READY_MADE

Assay = Callable[..., Any]

pytestmark = pytest.mark.usefixtures("folder")


def test_every_evaluator_is_listed(assay: Assay) -> None:
    """With what it says, in one line or two."""
    said = assay("evaluators")
    assert (said.code, said.err) == (0, "")
    names = [
        line.split()[0] for line in said.out.splitlines() if line.startswith(tuple(READY_MADE))
    ]
    assert names == sorted(READY_MADE)
    assert "Pass when the output contains the value." in said.out


def test_a_family_is_a_shorter_list(assay: Assay) -> None:
    """Nobody looks for a text check among rankings."""
    said = assay("evaluators", "operation")
    assert "operation.max_cost" in said.out
    assert "text." not in said.out


def test_one_evaluator_is_shown_whole(assay: Assay) -> None:
    """Its rule, what it yields and requires, its settings with defaults, an entry to copy."""
    out = assay("evaluators", "text.numeric_match").out
    assert "60% is not 60, because percent is" in out
    assert "yields" in out
    assert "decision, score" in out
    assert "output" in out
    assert '"last" or "first"' in out
    assert '  - {"id": "numeric_match", "use": "text.numeric_match"}' in out
    assert 'it passes {"expected": 1000, "output": "That makes' in out
    assert "required" in assay("evaluators", "text.contains").out
    assert "pip install 'assay-evals[mt]'" in assay("evaluators", "text.bleu").out


def test_machines_get_the_same(assay: Assay) -> None:
    """One object, whole for every evaluator."""
    listed = assay("evaluators", "--json").json()["evaluators"]
    assert [one["use"] for one in listed] == sorted(READY_MADE)
    (one,) = assay("evaluators", "text.contains", "--json").json()["evaluators"]
    assert one["requires"] == ["output"]
    assert one["yields"] == ["decision", "score"]
    assert one["settings"][0] == {
        "name": "value",
        "type": "any JSON value",
        "required": True,
        "default": None,
        "meaning": "What is sought.",
    }
    assert one["example"]["entry"] == {
        "id": "contains",
        "use": "text.contains",
        "with": {"value": "Paris"},
    }


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("text.contain", "did you mean text.contains?"),
        ("contains", "did you mean text.contains?"),
        ("poetry", "the families are operation, ranking, structure, text, trajectory"),
    ],
)
def test_an_unknown_name_is_answered_with_a_hint(assay: Assay, name: str, hint: str) -> None:
    """A misspelt name, one without its family, one of nothing."""
    said = assay("evaluators", name)
    assert (said.code, said.out) == (2, "")
    assert hint in said.err
    assert said.err.count("\n") == 1
