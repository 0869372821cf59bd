"""Every example of the kernel specification is a test, and the table says which."""

import ast
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent
ROW = re.compile(
    r"^\| (?P<label>[^|]+) \| `(?P<file>(?:\w+/)*test_\w+\.py)::(?P<test>test_\w+)` \|",
    re.MULTILINE,
)
TABLE = (FOLDER / "KERNEL_EXAMPLES.md").read_text(encoding="utf-8")
ROWS = [(row["label"].strip(), row["file"], row["test"]) for row in ROW.finditer(TABLE)]
COUNTS = {"1.5": 3, "2.1": 3, "3.2": 5, "3.6": 7, "4.4": 7, "5.4": 9, "6.4": 8, "7": 11, "8.3": 4}
NUMBERED: dict[str, Iterable[object]] = {
    **{section: range(1, count + 1) for section, count in COUNTS.items()},
    "11": range(1, 6),
    "12.7": "abcdefgh",
    "12.8": range(1, 11),
    "13": range(1, 8),
}


def source_of(file: str, test: str) -> str:
    """Return the text of a test with its decorators."""
    text = (FOLDER / file).read_text(encoding="utf-8")
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and node.name == test:
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            return "\n".join(text.splitlines()[first - 1 : node.end_lineno])
    raise LookupError(test)


def test_every_numbered_example_has_one_row() -> None:
    """Nothing of the specification is left to good will."""
    expected = [
        f"kernel {section} example {number}"
        for section, numbers in NUMBERED.items()
        for number in numbers
    ]
    assert [label for label, _, _ in ROWS if " example " in label] == expected


def test_every_row_of_the_tables_is_read() -> None:
    """A row with a slip in it would otherwise be no row."""
    lines = [line for line in TABLE.splitlines() if line.startswith("| ")]
    headings = [line for line in lines if "`" not in line]
    assert len(ROWS) == len(lines) - len(headings)
    assert len(headings) == 3


@pytest.mark.parametrize(("label", "file", "test"), ROWS, ids=[label for label, _, _ in ROWS])
def test_the_named_test_exists_and_names_its_example(label: str, file: str, test: str) -> None:
    """In its docstring or in the name of a parameter set."""
    source = source_of(file, test).casefold()
    assert not label.startswith("kernel") or re.search(
        re.escape(label.casefold()) + r"(?!\d)", source
    )
