"""The source as the identity of a function without a revision."""

import functools
import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from assay.evaluators.source import source_digest

SOURCE = """
LIMIT = 3


def make(word):
    def grade(sample, *, limit=LIMIT):
        return word in sample
    return grade


def check(sample):
    return len(sample) < 3
"""


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], ModuleType]:
    """Return a loader of a module from its source."""
    count = iter(range(10))

    def loaded(source: str) -> ModuleType:
        path = tmp_path / f"graders_{next(count)}.py"
        path.write_text(source)
        spec = importlib.util.spec_from_file_location("graders_under_test", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, "graders_under_test", module)
        spec.loader.exec_module(module)
        return module

    return loaded


def test_the_same_source_is_the_same_identity(load: Callable[[str], ModuleType]) -> None:
    """Another process that reads the same file may reuse its grades."""
    one = source_digest(load(SOURCE).check)
    other = source_digest(load(SOURCE).check)
    assert one == other
    assert one.startswith("sha256:")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("< 3", "<= 3", id="the function itself"),
        pytest.param("LIMIT = 3", "LIMIT = 4", id="what it may use"),
    ],
)
def test_an_edit_anywhere_in_the_module_is_another_identity(
    load: Callable[[str], ModuleType], old: str, new: str
) -> None:
    """A helper in the same file decides as much as the function does."""
    before = source_digest(load(SOURCE).check)
    after = source_digest(load(SOURCE.replace(old, new)).check)
    assert before != after


def test_what_a_function_closes_over_is_part_of_it(load: Callable[[str], ModuleType]) -> None:
    """Two functions of one source and name differ by nothing else."""
    module = load(SOURCE)
    digests = {source_digest(module.make(word)) for word in ("a", "b", "a")}
    assert len(digests) == 2


def test_two_functions_of_one_module_are_two(load: Callable[[str], ModuleType]) -> None:
    """The qualified name tells them apart."""
    module = load(SOURCE)
    assert source_digest(module.make) != source_digest(module.check)


@pytest.mark.parametrize(
    "function",
    [
        pytest.param(len, id="built in"),
        pytest.param(functools.partial(sorted), id="partial"),
        pytest.param(eval("lambda sample: sample", {"__name__": "nowhere"}), id="typed in"),  # noqa: S307
    ],
)
def test_where_there_is_no_source_there_is_no_identity(function: Callable[..., object]) -> None:
    """DESIGN 3.1: nothing is reused then."""
    assert source_digest(function) == ""


def test_a_closure_that_json_cannot_hold_has_no_identity(
    load: Callable[[str], ModuleType],
) -> None:
    """An object's state may change what the function does, and cannot be seen."""
    assert source_digest(load(SOURCE).make(object())) == ""
