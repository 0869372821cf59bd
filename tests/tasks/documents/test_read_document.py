"""Documents say where their parts stand, in JSON as in YAML."""

import pytest

from assay.evaluators.errors import InputError
from assay.tasks.documents.read_document import json_document, read_document, yaml_document

TREE = '{"a": 1,\n "b": [{"c": "x"},\n  {"d": [true, null]}],\n "e\\u0301": {"b": 2}}'


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ((), "f"),
        (("a",), "f, line 1, column 2"),
        (("b",), "f, line 2, column 2"),
        (("b", 1), "f, line 3, column 3"),
        (("b", 1, "d"), "f, line 3, column 4"),
        (("b", 1, "d", 1), "f, line 3, column 16"),
        (("e\u0301", "b"), "f, line 4, column 14"),
        (("b", 1, "nothing", "here"), "f, line 3, column 3"),
    ],
)
def test_a_value_in_json_has_a_place(path: tuple[str | int, ...], place: str) -> None:
    """The nearest ancestor stands in for what is not there; names are compared unescaped."""
    assert json_document("f", TREE, "dataset").place(path) == place


def test_a_path_that_is_not_there_has_the_place_of_its_ancestor() -> None:
    """A missing key is missing from somewhere."""
    document = yaml_document("f", "a:\n  b: 1\n", "suite")
    assert document.place(("a", "c", 0)) == "f, line 1, column 1"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"a": 1,\n "b": NaN}', "line 2, column 2"),
        ('{"a": [1,\n 2, Infinity]}', "line 2, column 5"),
        ('{"a": 1,\n "a": 2}', "line 2, column 2"),
        ('{"a": [{"b": 1,\n "b": 2}]}', "line 2, column 2"),
        ('[1,\n "\\ud800"]', "line 2, column 2"),
        ("{\n", "line 2, column 1"),
        ("", "line 1"),
        (" \n", "line 1"),
        ("1 2", "line 1, column 3"),
    ],
)
def test_a_fault_in_json_has_a_place(text: str, place: str) -> None:
    """The standard reader does not say where a duplicate or a NaN stands."""
    with pytest.raises(InputError) as caught:
        json_document("f", text, "dataset")
    assert str(caught.value).startswith(f"f, {place}: ")


def test_another_extension_is_refused() -> None:
    """A guess from the content would change with the content."""
    with pytest.raises(InputError, match=r"suite.toml: expected a .yaml or .json file, got .toml"):
        read_document("memory://suite.toml", kind="suite")
