"""Objects that files name as `module:attribute`."""

import importlib
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from traceback import walk_tb
from types import ModuleType

from assay.evaluators.errors import InputError
from assay.tasks.documents.places import bounded, bounded_reason, close_match
from assay.tasks.folder_modules import FolderModules, folder_of

_lock = threading.RLock()
_modules = FolderModules()


@dataclass(frozen=True, slots=True)
class _Reference:
    text: str
    place: str
    kind: str

    @property
    def module(self) -> str:
        return self.text.partition(":")[0]

    @property
    def steps(self) -> list[str]:
        return self.text.partition(":")[2].split(".")

    def refusal(self, message: str) -> InputError:
        return InputError(message, place=self.place, kind=self.kind)


def load_import(reference: str, folder: Path, *, place: str = "", kind: str = "import") -> object:
    """The object that an import string names.

    A module of the folder that was edited since it was loaded is loaded anew, with all its
    neighbours.

    Args:
        reference: `module:attribute`; both sides may have dots.
        folder: Where the module is sought first; then the environment is.
        place: Where the reference stands, for errors.
        kind: What it stands for, for errors: `target`, `suite`.

    Raises:
        InputError: the reference has another form, there is no such module or attribute, or
            importing it raises anything at all, even SystemExit.
    """
    parsed = _Reference(reference, place, kind)
    if not _is_import_string(reference):
        message = f"expected an import string such as 'bot:answer', got {bounded(reference)}"
        raise parsed.refusal(message)
    with _lock:
        found: object = _import(parsed, folder.resolve())
    for step in parsed.steps:
        found = _member(parsed, found, step)
    return found


def _is_import_string(reference: str) -> bool:
    module, _, attribute = reference.partition(":")
    return all(step.isidentifier() for step in [*module.split("."), *attribute.split(".")])


def _member(reference: _Reference, owner: object, name: str) -> object:
    try:
        return getattr(owner, name)
    except AttributeError as error:
        public = [one for one in dir(owner) if not one.startswith("_")]
        message = f"expected {bounded(reference.text)} to name something, found no {bounded(name)}"
        raise reference.refusal(message + close_match(name, public)) from error
    except Exception as error:
        message = (
            f"expected {bounded(reference.text)} to name something, got {bounded_reason(error)}"
        )
        raise reference.refusal(message) from error


def _import(reference: _Reference, folder: Path) -> ModuleType:
    _modules.enter(folder)
    top = reference.module.partition(".")[0]
    if _modules.holds(folder, top):
        _refuse_taken(reference, top, folder)
    try:
        module = importlib.import_module(reference.module)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise _failure(reference, folder, error) from error
    finally:
        _modules.note(folder)
    if _modules.is_of_another(top, folder):
        raise _not_found(reference, folder)
    return module


def _refuse_taken(reference: _Reference, top: str, folder: Path) -> None:
    if top in sys.stdlib_module_names:
        holder = "the standard library"
    elif top in sys.modules and folder_of(top) != folder:
        holder = "a module that is already loaded"
    else:
        return
    raise reference.refusal(
        f"expected a module with a name of its own, got {top!r}, which {holder} has; "
        f"rename it in {folder}"
    )


def _failure(reference: _Reference, folder: Path, error: BaseException) -> InputError:
    missing = error.name or "" if isinstance(error, ModuleNotFoundError) else ""
    if missing and f"{reference.module}.".startswith(f"{missing}."):
        return _not_found(reference, folder)
    got = bounded_reason(error) + _line(folder, error)
    return reference.refusal(f"expected {reference.module!r} to be importable, got {got}")


def _not_found(reference: _Reference, folder: Path) -> InputError:
    hint = close_match(reference.module, [file.stem for file in sorted(folder.glob("*.py"))])
    return reference.refusal(
        f"expected a module {reference.module!r} in {folder} or installed, found none{hint}"
    )


def _line(folder: Path, error: BaseException) -> str:
    """Where in the folder's own files the error arose."""
    if isinstance(error, SyntaxError):
        return ""  # its message says where
    frames = [
        (Path(frame.f_code.co_filename), line) for frame, line in walk_tb(error.__traceback__)
    ]
    for file, line in reversed(frames):
        if file.is_relative_to(folder):
            return f", {file.relative_to(folder)}, line {line}"
    return ""
