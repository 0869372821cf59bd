"""The key of a grade: equal for equal questions, and for no others."""

import pytest

from assay.evaluators.descriptor import Descriptor
from assay.tasks.grade_key import Graded, grade_key

GRADED = Graded("c", 0, "sha256:case", "sha256:receipt")
CHECK = Descriptor(name="check", revision="1")


@pytest.mark.parametrize(
    ("graded", "descriptor", "output"),
    [
        (GRADED._replace(receipt_digest="sha256:other"), CHECK, ""),
        (GRADED._replace(case_digest="sha256:other"), CHECK, ""),
        (GRADED, Descriptor(name="check", revision="2"), ""),
        (GRADED, Descriptor(name="other", revision="1"), ""),
        (GRADED, Descriptor(name="check", revision="1", configuration={"minimum": 1}), ""),
        (GRADED, Descriptor(name="check", revision="1", code="sha256:code"), ""),
        (GRADED, CHECK, "precision"),
    ],
)
def test_whatever_decides_a_grade_is_in_its_key(
    graded: Graded, descriptor: Descriptor, output: str
) -> None:
    """An old grade under it would be the answer to another question."""
    assert grade_key(graded, descriptor, output) != grade_key(GRADED, CHECK)


@pytest.mark.parametrize(
    "graded",
    [
        GRADED._replace(attempt=7),
        GRADED._replace(repeat=3),
        GRADED._replace(case_id="same content under another name"),
    ],
)
def test_where_a_grade_stands_is_not_in_its_key(graded: Graded) -> None:
    """The case's id is in its digest, and equal receipts get equal grades."""
    assert grade_key(graded, CHECK) == grade_key(GRADED, CHECK)


def test_words_about_an_evaluator_are_not_in_its_key() -> None:
    """A better docstring costs no judge's call."""
    described = Descriptor(name="check", revision="1", description="New words.")
    assert grade_key(GRADED, described) == grade_key(GRADED, CHECK)
