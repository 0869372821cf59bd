"""Modules that stand beside the files of users.

The folder of the file goes first on `sys.path` and its modules keep their plain names, as when a
program in that folder is started: modules beside each other import each other, and functions and
classes pickle by name, so that worker processes, which get the same `sys.path`, find them.

The price is that a process has one module of a name. Where a second folder brings a module whose
name another such folder's holds, the older one leaves `sys.modules`: what was loaded from it goes
on working, but no longer pickles by name. A name that the standard library or an installed package
holds is refused, because other code relies on it. Private names for each folder would avoid this,
and break what relies on plain ones, such as a model that a script in the folder pickled.
"""

import importlib
import sys
from collections.abc import Iterable
from importlib.machinery import PathFinder
from importlib.util import cache_from_source
from pathlib import Path


class FolderModules:
    """The folders that modules were loaded from, and the state of their files at that time."""

    def __init__(self) -> None:
        self._folders: set[Path] = set()
        self._stamps: dict[Path, tuple[int, int]] = {}

    def enter(self, folder: Path) -> None:
        """Make the folder the first place for imports, and forget what would stand in their way.

        That is its own modules if one of them was edited since, and modules of other folders whose
        names it holds too.
        """
        importlib.invalidate_caches()
        self._folders.add(folder)
        sys.path[:] = [str(folder), *(entry for entry in sys.path if entry != str(folder))]
        self._forget_edited(folder)
        for top in _tops_of(self._folders - {folder}):
            if self.holds(folder, top):
                self._forget(top)

    def holds(self, folder: Path, top: str) -> bool:
        """True if the folder has a module or package of the name."""
        spec = PathFinder.find_spec(top, [str(folder)])
        return spec is not None and spec.origin is not None

    def is_of_another(self, top: str, folder: Path) -> bool:
        """True if the loaded module stands in another one of the folders."""
        return folder_of(top) in self._folders - {folder}

    def note(self, folder: Path) -> None:
        """Remember the state of the files whose modules were loaded just now."""
        for top in _tops_of({folder}):
            for file in _files_of(top).values():
                self._stamps.setdefault(file, _stamp(file))

    def _forget_edited(self, folder: Path) -> None:
        tops = _tops_of({folder})
        files = [file for top in tops for file in _files_of(top).values()]
        if all(self._stamps.get(file, _stamp(file)) == _stamp(file) for file in files):
            return
        for file in files:  # compiled code is recognised by whole seconds; an edit can be faster
            Path(cache_from_source(str(file))).unlink(missing_ok=True)
        for top in tops:
            self._forget(top)

    def _forget(self, top: str) -> None:
        for file in _files_of(top).values():
            self._stamps.pop(file, None)
        for name in _names_of(top):
            del sys.modules[name]


def folder_of(top: str) -> Path | None:
    """The folder in which the loaded top-level module stands, None where it has none."""
    path = _file_of(top)
    if path is not None:
        return path.parent.parent if path.stem == "__init__" else path.parent
    parts = _attribute(top, "__path__")  # of a package without __init__
    first = next(iter(parts), None) if isinstance(parts, Iterable) else None
    return Path(first).parent if isinstance(first, str) else None


def _tops_of(folders: set[Path]) -> list[str]:
    return [name for name in list(sys.modules) if "." not in name and folder_of(name) in folders]


def _files_of(top: str) -> dict[str, Path]:
    """The modules at and below a top-level one, with their files."""
    files = ((name, _file_of(name)) for name in _names_of(top))
    return {name: file for name, file in files if file is not None}


def _names_of(top: str) -> list[str]:
    return [name for name in list(sys.modules) if name.partition(".")[0] == top]


def _file_of(name: str) -> Path | None:
    file = _attribute(name, "__file__")
    return Path(file) if isinstance(file, str) else None


def _attribute(name: str, attribute: str) -> object:
    # Not by getattr: a lazy module may do anything when it is asked for a name.
    return getattr(sys.modules.get(name), "__dict__", {}).get(attribute)


def _stamp(file: Path) -> tuple[int, int]:
    try:
        status = file.stat()
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size
