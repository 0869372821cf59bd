"""What every dataset format has in common: cases, ids, selection, and errors with a place."""

import json
from collections.abc import Callable
from importlib.util import find_spec

import fsspec
import pytest

from assay.evaluators.errors import InputError
from assay.tasks.read_dataset import read_dataset

Put = Callable[[str, str | bytes], str]


@pytest.fixture
def put() -> Put:
    """A file of the given name and content on a file system in memory; gives its URL."""
    system = fsspec.filesystem("memory")
    system.store.clear()

    def write(name: str, content: str | bytes) -> str:
        content = content.encode() if isinstance(content, str) else content
        system.pipe_file(f"/{name}", content)
        return f"memory://{name}"

    return write


def rows(*cases: dict[str, object]) -> str:
    """The cases as JSON Lines."""
    return "".join(json.dumps(case) + "\n" for case in cases)


def refused(url: str, **options: object) -> str:
    """The sentence with which reading refuses, and the promise that it concerns a dataset."""
    with pytest.raises(InputError) as caught:
        read_dataset(url, **options)  # type: ignore[arg-type]
    assert caught.value.kind == "dataset"
    return str(caught.value)


EQUAL_FILES = {
    "d.jsonl": '{"id": "a", "input": "x", "expected": "y", "metadata": {"k": "v"}}\n'
    '{"input": "z"}\n',
    "d.NDJSON": '{"name": "a", "input": "x", "expected": "y", "metadata": {"k": "v"}}\n'
    '{"input": "z"}',
    "d.Json": '{"cases": [{"id": "a", "input": "x", "expected": "y", "metadata": {"k": "v"}},'
    ' {"input": "z"}]}',
    "d.yaml": "cases:\n- id: a\n  input: x\n  expected: y\n  metadata: {k: v}\n- input: z\n",
    "d.yml": "cases: [{id: a, input: x, expected: y, metadata: {k: v}}, {input: z}]",
    "d.csv": "id,input,expected,metadata.k\na,x,y,v\n,z,,\n",
}


@pytest.mark.parametrize("name", EQUAL_FILES)
def test_the_same_cases_in_any_format_are_the_same_dataset(put: Put, name: str) -> None:
    """Otherwise changing the format of a file would change the fixture id, and end comparisons."""
    reference = read_dataset(put("d.jsonl", EQUAL_FILES["d.jsonl"]))
    dataset = read_dataset(put(name, EQUAL_FILES[name]))
    assert dataset.cases == reference.cases
    assert dataset.fixture_id == reference.fixture_id
    assert [case.id for case in dataset] == ["a", "case 2"]


def test_a_file_without_a_name_gives_its_own_without_the_last_extension(put: Put) -> None:
    """A report must call the dataset something that its author recognises."""
    assert read_dataset(put("a.b.jsonl", rows({"input": 1}))).name == "a.b"
    assert read_dataset(put("c.json", '{"name": "capitals", "cases": []}')).name == "capitals"


def test_unnamed_cases_are_called_by_their_position_among_all() -> None:
    """Library 17.5 N1: unnamed, x, unnamed are case 1, x, case 3."""
    system = fsspec.filesystem("memory")
    system.pipe_file(
        "/n.jsonl", rows({"input": 1}, {"id": "x", "input": 2}, {"id": "", "input": 3}).encode()
    )
    assert [case.id for case in read_dataset("memory://n.jsonl")] == ["case 1", "x", "case 3"]


def test_an_invented_name_that_is_taken_is_refused(put: Put) -> None:
    """Library 17.5 N3: otherwise two cases of one name would be reported as one."""
    url = put("d.jsonl", rows({"input": 1}, {"id": "case 1", "input": 2}))
    assert refused(url) == (
        "memory://d.jsonl, line 2: expected unique ids, got 'case 1', "
        "the id of the case at memory://d.jsonl, line 1"
    )


@pytest.mark.parametrize(
    ("first", "second"),
    [("dup", "dup"), ("\u00e9", "e\u0301"), ("a", " a"), ("a", "a\u3000")],
    ids=["equal", "after NFC", "after trimming", "after trimming Unicode space"],
)
def test_ids_that_look_the_same_are_refused_with_both_places(
    put: Put, first: str, second: str
) -> None:
    """Fault B19: two rows of one id with other expected values are never one case."""
    url = put("d.jsonl", "\n" + rows({"id": first, "input": 1}, {"id": second, "input": 1}))
    sentence = refused(url)
    assert "line 3" in sentence
    assert "line 2" in sentence


@pytest.mark.parametrize("given", [1, 1.5, True, ["a"], {"a": 1}])
def test_an_id_that_is_no_text_is_refused(put: Put, given: object) -> None:
    """Fault B19: 1 and "1" would be the same id, and 007 would become 7."""
    sentence = refused(put("d.jsonl", rows({"id": given, "input": 1})))
    assert sentence.startswith("memory://d.jsonl, line 1: expected text as id, got ")


def test_an_id_with_white_space_at_its_ends_is_refused(put: Put) -> None:
    """Such ids can be told apart by no reader of a report."""
    assert "no white space" in refused(put("d.jsonl", rows({"id": "a ", "input": 1})))


def test_both_spellings_of_the_id_at_once_are_refused(put: Put) -> None:
    """One of them would be dropped silently."""
    sentence = refused(put("d.jsonl", rows({"id": "a", "name": "b", "input": 1})))
    assert "expected either 'id' or 'name'" in sentence


def test_a_misspelt_key_is_named_with_its_place_and_the_right_one(put: Put) -> None:
    """A misspelt expected would turn every comparison into a skip."""
    assert refused(put("d.jsonl", rows({"input": 1, "expcted": 2}))) == (
        "memory://d.jsonl, line 1: expected keys out of id, input, expected, metadata, suite, "
        "got 'expcted'; did you mean 'expected'?"
    )
    sentence = refused(put("d.yaml", "cases:\n  - input: 1\n    expcted: 2\n"))
    assert sentence.startswith("memory://d.yaml, line 3, column 5: ")
    sentence = refused(put("d.json", '{"cases": [\n  {"input": 1,\n   "expcted": 2}]}'))
    assert sentence.startswith("memory://d.json, line 3, column 4: ")


def test_an_unknown_key_at_the_top_is_refused_but_three(put: Put) -> None:
    """DESIGN 3.1: `$schema`, description and version are for people and editors."""
    url = put("d.json", '{"$schema": "s", "description": "d", "version": 2, "cases": []}')
    assert len(read_dataset(url)) == 0
    assert "got 'case'; did you mean 'cases'?" in refused(put("d.json", '{"case": []}'))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"cases": {}}', "expected a list of cases, got a mapping"),
        ("[]", "expected a mapping with a list 'cases', got a list of 0"),
        ('{"name": "x"}', "expected a list of cases under 'cases', got none"),
        ('{"cases": [], "name": 1}', "expected a text as name, got 1"),
        ('{"cases": ["a"]}', "expected a case as a mapping, got 'a'"),
        ('{"cases": [{"input": 1, "metadata": 1}]}', "expected metadata as a mapping, got 1"),
        ('{"cases": [{"input": 1, "suite": {}}]}', "expected suite as a list of assessments"),
        ('{"cases": [{"input": 1, "suite": ["a"]}]}', "expected an assessment as a mapping"),
        ('{"cases": [{"expected": 1}]}', "expected a case with an 'input', got none"),
    ],
)
def test_values_of_the_wrong_kind_are_refused(put: Put, text: str, expected: str) -> None:
    """Nothing is coerced across kinds."""
    assert expected in refused(put("d.json", text))


def test_an_expected_value_of_null_is_none(put: Put) -> None:
    """Library 2: null says that there is no reference; 0, false and "" are references."""
    given: list[object] = [None, 0, False, ""]
    url = put("d.jsonl", rows(*({"input": 1, "expected": value} for value in given)))
    assert [case.has_expected for case in read_dataset(url)] == [False, True, True, True]


def test_a_null_input_is_an_input(put: Put) -> None:
    """An agent that starts by itself gets null; only an absent input is a mistake."""
    assert read_dataset(put("d.jsonl", rows({"input": None}))).cases[0].input is None


def test_values_keep_their_kinds(put: Put) -> None:
    """Fault B38: 2^63, 2^53+1, true among numbers and "1" among numbers are read as they are."""
    value = [2**63, 2**53 + 1, True, 1, "1", 1.5, None]
    case = read_dataset(put("d.jsonl", rows({"input": value}))).cases[0]
    assert case.input == value
    assert [type(item) for item in case.input] == [type(item) for item in value]  # type: ignore[attr-defined]


def test_metadata_keeps_the_spelling_of_numbers(put: Put) -> None:
    """Kernel 1.5: metadata is carried, not read."""
    url = put(
        "d.jsonl", '{"input": 1, "metadata": {"n": 1.0, "huge": 1e1000, "id": 9007199254740993}}'
    )
    metadata = read_dataset(url).cases[0].metadata
    assert dict(metadata) == {"n": "1.0", "huge": "1e1000", "id": "9007199254740993"}


def test_a_member_that_appears_late_is_kept() -> None:
    """Fault B33: with types inferred from the first rows, every expected value would vanish."""
    late = [{"input": n, **({"expected": n} if n > 100 else {})} for n in range(1000)]
    fsspec.filesystem("memory").pipe_file("/late.jsonl", rows(*late).encode())
    assert sum(case.has_expected for case in read_dataset("memory://late.jsonl")) == 899


def test_a_list_that_holds_separators_comes_back_equal(put: Put) -> None:
    """Fault B36: two contexts with a bar in them are not eleven."""
    contexts = ["a | b", "| P | $20 |"]
    assert read_dataset(put("d.jsonl", rows({"input": contexts}))).cases[0].input == contexts


def test_a_case_keeps_its_own_assessments_as_written(put: Put) -> None:
    """They become evaluators only when the suite is read, beside the run's."""
    entry = {"id": "own", "use": "text.contains", "with": {"value": "x"}}
    assert read_dataset(put("d.jsonl", rows({"input": 1, "suite": [entry]}))).cases[0].suite == (
        entry,
    )


def test_limit_takes_the_first_cases_and_changes_the_fixture(put: Put) -> None:
    """DESIGN 3: the fixture id is that of the selected cases."""
    url = put("d.jsonl", rows(*({"id": name, "input": name} for name in "abc")))
    limited = read_dataset(url, limit=2)
    assert [case.id for case in limited] == ["a", "b"]
    assert limited.fixture_id != read_dataset(url).fixture_id
    assert limited.fixture_id == read_dataset(url, select=["b", "a"]).fixture_id


def test_selected_cases_stand_in_file_order(put: Put) -> None:
    """The order in which ids are typed is no property of the selection."""
    url = put("d.jsonl", rows(*({"id": name, "input": name} for name in "abc")))
    assert [case.id for case in read_dataset(url, select=["c", "a"])] == ["a", "c"]


def test_selected_ids_that_are_not_there_are_named(put: Put) -> None:
    """A run of fewer cases than asked for would look complete."""
    url = put("d.jsonl", rows({"id": "alpha", "input": 1}))
    sentence = refused(url, select=["alpha", "alhpa", "b"])
    assert "found no 'alhpa', 'b'; did you mean 'alpha'?" in sentence


def test_limit_and_select_together_are_refused(put: Put) -> None:
    """Which comes first would be a guess."""
    url = put("d.jsonl", rows({"id": "a", "input": 1}))
    assert "expected either limit or select" in refused(url, limit=1, select=["a"])
    assert "at least 1, got 0" in refused(url, limit=0)


def test_a_given_fixture_id_is_taken(put: Put) -> None:
    """The host may know better than the content what is the same."""
    assert read_dataset(put("d.jsonl", rows({"input": 1})), fixture_id="v1").fixture_id == "v1"


def test_the_whole_file_is_judged_where_a_part_is_taken(put: Put) -> None:
    """A smoke run of ten cases should find the broken line that would stop the real one."""
    url = put("d.jsonl", rows({"input": 1}) + "{")
    assert "line 2" in refused(url, limit=1)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("memory://none.jsonl", "memory://none.jsonl: expected a file, found none"),
        ("nowhere/cases.csv", "nowhere/cases.csv: expected a file, found none"),
        ("cases.txt", "expected a file ending in .jsonl, .ndjson, .json, .yaml"),
        ("cases", "expected a file ending in"),
        ("wat://cases.jsonl", "expected a URL that fsspec knows, got 'wat'"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_sentence(url: str, expected: str) -> None:
    """It names the file and says what was expected of it."""
    sentence = refused(url)
    assert expected in sentence
    assert "\n" not in sentence


@pytest.mark.skipif(find_spec("s3fs") is not None, reason="the extra is installed")
def test_a_missing_package_is_named_by_the_extra_that_brings_it() -> None:
    """The user knows our extras, not fsspec's packages; a password in the URL is never shown."""
    sentence = refused("s3://key:word@bucket/cases.jsonl")
    assert sentence == (
        "s3://bucket/cases.jsonl: expected the packages that read s3:// to be installed; "
        "run pip install 'assay-evals[s3]'"
    )


def test_a_folder_is_no_dataset(tmp_path: object) -> None:
    """A folder named like a file is the likeliest slip of all."""
    folder = f"{tmp_path}/cases.jsonl"
    fsspec.filesystem("file").mkdir(folder)
    assert "expected a file, found a folder" in refused(folder)


@pytest.mark.parametrize("name", ["d.jsonl", "d.json", "d.yaml", "d.csv"])
def test_bytes_that_are_no_utf8_are_refused_with_the_line(put: Put, name: str) -> None:
    """Latin-1 guessed as UTF-8 would change the question."""
    sentence = refused(put(name, b"a\n\nb\xe9c"))
    assert sentence.startswith(f"memory://{name}, line 3: expected UTF-8, got byte 0xe9")


@pytest.mark.parametrize("name", ["d.jsonl", "d.json", "d.yaml", "d.csv"])
def test_a_byte_order_mark_is_no_content(put: Put, name: str) -> None:
    """Fault B35: it would become part of the first key or column."""
    content = (
        b"\xef\xbb\xbf"
        + EQUAL_FILES[name.replace("d.json", "d.Json") if name == "d.json" else name].encode()
    )
    assert read_dataset(put(name, content)).cases[0].id == "a"


@pytest.mark.parametrize("name", ["d.jsonl", "d.json", "d.yaml", "d.csv", "d.parquet"])
def test_an_empty_file_is_refused(put: Put, name: str) -> None:
    """It is an export that broke off; zero cases are spelled otherwise."""
    sentence = refused(put(name, b""))
    assert sentence.startswith(f"memory://{name}")


@pytest.mark.parametrize(
    ("name", "content"),
    [("d.jsonl", "\n"), ("d.json", '{"cases": []}'), ("d.yaml", "cases: []"), ("d.csv", "input\n")],
)
def test_zero_cases_are_a_dataset(put: Put, name: str, content: str) -> None:
    """Kernel 6.1; what may not be empty is an evaluation, and that is its gates' business."""
    assert len(read_dataset(put(name, content))) == 0
