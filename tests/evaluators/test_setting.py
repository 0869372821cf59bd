"""What a setting asks for, in words."""

from typing import Annotated, Literal

import pytest
from pydantic import Field, JsonValue
from typing_extensions import Doc

from assay.evaluators.setting import Setting, meanings, wanted


@pytest.mark.parametrize(
    ("annotation", "words"),
    [
        (str, "str"),
        (list[str], "list[str]"),
        (list[Setting] | None, "list[Setting] or null"),
        (dict[str, int], "dict[str, int]"),
        (JsonValue, "any JSON value"),
        (Literal["a", 1], '"a" or 1'),
        (float | None, "float or null"),
        (Annotated[int, Field(gt=0)], "int"),
        (Annotated[object, Doc("a JSON Schema")], "a JSON Schema"),
        (Annotated[str, Doc("a pattern")] | None, "a pattern or null"),
    ],
)
def test_a_type_is_told_in_words(annotation: object, words: str) -> None:
    """The author of a suite file need not read Python annotations."""
    assert wanted(annotation) == words


def test_meanings_come_from_the_docstring() -> None:
    """So that the list of evaluators and the code never differ."""

    def check(sample: object, *, one: int, two: int) -> None:
        """Do nothing.

        Args:
            sample: Is not looked at.
            one: Told on
                two lines.
            two: Told on one.

        Returns:
            Nothing.
        """
        del sample, one, two

    assert meanings(check) == {
        "sample": "Is not looked at.",
        "one": "Told on two lines.",
        "two": "Told on one.",
    }


def test_no_docstring_is_no_error() -> None:
    """Users' functions need none."""
    assert meanings(lambda sample: sample) == {}
