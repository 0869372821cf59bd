"""What a writer minds beside its rows: whether it may write, and how many parts there are."""

import threading
from collections.abc import Sequence
from contextlib import suppress

from assay.evaluators.errors import AssayError
from assay.tasks.store.folder import Folder
from assay.tasks.store.lease import Lease
from assay.tasks.store.merge import Merger
from assay.tasks.store.part_kind import PartKind

_LOOK_EVERY = 16


class Upkeep:
    """Asks the lease before each part, and merges parts in a daemon thread now and then.

    Of the writers that share a lease, the one that holds it merges.

    Args:
        folder: Where parts are written.
        kinds: The kinds of them.
        lease: The lease of the writer; without one it may always write, and nothing is merged.
    """

    def __init__(self, folder: Folder, kinds: Sequence[PartKind], lease: Lease | None) -> None:
        self._lease = lease
        is_keeper = lease is not None and not lease.joined
        guard = self.require_allowed
        self._mergers = [Merger(folder, kind, guard=guard) for kind in kinds if is_keeper]
        self._parts = 0
        self._thread: threading.Thread | None = None

    def require_allowed(self) -> None:
        """Return if rows may be written.

        Raises:
            StoreError: the lease has been lost.
        """
        if self._lease is not None:
            self._lease.require_held()

    def note_part(self) -> None:
        """Note that a part was written; after some of them, see whether there are too many."""
        self._parts += 1
        is_merging = self._thread is not None and self._thread.is_alive()
        if self._mergers and self._parts % _LOOK_EVERY == 0 and not is_merging:
            self._thread = threading.Thread(target=self._merge, name="assay-merge", daemon=True)
            self._thread.start()

    def wait(self) -> None:
        """Return when no merge is in progress."""
        if self._thread is not None:
            self._thread.join()

    def _merge(self) -> None:
        for merger in self._mergers:
            # A merge that failed has lost nothing, and no run must end for the sake of tidiness.
            with suppress(AssayError):
                merger.merge_some()
