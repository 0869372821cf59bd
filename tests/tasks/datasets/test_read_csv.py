"""CSV: text, absence, headers and the lines of multi-line cells."""

import pytest

from assay.evaluators.canonical import Json
from assay.evaluators.errors import InputError
from assay.tasks.datasets.read_csv import read_csv


def members(text: str) -> list[dict[str, Json]]:
    """What the rows of the text hold."""
    return [row.members for row in read_csv(text, "c.csv").rows]


def refused(text: str) -> str:
    """The sentence with which the text is refused."""
    with pytest.raises(InputError) as caught:
        read_csv(text, "c.csv")
    return str(caught.value)


def test_every_cell_is_text() -> None:
    """Fault B38: 007 is no number, no is no boolean, and null is a word."""
    assert members("id,input,expected\n007,no,null\n") == [
        {"id": "007", "input": "no", "expected": "null"}
    ]


def test_an_empty_cell_is_absent() -> None:
    """Fault B39: None written as "" must not come back as an expected empty answer."""
    assert members('id,input,expected,metadata.k\n,a,"",\n') == [{"input": "a"}]


def test_metadata_is_gathered_by_key() -> None:
    """A key may itself hold dots."""
    assert members("input,metadata.a,metadata.b.c\nx,1,2\n") == [
        {"input": "x", "metadata": {"a": "1", "b.c": "2"}}
    ]


def test_quoted_cells_may_span_lines() -> None:
    """A prompt has lines; commas and doubled quotes inside are text."""
    assert members('input,expected\r\n"a, ""b""\nc",d\r\n') == [
        {"input": 'a, "b"\nc', "expected": "d"}
    ]


def test_a_row_begins_on_the_line_of_its_first_cell() -> None:
    """An error names the line that an editor shows, also below a cell of many lines."""
    text = 'input,expected\n"one\n\ntwo",x\n\nthree,y,z\n'
    assert refused(text) == "c.csv, line 6: expected 2 cells as in the header, got 3"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "line 1: expected a header line with a column 'input', got an empty file"),
        ("id,expected\na,b\n", "expected a column 'input', got none"),
        ("input,expcted\n", "got 'expcted' as column 2; did you mean 'expected'?"),
        ("input,input\n", "expected each column once, got 'input' twice"),
        ("input,\n", "got '' as column 2"),
        ("input,metadata.\n", "got 'metadata.' as column 2"),
        (" input\n", "did you mean 'input'?"),
        ("id;input;expected\na;b;c\n", "expected cells separated by commas, got semicolons"),
        ("id\tinput\na\tb\n", "expected cells separated by commas, got tabs"),
        ('input\n"a\n', "line 2: expected comma-separated cells, got wrong quotes"),
        ('input\n"a"b\n', "line 2: expected comma-separated cells, got wrong quotes"),
        ("input,expected\na\n", "line 2: expected 2 cells as in the header, got 1"),
    ],
)
def test_a_table_that_is_no_dataset_is_refused(text: str, expected: str) -> None:
    """Header and quotes decide what every cell means, so nothing is guessed."""
    assert expected in refused(text)


def test_a_cell_may_be_longer_than_the_readers_default() -> None:
    """A prompt of 200 KB is a prompt."""
    long = "x" * 200_000
    assert members(f"input\n{long}\n") == [{"input": long}]


def test_separators_of_other_alphabets_end_no_line() -> None:
    """Fault B34 again: U+2028 is a character of the cell."""
    assert members("input\na\u2028b\n") == [{"input": "a\u2028b"}]
