"""Which store is meant, and whether it can be opened."""

from pathlib import Path

import pytest

from assay.evaluators.errors import InputError
from assay.tasks.store import choose_store, open_store
from assay.tasks.store.location import open_folder


def test_the_option_wins_then_the_environment_then_the_experiment() -> None:
    """One order everywhere, so that a person can tell which store was used."""
    environ = {"ASSAY_STORE": "env"}
    assert choose_store("opt", environ=environ, declared="exp", folder="/f") == "opt"
    assert choose_store(None, environ=environ, declared="exp", folder="/f") == "env"
    assert choose_store(None, environ={"ASSAY_STORE": ""}, declared="exp") == "exp"
    assert choose_store(None, environ={}) == "./.assay"


def test_a_declared_path_is_relative_to_its_file() -> None:
    """The same experiment file means the same store wherever it is called from."""
    assert choose_store(None, environ={}, declared="out", folder="/work/exp") == "/work/exp/out"
    assert choose_store(None, environ={}, declared="/abs", folder="/work/exp") == "/abs"
    assert choose_store(None, environ={}, declared="s3://b/x", folder="/work") == "s3://b/x"


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("", "expected the path or URL of a store"),
        ("  ", "expected the path or URL of a store"),
        ("nope://x", "^nope://x: no store can be opened by protocol 'nope'; expected a path"),
    ],
)
def test_an_address_that_means_nothing_is_refused_in_one_sentence(url: str, said: str) -> None:
    """A typo must not become a folder."""
    with pytest.raises(InputError, match=said) as raised:
        open_store(url)
    assert "\n" not in str(raised.value)


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sentence holds the command that helps."""
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(InputError, match=r"s3:// stores need an extra: .*assay-evals\[s3\]"):
        open_store("s3://bucket/store")


def test_a_file_where_the_folder_should_be_is_refused(tmp_path: Path) -> None:
    """Nothing of the file is touched."""
    file = tmp_path / "notes.txt"
    file.write_text("keep me")
    with pytest.raises(InputError, match="found a file"):
        open_store(str(file))
    with pytest.raises(InputError, match=f"^{file}: .*found a file"):
        open_store(str(file / "below")).require_writable()
    assert file.read_text() == "keep me"


def test_opening_writes_nothing(tmp_path: Path) -> None:
    """A look into a store that does not exist leaves no trace of it."""
    store = open_store(str(tmp_path / "store"))
    store.require_writable()
    assert store.runs() == ()
    assert list(tmp_path.iterdir()) == []


def test_a_store_that_cannot_be_written_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Said before anything is paid; tests may run as a user whom no permission stops."""
    monkeypatch.setattr("os.access", lambda *_: False)
    with pytest.raises(InputError, match="cannot be written; give write permission"):
        open_store(str(tmp_path / "store")).require_writable()


@pytest.mark.parametrize("form", ["{path}", "file://{path}", "local://{path}"])
def test_every_spelling_of_a_local_path_is_the_durable_folder(form: str, tmp_path: Path) -> None:
    """A URL must not lose the fsync that a path gets."""
    folder = open_folder(form.format(path=tmp_path))
    folder.add("x", b"1")
    assert folder.place == str(tmp_path)
    assert (tmp_path / "x").read_bytes() == b"1"


def test_a_home_folder_is_expanded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`store: ~/evals` is not a folder named `~`."""
    monkeypatch.setenv("HOME", str(tmp_path))
    assert open_folder("~/evals").place == str(tmp_path / "evals")
