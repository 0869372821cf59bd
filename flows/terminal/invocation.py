"""The command line as it can be typed again."""

import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

Value = str | int | Sequence[str] | None
"""What a flag was given; None where it was not given."""


def command_again(name: str, *arguments: str, flags: Mapping[str, Value]) -> str:
    """The command in one line for a shell, with the flags that were given.

    Args:
        name: Of the command, such as `run`.
        arguments: What follows it.
        flags: By name, with dashes as in `--run-id`.
    """
    words = [_program(), name, *arguments]
    for flag, value in flags.items():
        values = value if isinstance(value, list | tuple) else [value]
        words += [word for one in values if one is not None for word in (flag, str(one))]
    return shlex.join(words)


def _program() -> str:
    """`assay`, or its path where a shell would not find this one by that name."""
    started = Path(sys.argv[0])
    found = shutil.which("assay")
    is_program = started.name == "assay" and started.exists()
    if not is_program or (found is not None and Path(found).samefile(started)):
        return "assay"
    return str(started)
