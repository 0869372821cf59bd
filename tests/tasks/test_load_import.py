"""Import strings: whose module it is, and one sentence for whatever importing it does."""

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from assay.evaluators.errors import InputError
from assay.tasks.load_import import load_import


@pytest.fixture(autouse=True)
def _own_modules() -> Iterator[None]:
    """Take back what a test puts on the path and among the modules."""
    path, modules = list(sys.path), set(sys.modules)
    yield
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        del sys.modules[name]


def folder_of(parent: Path, name: str, **modules: str) -> Path:
    """A folder with modules of the given sources."""
    folder = parent / name
    folder.mkdir()
    for module, source in modules.items():
        (folder / f"{module}.py").write_text(source)
    return folder


def load(reference: str, folder: Path) -> Callable[..., object]:
    """The named object, which these tests call."""
    found = load_import(reference, folder)
    assert callable(found)
    return found


def refused(reference: str, folder: Path) -> str:
    """The sentence with which the reference is refused."""
    with pytest.raises(InputError) as caught:
        load_import(reference, folder, place="e.yaml, line 3, column 9", kind="target")
    assert caught.value.kind == "target"
    assert "Traceback" not in str(caught.value)
    assert "\n" not in str(caught.value)
    return str(caught.value)


BOT = "import part_of_bot\ndef answer():\n    return part_of_bot.NAME\n"


def test_a_module_is_sought_in_the_folder_of_the_file_first(tmp_path: Path) -> None:
    """DESIGN 8.1, and modules beside it may be imported by it."""
    folder = folder_of(tmp_path, "a", bot_of_test=BOT, part_of_bot="NAME = 'a'")
    assert load("bot_of_test:answer", folder)() == "a"


def test_what_the_folder_lacks_comes_from_the_environment(tmp_path: Path) -> None:
    """A target may be part of an installed package."""
    assert load_import("os.path:join", tmp_path) is os.path.join
    assert load_import("pathlib:Path.cwd", tmp_path) == Path.cwd


def test_two_folders_keep_their_own_modules_of_one_name(tmp_path: Path) -> None:
    """Every experiment has a bot.py; a suite may come from another folder than the experiment."""
    first = folder_of(tmp_path, "a", bot_of_test=BOT, part_of_bot="NAME = 'a'")
    second = folder_of(tmp_path, "b", bot_of_test=BOT, part_of_bot="NAME = 'b'")
    answers = [load("bot_of_test:answer", folder) for folder in (first, second, first)]
    assert [answer() for answer in answers] == ["a", "b", "a"]


def test_a_module_of_another_folder_is_not_taken_for_one_of_this(tmp_path: Path) -> None:
    """The first folder stays on the path, so that its late imports work, but is no environment."""
    first = folder_of(tmp_path, "a", only_here="def answer(): return 1")
    second = folder_of(tmp_path, "b", other="")
    load("only_here:answer", first)
    assert "found none" in refused("only_here:answer", second)


def test_late_imports_still_find_their_neighbours(tmp_path: Path) -> None:
    """A target may import when it is called, after the suite of another folder was loaded."""
    late = "def answer():\n    import late_part\n    return late_part.NAME\n"
    first = folder_of(tmp_path, "a", bot_of_test=late, late_part="NAME = 'late'")
    second = folder_of(tmp_path, "b", grader="def grade(): return 1")
    answer = load("bot_of_test:answer", first)
    load("grader:grade", second)
    assert answer() == "late"


def test_an_edited_module_is_loaded_anew(tmp_path: Path) -> None:
    """A session that regrades after an edit must run the code whose digest it records."""
    folder = folder_of(tmp_path, "a", bot_of_test=BOT, part_of_bot="NAME = 1")
    found = [load("bot_of_test:answer", folder)()]
    for value in (2, 3):  # of one size and within one second, so that compiled code looks current
        (folder / "part_of_bot.py").write_text(f"NAME = {value}")
        found.append(load("bot_of_test:answer", folder)())
    assert found == [1, 2, 3]


def test_an_unchanged_module_is_loaded_once(tmp_path: Path) -> None:
    """Target and graders share the state and the classes of their folder."""
    folder = folder_of(tmp_path, "a", bot_of_test=BOT, part_of_bot="NAME = 1")
    assert load("bot_of_test:answer", folder) is load("bot_of_test:answer", folder)


def test_what_was_loaded_pickles_by_name(tmp_path: Path) -> None:
    """Isolation by process sends evaluators to workers, which get the parent's path."""
    folder = folder_of(tmp_path, "a", bot_of_test=BOT, part_of_bot="NAME = 'there'")
    sent = pickle.dumps(load("bot_of_test:answer", folder))
    program = "import pickle, sys; print(pickle.loads(bytes.fromhex(sys.argv[1]))())"
    environ = {**os.environ, "PYTHONPATH": sys.path[0]}
    done = subprocess.run(
        [sys.executable, "-c", program, sent.hex()], env=environ, capture_output=True, check=True
    )
    assert done.stdout.strip() == b"there"


@pytest.mark.parametrize(
    "reference", ["bot", "bot:", ":answer", "b t:answer", "bot:1x", "bot.py:a", ""]
)
def test_what_is_no_import_string_is_refused(tmp_path: Path, reference: str) -> None:
    """The form is `module:attribute`; a file name is the likeliest slip."""
    if reference == "bot.py:a":
        assert "expected a module 'bot.py'" in refused(reference, tmp_path)
    else:
        assert f"import string such as 'bot:answer', got {reference!r}" in refused(
            reference, tmp_path
        )


def test_a_module_that_is_not_there_is_named_with_the_folder_and_a_like_one(tmp_path: Path) -> None:
    """Where it was sought is half of the answer."""
    folder = folder_of(tmp_path, "a", bot_of_test="")
    assert refused("bot_of_tset:answer", folder) == (
        "e.yaml, line 3, column 9: expected a module 'bot_of_tset' in "
        f"{folder} or installed, found none; did you mean 'bot_of_test'?"
    )


def test_an_attribute_that_is_not_there_is_named_with_a_like_one(tmp_path: Path) -> None:
    """As for keys of files."""
    folder = folder_of(tmp_path, "a", bot_of_test="def answer(): ...\nclass Box: ...")
    assert refused("bot_of_test:anwser", folder).endswith("no 'anwser'; did you mean 'answer'?")
    assert refused("bot_of_test:Box.open", folder).endswith("found no 'open'")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("x = 1\nraise SystemExit(3)", "got SystemExit: 3, broken_bot.py, line 2"),
        (
            "def f():\n    1 / 0\nf()",
            "got ZeroDivisionError: division by zero, broken_bot.py, line 2",
        ),
        ("x = (", "got SyntaxError: '(' was never closed (broken_bot.py, line 1)"),
        ("\nimport no_such_part", "No module named 'no_such_part', broken_bot.py, line 2"),
        ("import sys; sys.setrecursionlimit", ""),
        ("def f(): f()\nf()", "got RecursionError"),
        (
            "class E(BaseException):\n  def __str__(self): raise self\nraise E",
            "got E: (its message",
        ),
        (
            "import asyncio\nraise asyncio.CancelledError",
            "got CancelledError, broken_bot.py, line 2",
        ),
        ("raise ValueError('a\\nb' + 'x' * 9999)", "got ValueError: a bxxx"),
    ],
)
def test_whatever_importing_raises_is_one_sentence_with_the_users_line(
    tmp_path: Path, source: str, expected: str
) -> None:
    """DESIGN's bad input: no traceback for wrong use, and the line that the user can mend."""
    folder = folder_of(tmp_path, "a", broken_bot=source)
    if not expected:
        expected = "found no 'answer'"
    sentence = refused("broken_bot:answer", folder)
    assert expected in sentence
    assert len(sentence) < 500


def test_an_interrupt_while_importing_stays_an_interrupt(tmp_path: Path) -> None:
    """Ctrl-C during a slow import ends the program."""
    folder = folder_of(tmp_path, "a", slow_bot="raise KeyboardInterrupt")
    with pytest.raises(KeyboardInterrupt):
        load_import("slow_bot:answer", folder)


@pytest.mark.parametrize("name", ["statistics", "json", "pydantic"])
def test_a_name_that_others_rely_on_is_refused(tmp_path: Path, name: str) -> None:
    """Loading it would either give the wrong module or break those who import the right one."""
    folder = folder_of(tmp_path, "a", **{name: "def answer(): ..."})
    sentence = refused(f"{name}:answer", folder)
    assert f"expected a module with a name of its own, got {name!r}" in sentence
    assert f"rename it in {folder}" in sentence


def test_a_package_in_the_folder_works_like_a_module(tmp_path: Path) -> None:
    """With and without `__init__`; both are reloaded with their parts."""
    folder = tmp_path / "a"
    (folder / "boxed_bots" / "deep").mkdir(parents=True)
    (folder / "boxed_bots" / "__init__.py").write_text("")
    part = folder / "boxed_bots" / "deep" / "one.py"
    part.write_text("def answer(): return 1")
    assert load("boxed_bots.deep.one:answer", folder)() == 1
    part.write_text("def answer(): return 2")
    assert load("boxed_bots.deep.one:answer", folder)() == 2
