"""Standard output holds results and nothing else, and nobody has to read it."""

import io
import os
import shlex
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from assay.evaluators.errors import InputError
from assay.flows.terminal.standard_output import kept_for_results, write_results


def test_what_others_print_goes_to_standard_error() -> None:
    """A target that prints must not break the JSON of the run that it is part of."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        with kept_for_results() as stream:
            sys.stdout.write("from a target\n")
            stream.write("{}\n")
        sys.stdout.write("afterwards\n")
    assert (out.getvalue(), err.getvalue()) == ("{}\nafterwards\n", "from a target\n")


PROGRAM = """
import os, subprocess, sys
from assay.flows.terminal.standard_output import kept_for_results
with kept_for_results() as stream:
    print("python")
    os.write(1, b"library\\n")
    subprocess.run(["echo", "child"])
    stream.write("{}\\n")
print("afterwards")
"""


def test_what_libraries_and_children_write_goes_there_too() -> None:
    """Code that is not Python knows only the number of standard output."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "{}\nafterwards\n"
    assert sorted(done.stderr.split()) == ["child", "library", "python"]


def test_a_reader_that_has_gone_is_no_error() -> None:
    """`assay list | head -1` is not a failed command."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as stream:
        write_results("x" * 100_000, stream)
        write_results("more", stream)


def test_a_full_disk_is_told() -> None:
    """A report that was not written must not look like one that was."""
    with (
        Path("/dev/full").open("w") as stream,
        pytest.raises(InputError, match="the results cannot be written: No space left on device"),
    ):
        write_results("x", stream)


CLOSED = "import sys; from assay.flows.cli import main; sys.argv = ['assay', 'nope']; main()"


def test_a_process_without_standard_streams_still_ends_with_its_code() -> None:
    """Some hosts start commands with nothing to write to."""
    command = f"exec {shlex.quote(sys.executable)} -c {shlex.quote(CLOSED)} >&- 2>&-"
    done = subprocess.run(["/bin/sh", "-c", command], check=False, timeout=60)
    assert done.returncode == 2
