"""An object store in a folder, for several processes, whose every third PUT fails."""

import itertools
import os
from pathlib import Path
from typing import BinaryIO
from uuid import uuid4

from fsspec import AbstractFileSystem, register_implementation

PROTOCOL = "flaky"


class FlakyFileSystem(AbstractFileSystem):
    """Objects are files; a PUT appears whole; every third one fails, every sixth after its work."""

    protocol = PROTOCOL
    _puts = itertools.count(1)

    def pipe_file(self, path: str, value: bytes, mode: str = "overwrite", **_: object) -> None:
        """Put an object."""
        number = next(self._puts)
        if number % 3 == 0 and number % 6:
            raise TimeoutError(f"PUT {number} was refused")
        file = _file(path)
        file.parent.mkdir(parents=True, exist_ok=True)
        hidden = file.with_name(f".{uuid4()}")
        hidden.write_bytes(value)
        if mode == "create":
            try:
                os.link(hidden, file)
            finally:
                hidden.unlink()
        else:
            hidden.replace(file)
        if number % 6 == 0:
            raise TimeoutError(f"the answer to PUT {number} was lost")

    def cat_file(
        self, path: str, start: int | None = None, end: int | None = None, **_: object
    ) -> bytes:
        """Get an object."""
        return _file(path).read_bytes()[start:end]

    def ls(self, path: str, *, detail: bool = True, **_: object) -> list[object]:
        """What is in a folder."""
        folder = _file(path)
        if not folder.exists():
            raise FileNotFoundError(path)
        names = [one for one in folder.iterdir() if not one.name.startswith(".")]
        found = [self.info(str(one)) for one in names] if folder.is_dir() else [self.info(path)]
        return found if detail else [one["name"] for one in found]

    def info(self, path: str, **_: object) -> dict[str, object]:
        """An object's size, or that it is a folder."""
        file = _file(path)
        if not file.exists():
            raise FileNotFoundError(path)
        kind = "directory" if file.is_dir() else "file"
        return {"name": str(file), "size": file.stat().st_size, "type": kind}

    def rm_file(self, path: str) -> None:
        """Remove an object."""
        _file(path).unlink()

    def open(self, path: str, mode: str = "rb", **_: object) -> BinaryIO:
        """An object to read from."""
        assert mode == "rb"
        return _file(path).open("rb")


def _file(path: str) -> Path:
    return Path("/" + path.removeprefix(f"{PROTOCOL}://").lstrip("/"))


def register() -> None:
    """Let fsspec know the protocol."""
    register_implementation(PROTOCOL, FlakyFileSystem)
