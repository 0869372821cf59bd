"""JSON Lines: what a line is, and which faults are told with line and column."""

import pytest

from assay.evaluators.errors import InputError
from assay.tasks.datasets.read_jsonl import read_jsonl


def test_a_line_ends_at_a_line_feed_alone() -> None:
    """Fault B34: U+2028, U+2029 and U+0085 in a prompt do not end a row."""
    prompt = "one\u2028two\u2029three\u0085four"
    found = read_jsonl(f'{{"input": "{prompt}"}}\n', "c.jsonl")
    assert [row.members for row in found.rows] == [{"input": prompt}]


def test_blank_lines_are_skipped_and_counted() -> None:
    """Otherwise the line in an error would not be the line in the editor."""
    found = read_jsonl('\n{"input": 1}\r\n \t\n{"input": 2}', "c.jsonl")
    assert [row.place(()) for row in found.rows] == ["c.jsonl, line 2", "c.jsonl, line 4"]


@pytest.mark.parametrize(
    ("line", "column", "expected"),
    [
        ('{"input": 1', 12, "expected JSON"),
        ('{"input": 1} {"input": 2}', 14, "Extra data"),
        ('{"input": 1, "input": 2}', 14, "'input'"),
        ('{"input": {"a": 1, "\\u0061": 2}}', 20, "'a'"),
        ('{"input": NaN}', 2, "NaN"),
        ('{"input": [1, -Infinity]}', 15, "Infinity"),
        ('{"input": "\\ud800"}', 2, "lone surrogate"),
        ("{'input': 1}", 2, "expected JSON"),
        ('{"input": 01}', 12, "expected JSON"),
    ],
)
def test_a_line_that_is_no_strict_json_is_refused_with_its_place(
    line: str, column: int, expected: str
) -> None:
    """Library 2 and fault B38: no last of two values, no NaN, no part of a file."""
    with pytest.raises(InputError) as caught:
        read_jsonl(f'{{"input": 0}}\n{line}\n', "c.jsonl")
    assert str(caught.value).startswith(f"c.jsonl, line 2, column {column}: ")
    assert expected in str(caught.value)


@pytest.mark.parametrize("line", ["[1]", '"text"', "1", "null", "true"])
def test_a_line_that_is_no_object_is_refused(line: str) -> None:
    """A list of values is a dataset of another tool."""
    with pytest.raises(InputError, match=r"line 1: expected one JSON object a line, got "):
        read_jsonl(line, "c.jsonl")
