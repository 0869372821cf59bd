"""Rewriting files of a run one by one, each whole or not at all, and only if something changes."""

from collections.abc import Callable, Iterator

from assay.tasks.store.folder import Folder
from assay.tasks.store.part_file import WholePart, read_whole
from assay.tasks.store.part_kind import PartKind
from assay.tasks.store.parts import Parts


class Rewrite:
    """Changes to files of a run.

    Args:
        guard: Called before each change; raises when it may not be made.

    Attributes:
        files: How many were rewritten or removed.
    """

    def __init__(self, guard: Callable[[], None]) -> None:
        self._guard = guard
        self.files = 0

    def write(self, folder: Folder, name: str, content: bytes) -> None:
        """Let a file say something else."""
        self._guard()
        folder.replace(name, content)
        self.files += 1

    def remove(self, folder: Folder, name: str) -> None:
        """Let a file go."""
        self._guard()
        folder.remove(name)
        self.files += 1

    def parts(
        self, folder: Folder, kind: PartKind, change: Callable[[WholePart], WholePart]
    ) -> None:
        """Let every part of a kind hold what becomes of it.

        Raises:
            StoreError: a part is damaged; those before it have been changed.
        """
        for name, part in whole_parts(folder, kind):
            changed = change(part)
            if not changed.rows.equals(part.rows):
                self.write(folder, name, changed.encode())


def whole_parts(folder: Folder, kind: PartKind) -> Iterator[tuple[str, WholePart]]:
    """Every part of a kind with its name, one at a time."""
    for name in Parts(folder, kind.schema, kind.prefix).names():
        yield name, read_whole(folder, name)
