"""Reads the target of an experiment: an import string, a command, an address or a Python object."""

from collections.abc import Mapping
from pathlib import Path

from assay.evaluators.errors import InputError
from assay.evaluators.record import kind_of
from assay.tasks.load_import import load_import
from assay.tasks.settings.file_model import FileModel
from assay.tasks.targets import CommandTarget, FunctionTarget, HostTarget, HttpTarget, revised

_FORMS = 'expected "module:attribute", {command: [program, argument, …]} or {http: "http://…"}'


def read_target(
    value: str | Mapping[str, object] | FileModel, base: Path, *, revision: str = ""
) -> HostTarget:
    """The target that an experiment file names; nothing of it is called.

    Args:
        value: An import string, or a mapping with the one key `command` or `http`, also as the
            settings of an experiment hold it.
        base: The folder of the experiment file: imports are sought there first, programs run there.
        revision: The declared revision.

    Raises:
        InputError: for anything else, and for a target that could not be called.
    """
    if isinstance(value, str):
        return _imported(value, base, revision)
    members = value.model_dump() if isinstance(value, FileModel) else value
    if len(members) != 1:
        raise _refusal(_shown(members))
    ((form, setting),) = members.items()
    match form, setting:
        case "command", list() | tuple() if setting:
            return CommandTarget(_texts(setting), base, revision=revision)
        case "http", str():
            return HttpTarget(setting, revision=revision)
        case "model", _:
            msg = (
                "model targets are not available yet: call the model in a function, "
                "and name the function"
            )
            raise InputError(msg, place="target", kind="target")
        case _:
            raise _refusal(_shown(members))


def python_target(value: object, *, revision: str = "") -> HostTarget:
    """The target that a Python object is: one of these targets, or something that can be called.

    Raises:
        InputError: as `FunctionTarget.of`.
    """
    if isinstance(value, HostTarget) and not isinstance(value, type):
        return revised(value, revision)
    return FunctionTarget.of(value, revision=revision)


def _imported(reference: str, base: Path, revision: str) -> HostTarget:
    if "://" in reference:
        raise _refusal(f'{reference[:80]!r}; write {{http: "…"}} for an address')
    if ":" not in reference or any(char.isspace() for char in reference):
        raise _refusal(repr(reference[:80]))
    value = load_import(reference, base, place="target", kind="target")
    if isinstance(value, HostTarget) and not isinstance(value, type):
        return revised(value, revision)
    return FunctionTarget.of(value, reference=reference, revision=revision)


def _texts(parts: list[object] | tuple[object, ...]) -> list[str]:
    foreign = next((part for part in parts if not isinstance(part, str)), None)
    if foreign is not None:
        msg = f"expected every argument to be text, got {str(foreign)[:80]!r}: put it in quotes"
        raise InputError(msg, place="target command", kind="target")
    return [str(part) for part in parts]


def _shown(value: Mapping[str, object]) -> str:
    members = (f"{str(key)[:40]}: {kind_of(one)}" for key, one in value.items())
    return f"{{{', '.join(members)}}}"[:80]


def _refusal(got: str) -> InputError:
    return InputError(f"{_FORMS}, got {got}", place="target", kind="target")
