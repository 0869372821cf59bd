"""A folder of the store, whatever holds it: the few operations that the protocol rests on."""

from collections.abc import Mapping
from typing import BinaryIO, Protocol, Self


class Folder(Protocol):
    """A place for files and folders in which nothing ever appears in part.

    What was written is durable when the call returns, and missing folders are made on the way.
    Every failure of the host is a `StoreError`; only the two errors named below are let through.
    """

    @property
    def place(self) -> str:
        """The path or address, as messages show it."""

    def child(self, name: str) -> Self:
        """The folder of that name in this one, whether it exists or not."""

    def names(self) -> tuple[str, ...]:
        """Names of the files and folders directly within, sorted; none if there is no folder."""

    def sizes(self) -> dict[str, int]:
        """The bytes of each file directly within, by its name."""

    def exists(self, name: str) -> bool:
        """True if there is a file or a folder of that name."""

    def read(self, name: str) -> bytes:
        """The content of a file.

        Raises:
            FileNotFoundError: there is no such file.
        """

    def open(self, name: str) -> BinaryIO:
        """A file to read from at any position; the caller closes it.

        Raises:
            FileNotFoundError: there is no such file.
        """

    def add(self, name: str, content: bytes) -> None:
        """Write a new file, whole or not at all.

        Raises:
            FileExistsError: the name is taken; what stands there is unchanged.
        """

    def replace(self, name: str, content: bytes) -> None:
        """Write a file, whole or not at all; one that stood there is gone."""

    def remove(self, name: str) -> None:
        """Let a file go for good; one that is not there is gone already."""

    def publish(self, name: str, files: Mapping[str, bytes]) -> None:
        """Let a folder of that name appear with these files; the last one makes it count.

        Raises:
            FileExistsError: such a folder is there already; it is unchanged.
        """

    def require_writable(self) -> None:
        """Refuse a folder that certainly cannot be written; writes nothing.

        Raises:
            InputError: naming what is in the way.
        """
