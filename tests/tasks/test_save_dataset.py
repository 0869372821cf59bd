"""A saved dataset reads back equal, and a failure to save leaves what was there."""

from pathlib import Path

import fsspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assay.evaluators.assessment import Assessment
from assay.evaluators.case import Case
from assay.evaluators.dataset import Dataset, comparable_id
from assay.evaluators.errors import InputError
from assay.evaluators.open_map import OpenMap
from assay.evaluators.text import equals_expected
from assay.tasks.read_dataset import read_dataset
from assay.tasks.save_dataset import save_dataset

# Every character that UTF-8 can hold, with those that formats trip over drawn often.
texts = st.text(
    st.one_of(
        st.sampled_from(
            "\u2028\u2029\u0085\ufeff\x7f\x00\t\r\n \"'\\:#-?[]{}&*!|>%@`,~\ud7ff\ufffe"
        ),
        st.characters(exclude_categories=["Cs"]),
    ),
    max_size=12,
)
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    texts,
    st.sampled_from(["no", "on", "null", "~", "12:30", "010", "1_000", "2001-12-14", "<<", ".inf"]),
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
ids = st.text(st.characters(exclude_categories=["Cs", "Z", "Cc"]), min_size=1, max_size=8)
entries = st.fixed_dictionaries({"id": ids, "use": ids, "with": st.dictionaries(texts, values)})
cases = st.builds(
    Case,
    id=ids,
    input=values,
    expected=values,
    metadata=st.dictionaries(texts.filter(bool), values, max_size=3).map(OpenMap.of),
    suite=st.lists(entries, max_size=2),
)
datasets = st.builds(
    Dataset,
    cases=st.lists(cases, max_size=4, unique_by=lambda case: comparable_id(case.id)),
    name=texts.filter(bool),
)


@pytest.mark.parametrize("extension", ["jsonl", "json", "yaml"])
@given(dataset=datasets)
@example(dataset=Dataset(cases=[Case(id="a", input=6.971836527549365e16)], name="large"))
def test_reading_what_was_saved_gives_an_equal_dataset(extension: str, dataset: Dataset) -> None:
    """Library 2: load(save(d)) == d, but for the name, which JSON Lines has no place for."""
    url = f"memory://law.{extension}"
    save_dataset(dataset, url)
    back = read_dataset(url)
    assert back.cases == dataset.cases
    assert back.fixture_id == dataset.fixture_id
    assert back.name == (dataset.name if extension in ("json", "yaml") else "law")


@pytest.mark.parametrize("extension", ["jsonl", "json", "yaml"])
def test_a_file_is_utf8_that_people_can_read(tmp_path: Path, extension: str) -> None:
    """Non-ASCII is not escaped, keys keep their order, and the last line ends."""
    path = tmp_path / f"d.{extension}"
    save_dataset(Dataset(cases=[Case(id="é", input={"z": "巴黎", "a": 1.0})], name="d"), str(path))
    text = path.read_bytes().decode("utf-8")
    assert '"é"' in text
    assert '{"z": "巴黎", "a": 1.0}' in text
    assert text.endswith("\n")


def test_metadata_keeps_the_spelling_of_numbers(tmp_path: Path) -> None:
    """A round trip through our own file must not change an identity."""
    url = str(tmp_path / "d.yaml")
    save_dataset(Dataset(cases=[Case(id="a", input=1, metadata=OpenMap({"n": "1.0"}))]), url)
    assert read_dataset(url).cases[0].metadata["n"] == "1.0"


def test_what_json_cannot_hold_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    """A dataset with a hole where a value was would read back as another one."""
    path = tmp_path / "d.jsonl"
    path.write_text("before")
    with pytest.raises(InputError, match=r"case 'b': input: expected a JSON value, got bytes"):
        save_dataset(Dataset(cases=[Case(id="a", input=1), Case(id="b", input=b"x")]), str(path))
    assert path.read_text() == "before"


@pytest.mark.parametrize("name", ["d.csv", "d.parquet", "d.txt", "d"])
def test_other_formats_are_refused(tmp_path: Path, name: str) -> None:
    """CSV cannot hold a number: it would come back as text."""
    with pytest.raises(InputError, match=r"expected a file ending in \.jsonl, \.ndjson, \.json"):
        save_dataset(Dataset(cases=[]), str(tmp_path / name))
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    """A misspelt folder is better named than made."""
    with pytest.raises(InputError, match=r"expected a place that can be written, got FileNotFound"):
        save_dataset(Dataset(cases=[]), str(tmp_path / "nowhere" / "d.jsonl"))


def test_saving_leaves_nothing_beside_the_file(tmp_path: Path) -> None:
    """The part that is written first takes the file's name or goes."""
    save_dataset(Dataset(cases=[]), str(tmp_path / "d.json"))
    save_dataset(Dataset(cases=[], name="again"), str(tmp_path / "d.json"))
    assert [path.name for path in tmp_path.iterdir()] == ["d.json"]


def test_assessments_that_are_objects_are_left_out() -> None:
    """Library 2: code has no place in a data file."""
    case = Case(id="a", input=1, suite=[Assessment("own", equals_expected)])
    save_dataset(Dataset(cases=[case]), "memory://objects.jsonl")
    assert fsspec.filesystem("memory").cat_file("/objects.jsonl") == b'{"id": "a", "input": 1}\n'
