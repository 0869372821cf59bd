"""`STORE.md` says what the store is, for whoever reads it with another tool."""

import re
from pathlib import Path

import pyarrow as pa
import pytest

from assay.evaluators.schema import CASES, EXECUTIONS, GRADES, IDENTITIES
from assay.tasks.store import layout

_TEXT = (Path(__file__).parents[3] / "STORE.md").read_text(encoding="utf-8")
_SECTIONS = {
    "cases.parquet": CASES,
    "executions": EXECUTIONS,
    "gradings: part": GRADES,
    "gradings: identities": IDENTITIES,
}


def _type(field: pa.Field) -> str:
    kinds = {
        pa.types.is_dictionary: "id",
        pa.types.is_timestamp: "timestamp (us, UTC)",
        pa.types.is_floating: "float64",
    }
    name = next((word for is_it, word in kinds.items() if is_it(field.type)), str(field.type))
    return f"{name} or null" if field.nullable else name


@pytest.mark.parametrize("section", _SECTIONS)
def test_every_column_is_documented_with_its_type(section: str) -> None:
    """A column that nobody explains is one that somebody will misread."""
    body = _TEXT.split(f"### {section}\n")[1].split("\n#")[0]
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \| [^|]+ \|$", body, flags=re.MULTILINE)
    assert rows == [(field.name, _type(field)) for field in _SECTIONS[section]]


def test_every_file_is_documented() -> None:
    """Whoever looks into a run finds each name explained."""
    names = [value for name, value in vars(layout).items() if name.isupper()]
    assert [name for name in names if name not in _TEXT] == []
