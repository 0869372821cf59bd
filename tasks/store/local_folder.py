"""A folder on this machine: temporary name, fsync, rename, fsync of the folder."""

import errno
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from assay.evaluators.errors import InputError
from assay.tasks.store.leftover import hidden_name
from assay.tasks.store.store_error import StoreError

_NO_HARD_LINKS = (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS)


class LocalFolder:
    """A `Folder` on a local disk; what it acknowledges survives a loss of power."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._made = False

    @property
    def place(self) -> str:
        """The path."""
        return str(self._path)

    def child(self, name: str) -> "LocalFolder":
        """The folder of that name in this one."""
        return LocalFolder(self._path / name)

    def names(self) -> tuple[str, ...]:
        """Names of everything within, sorted."""
        with self._told("list"):
            try:
                return tuple(sorted(os.listdir(self._path)))  # noqa: PTH208 - names, not paths
            except FileNotFoundError:
                return ()

    def sizes(self) -> dict[str, int]:
        """The bytes of each file within."""
        with self._told("list"):
            try:
                entries = list(os.scandir(self._path))
            except FileNotFoundError:
                return {}
            return {one.name: size for one in entries if (size := _size(one)) is not None}

    def exists(self, name: str) -> bool:
        """True if there is something of that name."""
        with self._told("look at", name):
            return (self._path / name).exists()

    def read(self, name: str) -> bytes:
        """The content of a file."""
        with self._told("read", name, let=(FileNotFoundError,)):
            return (self._path / name).read_bytes()

    def open(self, name: str) -> BinaryIO:
        """A file to read from."""
        with self._told("read", name, let=(FileNotFoundError,)):
            return (self._path / name).open("rb")

    def add(self, name: str, content: bytes) -> None:
        """Write a new file; a hard link decides which of several writers had the name first."""
        self._write(name, content, _link)

    def replace(self, name: str, content: bytes) -> None:
        """Write a file in place of what stood there."""
        self._write(name, content, Path.replace)

    def remove(self, name: str) -> None:
        """Remove a file, durably."""
        with self._told("remove", name):
            try:
                (self._path / name).unlink(missing_ok=True)
                _sync(self._path)
            except FileNotFoundError:
                return  # not even the folder is there

    def publish(self, name: str, files: Mapping[str, bytes]) -> None:
        """Fill a hidden folder and rename it, which fails where a folder with content stands."""
        hidden = self._path / hidden_name(name)
        with self._told("write", name, let=(FileExistsError,)):
            self._make()
            try:
                hidden.mkdir()
                for inner, content in files.items():
                    _write_durably(hidden / inner, content)
                _sync(hidden)
                _rename_folder(hidden, self._path / name)
            except BaseException:
                shutil.rmtree(hidden, ignore_errors=True)
                raise
            _sync(self._path)

    def require_writable(self) -> None:
        """Refuse a path below a file, and one that this user cannot write."""
        there = self._path
        while not there.exists() and there != there.parent:
            there = there.parent
        if not there.is_dir():
            message = "expected a folder for the store, found a file"
            raise InputError(message, place=str(there), kind="store")
        if not os.access(there, os.W_OK | os.X_OK):
            message = "the store cannot be written; give write permission or choose another"
            raise InputError(message, place=str(there), kind="store")

    def _write(self, name: str, content: bytes, put: Callable[[Path, Path], object]) -> None:
        hidden = self._path / hidden_name(name)
        with self._told("write", name, let=(FileExistsError,)):
            self._make()
            try:
                _write_durably(hidden, content)
                put(hidden, self._path / name)
            except BaseException:
                with suppress(OSError):
                    hidden.unlink()
                raise
            _sync(self._path)

    def _make(self) -> None:
        if not self._made:
            _make_durably(self._path)
            self._made = True

    @contextmanager
    def _told(
        self, action: str, name: str = "", *, let: tuple[type[OSError], ...] = ()
    ) -> Iterator[None]:
        try:
            yield
        except let:
            raise
        except OSError as error:
            place = str(self._path / name)
            raise StoreError.of(error, place=place, action=f"{action} it") from error


def _size(entry: os.DirEntry[str]) -> int | None:
    try:
        return entry.stat().st_size if entry.is_file() else None
    except FileNotFoundError:  # removed since it was listed
        return None


def _write_durably(path: Path, content: bytes) -> None:
    with path.open("xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _link(hidden: Path, path: Path) -> None:
    try:
        os.link(hidden, path)
    except FileExistsError:
        raise
    except OSError as error:
        if error.errno not in _NO_HARD_LINKS:
            raise
        # A disk without hard links: take the name first, then give it its content.
        path.open("xb").close()
        hidden.replace(path)
    else:
        hidden.unlink()


def _rename_folder(hidden: Path, path: Path) -> None:
    try:
        hidden.rename(path)
    except OSError as error:
        if error.errno in {errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR}:
            raise FileExistsError(errno.EEXIST, "the name is taken", str(path)) from error
        raise


def _make_durably(path: Path) -> None:
    if path.is_dir():
        return
    _make_durably(path.parent)
    try:
        path.mkdir()
    except FileExistsError as error:
        if not path.is_dir():  # else another writer was quicker
            raise NotADirectoryError(errno.ENOTDIR, "a file is in the way", str(path)) from error
    _sync(path.parent)


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
