"""What this process itself wrote and removed, for file systems whose listings lag behind."""

import threading
from collections import defaultdict
from collections.abc import Iterable


class OwnNames:
    """Names by folder that a listing may not show yet, or may still show.

    Whoever was told that a file is durable must see it at once, whatever the listing says. A name
    is forgotten again when a listing agrees, so that the memory stays small.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._added: defaultdict[str, set[str]] = defaultdict(set)
        self._removed: defaultdict[str, set[str]] = defaultdict(set)

    def add(self, folder: str, name: str) -> None:
        """Note a file that was written; the folders above it exist from now on."""
        with self._lock:
            while name:
                self._added[folder].add(name)
                self._removed[folder].discard(name)
                folder, _, name = folder.rpartition("/")

    def remove(self, folder: str, name: str) -> None:
        """Note a file that was removed."""
        with self._lock:
            self._added[folder].discard(name)
            self._removed[folder].add(name)

    def forget(self, folder: str, name: str) -> None:
        """Note that a file is not there after all: another process has removed it."""
        with self._lock:
            self._added[folder].discard(name)

    def added(self, folder: str) -> bool:
        """True if files were written there that no listing has shown yet."""
        with self._lock:
            return bool(self._added[folder])

    def correct(self, folder: str, listed: Iterable[str]) -> set[str]:
        """The names in a folder, from a listing that may lag."""
        found = set(listed)
        with self._lock:
            self._added[folder] -= found
            self._removed[folder] &= found
            return (found | self._added[folder]) - self._removed[folder]
