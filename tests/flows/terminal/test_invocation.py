"""A command that is printed can be pasted into a shell."""

import shlex
import sys
from pathlib import Path

import pytest

from assay.flows.terminal.invocation import command_again


@pytest.fixture(autouse=True)
def _as_module(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["-c"])


def test_flags_that_were_not_given_are_not_printed() -> None:
    """The command should be the one that was typed."""
    assert command_again("run", "e.yaml", flags={"--limit": 3, "--gate": None}) == (
        "assay run e.yaml --limit 3"
    )


def test_a_flag_that_was_given_twice_is_printed_twice() -> None:
    """Two gates are two flags."""
    again = command_again("run", "e.yaml", flags={"--gate": ["cost <= 1", "pass_rate >= 1"]})
    assert shlex.split(again)[3:] == ["--gate", "cost <= 1", "--gate", "pass_rate >= 1"]


def test_what_a_shell_would_take_apart_is_quoted() -> None:
    """File names have blanks, and worse."""
    names = ["my file.yaml", "$HOME; rm -rf *", "-dash", "é'\""]
    again = command_again("run", *names, flags={})
    assert shlex.split(again) == ["assay", "run", *names]


def test_a_program_that_is_not_on_the_path_is_named_by_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`.venv/bin/assay` is what the README says, and `assay` alone would not be found."""
    program = tmp_path / "assay"
    program.touch(mode=0o755)
    monkeypatch.setattr(sys, "argv", [str(program)])
    monkeypatch.setenv("PATH", str(tmp_path / "elsewhere"))
    assert command_again("list", flags={}) == f"{program} list"
    monkeypatch.setenv("PATH", str(tmp_path))
    assert command_again("list", flags={}) == "assay list"
