"""A folder on any fsspec file system: one PUT a file, and no rename."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, BinaryIO, TypeVar

import fsspec

from assay.tasks.store.own_names import OwnNames
from assay.tasks.store.store_error import StoreError

_T = TypeVar("_T")

_ATTEMPTS = 4
_FIRST_WAIT_SECONDS = 0.1
_LISTING_WAITS_SECONDS = (0.0, 0.1, 0.3, 1.0, 3.0)
_FINAL = (FileNotFoundError, FileExistsError, PermissionError, NotADirectoryError)


class RemoteFolder:
    """A `Folder` on an object store, whose single PUT is atomic and durable.

    A PUT that fails is tried again: the same bytes under the same name do no harm.

    Args:
        system: The file system.
        path: The folder in it.
        protocol: For messages.
        own: What was written through this folder's relatives.
    """

    def __init__(
        self,
        system: fsspec.AbstractFileSystem,
        path: str,
        *,
        protocol: str,
        own: OwnNames | None = None,
    ) -> None:
        self._system = system
        self._path = path.rstrip("/")
        self._protocol = protocol
        self._own = own or OwnNames()

    @property
    def place(self) -> str:
        """The address."""
        if "://" in self._path:
            return self._path
        return f"{self._protocol}://{self._path.lstrip('/')}"

    def child(self, name: str) -> "RemoteFolder":
        """The folder of that name in this one."""
        return RemoteFolder(self._system, self._at(name), protocol=self._protocol, own=self._own)

    def names(self) -> tuple[str, ...]:
        """Names of everything within, sorted; never from a cached listing."""
        listed = (_last(entry["name"]) for entry in self._entries())
        return tuple(sorted(self._own.correct(self._path, listed)))

    def sizes(self) -> dict[str, int]:
        """The bytes of each file within; one that only this process knows of is left out."""
        return {
            _last(entry["name"]): int(entry["size"] or 0)
            for entry in self._entries()
            if entry["type"] == "file"
        }

    def exists(self, name: str) -> bool:
        """True if there is something of that name."""
        with self._told("look at", name):
            self._system.invalidate_cache()
            return _patiently(lambda: bool(self._system.exists(self._at(name))))

    def read(self, name: str) -> bytes:
        """The content of a file."""
        with self._told("read", name, let=(FileNotFoundError,)), self._found(name):
            return _patiently(lambda: bytes(self._system.cat_file(self._at(name))))

    def open(self, name: str) -> BinaryIO:
        """A file to read from."""
        with self._told("read", name, let=(FileNotFoundError,)), self._found(name):
            self._system.invalidate_cache()
            return _patiently(lambda: self._opened(name))

    def add(self, name: str, content: bytes) -> None:
        """Write a new file by a conditional PUT, where the file system has one."""
        with self._told("write", name, let=(FileExistsError,)):
            try:
                self._put(name, content, mode="create")
            except FileExistsError:
                # The answer to a PUT that did succeed may have been lost.
                if self.read(name) != content:
                    raise

    def replace(self, name: str, content: bytes) -> None:
        """Write a file in place of what stood there."""
        with self._told("write", name, let=(FileExistsError,)):
            self._put(name, content, mode="overwrite")

    def remove(self, name: str) -> None:
        """Remove a file, once the listing shows all that this process wrote beside it.

        What takes a file's place must be seen by others before the file goes.
        """
        self._await_listing()
        with self._told("remove", name):
            with suppress(FileNotFoundError):
                _patiently(lambda: self._system.rm_file(self._at(name)))
            self._own.remove(self._path, name)

    def publish(self, name: str, files: Mapping[str, bytes]) -> None:
        """Put the files in order; the last one, which makes the folder count, must be new."""
        *supporting, deciding = files
        folder = self.child(name)
        if folder.exists(deciding):
            raise FileExistsError(folder.place)
        for inner in supporting:
            folder.replace(inner, files[inner])
        folder.add(deciding, files[deciding])

    def require_writable(self) -> None:
        """Nothing certain can be said without writing."""

    def _at(self, name: str) -> str:
        return f"{self._path}/{name}"

    def _await_listing(self) -> None:
        for seconds in _LISTING_WAITS_SECONDS:
            if not self._own.added(self._path):
                return
            time.sleep(seconds)
            self.names()
        if self._own.added(self._path):
            message = f"{self.place}: the listing does not show what was written; try again later"
            raise StoreError(message)

    def _entries(self) -> list[dict[str, Any]]:
        with self._told("list"):
            self._system.invalidate_cache()
            try:
                found: list[dict[str, Any]] = _patiently(
                    lambda: self._system.ls(self._path, detail=True)
                )
            except FileNotFoundError:
                return []
        # An object store may list a folder within itself, as an empty object.
        own = self._path.strip("/")
        return [entry for entry in found if entry["name"].strip("/") != own]

    def _opened(self, name: str) -> BinaryIO:
        opened: BinaryIO = self._system.open(self._at(name), "rb")
        return opened

    @contextmanager
    def _found(self, name: str) -> Iterator[None]:
        try:
            yield
        except FileNotFoundError:
            self._own.forget(self._path, name)
            raise

    def _put(self, name: str, content: bytes, *, mode: str) -> None:
        def attempt() -> None:
            self._system.pipe_file(self._at(name), content, mode=mode)

        try:
            _patiently(attempt)
        except FileNotFoundError:  # a file system whose folders must be made first
            self._system.makedirs(self._path, exist_ok=True)
            _patiently(attempt)
        self._own.add(self._path, name)

    @contextmanager
    def _told(
        self, action: str, name: str = "", *, let: tuple[type[OSError], ...] = ()
    ) -> Iterator[None]:
        try:
            yield
        except StoreError:
            raise
        except Exception as error:
            if isinstance(error, let):
                raise
            place = f"{self.place}/{name}" if name else self.place
            raise StoreError.of(error, place=place, action=f"{action} it") from error


def _last(path: str) -> str:
    return path.rstrip("/").rsplit("/", 1)[-1]


def _patiently(attempt: Callable[[], _T]) -> _T:
    """What the attempt gives, tried again after growing waits while the host may recover."""
    for number in range(_ATTEMPTS - 1):
        try:
            return attempt()
        except _FINAL:
            raise
        except (OSError, TimeoutError):
            time.sleep(_FIRST_WAIT_SECONDS * 2**number)
    return attempt()
