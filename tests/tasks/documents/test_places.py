"""What errors show of values and places is short and holds no secret."""

import pytest

from assay.evaluators.canonical import Number
from assay.tasks.documents.places import bounded, key_path, line_and_column, place_in, shown


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        (None, "null"),
        (True, "true"),
        (Number("1.0"), "1.0"),
        ("8", "'8'"),
        ([1, 2], "a list of 2"),
        ({"a": 1}, "a mapping"),
        (8, "8"),
    ],
)
def test_a_value_is_shown_as_its_file_wrote_it(tree: object, expected: str) -> None:
    """8 and '8' must look different in a sentence about kinds."""
    assert shown(tree) == expected


def test_a_long_value_is_cut() -> None:
    """At most 80 characters, whatever came."""
    assert all(len(shown(value)) == 80 for value in ("x" * 999, Number("1" * 999)))
    assert len(bounded(b"x" * 999)) == 80


def test_credentials_in_a_url_are_not_shown() -> None:
    """Errors end up in logs and tickets."""
    assert place_in("s3://key:word@bucket/a@b.json", 1) == "s3://bucket/a@b.json, line 1"


def test_a_key_that_is_no_plain_word_is_quoted() -> None:
    """A reader must be able to find it."""
    assert key_path(("a", 0, "b c", "d")) == "a[0]['b c'].d"


@pytest.mark.parametrize(
    ("offset", "expected"), [(0, (1, 1)), (4, (2, 1)), (7, (3, 1)), (9, (4, 1)), (11, (4, 3))]
)
def test_lines_end_at_all_line_ends_and_nowhere_else(
    offset: int, expected: tuple[int, int]
) -> None:
    """Editors count so."""
    assert line_and_column("ab\r\ncd\re\nf\u2028gh", offset) == expected
