"""The journal of a run: small facts that came later than its plan."""

from collections.abc import Mapping
from datetime import UTC, datetime

from assay.tasks.store.folder import Folder
from assay.tasks.store.json_file import JsonRecord, encode_record, read_record
from assay.tasks.store.uuid7 import uuid7


class Journal:
    """Facts in the order in which they were added.

    Args:
        folder: Where they lie, a file each.
    """

    def __init__(self, folder: Folder) -> None:
        self._folder = folder

    def add(self, fact: Mapping[str, object]) -> None:
        """Keep a fact.

        Args:
            fact: A JSON object whose `kind` says what it is; the moment is added as `at`.

        Raises:
            StoreError: it cannot be written.
        """
        record = {**fact, "at": datetime.now(UTC).isoformat()}
        self._folder.add(f"{uuid7()}.json", encode_record(record))

    def facts(self, kind: str = "") -> tuple[JsonRecord, ...]:
        """The facts, of one kind or of all, the oldest first.

        Raises:
            StoreError: one of them cannot be read.
        """
        names = (name for name in self._folder.names() if name.endswith(".json"))
        found = (read_record(self._folder, name) for name in names if not name.startswith("."))
        return tuple(fact for fact in found if not kind or fact.get("kind") == kind)
